import Foundation
import TestSupport
import Testing

/// The exit status of `--once`, for cron.
@Suite(.timeLimit(.minutes(10))) struct OnceTests {
    /// The destination and the status.
    @Test(
        arguments: [
            ("type: stdout", 0), ("type: command\n    command: [\"true\"]", 0),
            ("type: command\n    command: [\"false\"]", 3),
            ("type: command\n    command: [\"false\"]\n    retryAfterSeconds: [0.001]", 4),
        ] as [(String, Int32)])
    func whatIsLeft(_ destination: String, _ status: Int32) async throws {
        let watch = try WatchRun()
        try watch.drop(codes: ["a"])
        let file = try watch.folder.file("c.yaml", Array("destinations:\n  his:\n    \(destination)\n".utf8))
        var ending = try await watch.once("--config", file)
        // An attempt that is due a millisecond later may be left to the next run.
        while status == 4, ending == .exit(3) { ending = try await watch.once("--config", file) }
        #expect(ending == .exit(status), "\(watch.log)")
        #expect(watch.files() == ["done/a.png"])
        #expect(watch.log.contains("watch-folder: his: 1 event is ") == (status > 0))
    }

    /// The symbols of one message in two files.
    @Test func aMessageOverTwoPictures() async throws {
        let watch = try WatchRun()
        try watch.drop("2.png", try sample("qr-append-02.png"))
        #expect(try await watch.once() == .exit(0), "\(watch.log)")
        #expect(watch.log.contains("Parts of a message in several symbols have not been read yet"))
        #expect(watch.log.contains("missing=\"1 of 2\""), "\(watch.log)")
        let said = watch.log
        try watch.drop("1.png", try sample("qr-append-01.png"))
        #expect(try await watch.once() == .exit(0), "\(watch.log)")
        #expect(!watch.log.dropFirst(said.count).contains("have not been read yet"))
        let whole = "The first of two halves, the second."
        #expect(watch.texts() == [" the second.", "The first of two halves,", whole])
        #expect(watch.events().filter { $0.symbol.text == whole }.map(\.source.name) == ["1.png"])
    }
}
