import Foundation
import Testing

@testable import DropFolder
@testable import ScanOutbox

/// The watcher in real folders, with a reader that is played.
@Suite(.timeLimit(.minutes(2))) struct DropFolderTests {
    let inbox: TemporaryFolder
    let state: TemporaryFolder
    let day = Placement.day(of: Date())

    init() throws {
        inbox = try TemporaryFolder()
        state = try TemporaryFolder()
    }

    private func look() throws -> OneLook { try OneLook(inbox, database: state) }

    @Test func everyFileGoesToItsPlace() async throws {
        try inbox.write("a.jpg", "code A")
        try inbox.write("sub/b.jpg", "code B")
        try inbox.write("c.jpg", "nothing")
        try inbox.write("d.jpg", "refused")
        try inbox.write("e.jpg", "crash")
        try inbox.write("f.jpg", "hang")
        try inbox.write("g.jpg.part", "code G")
        let look = try look()
        let status = try await look.run()
        #expect(try await look.texts() == ["A", "B"])
        #expect(
            inbox.files() == [
                "done/\(day)/a.jpg", "done/\(day)/sub/b.jpg", "failed/\(day)/d.jpg", "failed/\(day)/d.jpg.json",
                "failed/\(day)/e.jpg", "failed/\(day)/e.jpg.json", "failed/\(day)/f.jpg", "failed/\(day)/f.jpg.json",
                "g.jpg.part", "no-code/\(day)/c.jpg",
            ])
        // What crashed or hung is tried once more; what was refused is not.
        #expect(
            look.reader.readings.sorted() == [
                "a.jpg", "c.jpg", "d.jpg", "e.jpg", "e.jpg", "f.jpg", "f.jpg", "sub/b.jpg",
            ])
        let counts: [Int] = [status.done, status.failed, status.noCode, status.codes, status.waiting]
        #expect(counts == [2, 3, 1, 2, 0] as [Int])
        #expect(inbox.read("failed/\(day)/e.jpg.json")?.contains(#""code":"reader_crashed""#) == true)
        #expect(inbox.read("failed/\(day)/e.jpg.json")?.contains(#""tries":2"#) == true)
        #expect(try await look.journal.open(folder: inbox.bytes) == [])
    }

    @Test func whatACrashHasLeftIsRemovedAtTheStart() async throws {
        try inbox.write("done/\(day)/.quietzone-7.part", "half")
        try await look().run()
        #expect(inbox.files() == [])
    }

    /// Ended after the commit and before the move: nothing is read or stored again.
    @Test func afterACrashOnlyTheMoveIsDone() async throws {
        try inbox.write("a.jpg", "code A")
        try inbox.write("b.jpg", "code B")
        let look = try look()
        try await look.enter(try inbox.record("a.jpg", time: Date()))
        try await look.run()
        #expect(look.reader.readings == ["b.jpg"])
        #expect(try await look.texts() == ["B"])
        #expect(inbox.files() == ["done/\(day)/a.jpg", "done/\(day)/b.jpg"])
        #expect(try await look.journal.open(folder: inbox.bytes) == [])
    }

    /// The same, and somebody has put another picture into its place meanwhile, which is read.
    @Test func anotherFileInThePlaceIsRead() async throws {
        try inbox.write("a.jpg", "code A")
        let look = try look()
        try await look.enter(try inbox.record("a.jpg", time: Date()))
        try inbox.write("a.jpg", "code C")
        try await look.run()
        #expect(try await look.texts() == ["C"])
        #expect(inbox.files() == ["done/\(day)/a.jpg"])
    }

    @Test(arguments: DuplicatePolicy.allCases) func duplicates(_ policy: DuplicatePolicy) async throws {
        var look = try look()
        look.settings.duplicates = policy
        // The same content at the same time, and once more.
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try inbox.write(name, "code A") }
        let first = try await look.run()
        try inbox.write("d.jpg", "code A")
        let second = try await look.run()
        #expect(try await look.texts().count == (policy == .again ? 4 : 1))
        #expect(first.duplicates == 2)
        #expect(second.duplicates == 1)
        #expect(inbox.files() == ["a", "b", "c", "d"].map { "done/\(day)/\($0).jpg" })
    }

    @Test func whatIsLeftIsNotReadAgainUntilItChanges() async throws {
        var look = try look()
        look.settings.after = .leave
        try inbox.write("a.jpg", "code A")
        try await look.run()
        try await look.run()
        #expect(look.reader.readings == ["a.jpg"])
        try inbox.write("a.jpg", "code ANEW")
        try await look.run()
        #expect(look.reader.readings == ["a.jpg", "a.jpg"])
        #expect(try await look.texts() == ["A", "ANEW"])
        try FileManager.default.removeItem(atPath: inbox.path + "/a.jpg")
        try await look.run()
        #expect(try await look.journal.open(folder: inbox.bytes) == [])
    }

    /// What is in the way of a place keeps its file where it is; it is not read again, and moved once it can be.
    @Test func aPlaceThatCannotBeMade() async throws {
        try inbox.write("a.jpg", "code A")
        try inbox.write("done", "nothing")
        var look = try look()
        var rule = FolderRule(name: "rule")
        rule.patterns = ["done"]
        rule.after = .leave
        look.settings.rules = [rule]
        let status = try await look.run()
        #expect(status.movesPending == 1)
        #expect(status.moveError?.hasPrefix("moving a.jpg to done/\(day)") == true)
        #expect(inbox.files() == ["a.jpg", "done"])
        try FileManager.default.removeItem(atPath: inbox.path + "/done")
        try await look.run()
        #expect(inbox.files() == ["done/\(day)/a.jpg"])
        #expect(look.reader.readings.sorted() == ["a.jpg", "done"])
        #expect(try await look.texts() == ["A"])
    }

    @Test func hooks() async throws {
        var look = try look()
        look.settings.afterEach = ["/bin/sh", "-c", "echo $QUIETZONE_VERDICT $1 >> \(state.path)/after", "hook"]
        var rule = FolderRule(name: "rule")
        rule.patterns = ["b*"]
        rule.before = ["/bin/sh", "-c", "exit 3", "hook"]
        look.settings.rules = [rule]
        try inbox.write("a.jpg", "code A")
        try inbox.write("b.jpg", "code B")
        try await look.run()
        #expect(try await look.texts() == ["A"])
        #expect(look.reader.readings == ["a.jpg"])
        #expect(inbox.read("failed/\(day)/b.jpg.json")?.contains("the command /bin/sh ended with status 3") == true)
        let lines = state.read("after")?.split(separator: "\n").sorted()
        #expect(lines == ["done \(inbox.path)/done/\(day)/a.jpg", "failed \(inbox.path)/failed/\(day)/b.jpg"])
    }

    @Test func strangersAreCountedAndLeft() async throws {
        try inbox.write("a.jpg", "code A")
        let secret = try TemporaryFolder()
        try secret.write("secret.jpg", "code SECRET")
        try FileManager.default.createSymbolicLink(
            atPath: inbox.path + "/l.jpg", withDestinationPath: secret.path + "/secret.jpg")
        try FileManager.default.createSymbolicLink(atPath: inbox.path + "/folder", withDestinationPath: secret.path)
        #expect(mkfifo(inbox.path + "/pipe", 0o600) == 0)
        let look = try look()
        let status = try await look.run()
        #expect(try await look.texts() == ["A"])
        #expect(status.nonRegularFiles == 3)
        #expect(secret.files() == ["secret.jpg"])
    }

    /// Somebody still writes it: it is waited for, and whole when it is read.
    @Test func aFileThatIsOpenIsWaitedFor() async throws {
        try inbox.write("a.jpg", "code A")
        let handle = try #require(FileHandle(forWritingAtPath: inbox.path + "/a.jpg"))
        let look = try look()
        let (path, root) = (RelativePath("a.jpg"), try inbox.handle())
        let identity = try inbox.identity("a.jpg")
        for isOpen in [false, true] {
            let result = await look.processor.read(path, identity, isOpen: isOpen, root: root, failures: 0)
            #expect(result == .busy(identity))
        }
        // The first scan is done while it is open.
        let (scans, scanned) = AsyncStream.makeStream(of: Void.self)
        async let status = look.run { scanned.yield() }
        for await _ in scans { break }
        #expect(look.reader.readings == [])
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("LONGER".utf8))
        try handle.close()
        #expect(try await status.done == 1)
        #expect(try await look.texts() == ["ALONGER"])
        let changed = await look.processor.read(path, identity, isOpen: false, root: root, failures: 0)
        #expect(changed == .gone)
    }

    @Test func theStatusIsAnsweredBesideTheDatabase() async throws {
        // Longer than the address of a socket.
        try state.write(String(repeating: "x", count: 200) + "/file", "")
        let database = state.path + "/" + String(repeating: "x", count: 200) + "/outbox.sqlite"
        #expect(StatusSocket.ask(database: database) == nil)
        var files = FolderStatus()
        files.done = 7
        let report = WatchReport(folder: inbox.bytes, files: files, outbox: nil)
        let socket = try StatusSocket(database: database) { report }
        let answer = await Blocking.value { StatusSocket.ask(database: database) }
        #expect(answer == report)
        socket.close()
        #expect(StatusSocket.ask(database: database) == nil)
    }
}
