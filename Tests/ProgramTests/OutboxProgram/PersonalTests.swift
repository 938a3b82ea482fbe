import TestSupport
import Testing

/// Personal messages, as users of the program see them.
@Suite(.timeLimit(.minutes(10))) struct PersonalProgramTests {
    private static let card = "MECARD:N:Doe,Jane;TEL:+4912345678;;"

    /// Delivered completely, hidden in lists, and erased from the files after the delivery; all except with
    /// `keep.personal`.
    @Test(arguments: [false, true]) func aMessageOnItsWay(_ isKept: Bool) async throws {
        let station = try Station()
        let script = try station.folder.file(
            "his", Array("#!/bin/sh\ncat >>\"$1\"; test -e \"$1.isOpen\"\n".utf8))
        try #require(try ProgramRunner(executable: "/bin/chmod").run(["755", script]).ending == .exit(0))
        let received = station.folder["received"]
        try station.configure(
            "his: {type: command, command: [\(script), \(received)], retryAfterSeconds: [0]}",
            head: isKept ? "keep: {personal: true}" : "")
        let ids = try await station.add(report(Self.card, "plain"))

        /// Checks the history, and whether the files contain the message.
        func expect(inFiles isThere: Bool, _ moment: Comment) async throws {
            let list = try await station("list").text
            #expect(list.contains("Jane") == isKept && list.contains("(personal: contact)") != isKept, moment)
            #expect(list.contains("plain"), moment)
            let export = try await station("export").text
            #expect(export.contains("Jane") == isKept && export.contains("\"withheld\":\"contact\"") != isKept, moment)
            #expect(try await station("show", ids[0]).text.contains("Jane") == isThere, moment)
            let files = try ProgramRunner(executable: "/bin/sh").run(
                ["-c", "cat \"$1\"*", "sh", station.database]
            ).output
            #expect(String(decoding: files, as: UTF8.self).contains("Jane") == isThere, moment)
        }
        try await expect(inFiles: true, "added")
        // It is not delivered, so it is still needed.
        #expect(try await station("run", "--once").ending != .exit(0))
        try await expect(inFiles: true, "refused")
        try station.folder.file("received.isOpen", [])
        #expect(try await station("replay", ids[0]).ending == .exit(0))
        try await station.deliver()
        #expect((readFile(received) ?? []).text.contains("Jane"))
        try await expect(inFiles: isKept, "delivered")
        #expect(try await station("verify").ending == .exit(0))

        let replay = try await station("replay", ids[0])
        #expect(replay.ending == (isKept ? .exit(0) : .exit(1)))
        #expect(replay.messages.contains("personal and was removed after its delivery") != isKept, "\(replay.messages)")
    }
}
