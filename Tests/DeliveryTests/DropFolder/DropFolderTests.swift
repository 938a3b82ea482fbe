import Foundation
import ScanEvents
import TestSupport
import Testing

@testable import DropFolder
@testable import ScanOutbox

/// The watcher in real folders, with a simulated decoder.
@Suite(.timeLimit(.minutes(10))) struct DropFolderTests {
    let inbox: DropTestFolder
    let state: DropTestFolder
    let day = Placement.day(of: Date())

    init() throws {
        inbox = try DropTestFolder()
        state = try DropTestFolder()
    }

    private func pass() throws -> SinglePass { try SinglePass(inbox, database: state) }

    @Test func everyFileGoesToItsPlace() async throws {
        try inbox.write("a.jpg", "code A")
        try inbox.write("sub/b.jpg", "code B")
        try inbox.write("c.jpg", "nothing")
        try inbox.write("d.jpg", "refused")
        try inbox.write("e.jpg", "crash")
        try inbox.write("f.jpg", "hang")
        try inbox.write("g.jpg.part", "code G")
        let pass = try pass()
        let status = try await pass.run()
        #expect(try await pass.texts() == ["A", "B"])
        #expect(
            inbox.files() == [
                "done/\(day)/a.jpg", "done/\(day)/sub/b.jpg", "failed/\(day)/d.jpg", "failed/\(day)/d.jpg.json",
                "failed/\(day)/e.jpg", "failed/\(day)/e.jpg.json", "failed/\(day)/f.jpg", "failed/\(day)/f.jpg.json",
                "g.jpg.part", "no-code/\(day)/c.jpg",
            ])
        // A crash or hang is retried once; a refusal is not.
        #expect(
            pass.reader.readings.sorted() == [
                "a.jpg", "c.jpg", "d.jpg", "e.jpg", "e.jpg", "f.jpg", "f.jpg", "sub/b.jpg",
            ])
        let counts: [Int] = [status.done, status.failed, status.noCode, status.codes, status.waiting]
        #expect(counts == [2, 3, 1, 2, 0] as [Int])
        #expect(inbox.read("failed/\(day)/e.jpg.json")?.contains(#""code":"reader_crashed""#) == true)
        #expect(inbox.read("failed/\(day)/e.jpg.json")?.contains(#""tries":2"#) == true)
        #expect(try await pass.journal.open(folder: inbox.bytes) == [])
    }

    @Test func allPagesOfADocumentAreStoredTogether() async throws {
        try inbox.write("a.pdf", "document A nothing B")
        try inbox.write("b.pdf", "document nothing nothing")
        try inbox.write("c.pdf", "document C refused D crash")
        let pass = try pass()
        try await pass.run()
        let symbols = try await pass.outbox.history(HistoryQuery(limit: 10)).map(\.event.symbol)
        #expect(
            symbols.map { "\($0.text) \($0.page ?? 0)/\($0.pages ?? 0)" }.sorted()
                == ["A 1/3", "B 3/3", "C 1/4", "D 3/4"])
        // A page that failed sends the document to failed/; the codes of its other pages are stored.
        #expect(
            inbox.files() == [
                "done/\(day)/a.pdf", "failed/\(day)/c.pdf", "failed/\(day)/c.pdf.json", "no-code/\(day)/b.pdf",
            ])
        let note = try #require(inbox.read("failed/\(day)/c.pdf.json"))
        #expect(note.contains(#""code":"too_large""#) && note.contains(#""page":2"#) && note.contains(#""tries":2"#))
    }

    @Test func whatACrashHasLeftIsRemovedAtTheStart() async throws {
        try inbox.write("done/\(day)/.quietzone-7.part", "half")
        try await pass().run()
        #expect(inbox.files() == [])
    }

    /// After a crash between commit and move, nothing is decoded or stored again.
    @Test func afterACrashOnlyTheMoveIsDone() async throws {
        try inbox.write("a.jpg", "code A")
        try inbox.write("b.jpg", "code B")
        let pass = try pass()
        try await pass.enter(try inbox.record("a.jpg", time: Date()))
        try await pass.run()
        #expect(pass.reader.readings == ["b.jpg"])
        #expect(try await pass.texts() == ["B"])
        #expect(inbox.files() == ["done/\(day)/a.jpg", "done/\(day)/b.jpg"])
        #expect(try await pass.journal.open(folder: inbox.bytes) == [])
    }

    /// The same, but another picture has replaced the file in the meantime, and is decoded.
    @Test func anotherFileInThePlaceIsRead() async throws {
        try inbox.write("a.jpg", "code A")
        let pass = try pass()
        try await pass.enter(try inbox.record("a.jpg", time: Date()))
        try inbox.write("a.jpg", "code C")
        try await pass.run()
        #expect(try await pass.texts() == ["C"])
        #expect(inbox.files() == ["done/\(day)/a.jpg"])
    }

    @Test(arguments: DuplicatePolicy.allCases) func duplicates(_ policy: DuplicatePolicy) async throws {
        var pass = try pass()
        pass.settings.duplicates = policy
        // The same content at the same time, and once more.
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try inbox.write(name, "code A") }
        let first = try await pass.run()
        try inbox.write("d.jpg", "code A")
        let second = try await pass.run()
        #expect(try await pass.texts().count == (policy == .again ? 4 : 1))
        #expect(first.duplicates == 2)
        #expect(second.duplicates == 1)
        #expect(inbox.files() == ["a", "b", "c", "d"].map { "done/\(day)/\($0).jpg" })
    }

    @Test func whatIsLeftIsNotReadAgainUntilItChanges() async throws {
        var pass = try pass()
        pass.settings.after = .leave
        try inbox.write("a.jpg", "code A")
        try await pass.run()
        try await pass.run()
        #expect(pass.reader.readings == ["a.jpg"])
        try inbox.write("a.jpg", "code ANEW")
        try await pass.run()
        #expect(pass.reader.readings == ["a.jpg", "a.jpg"])
        #expect(try await pass.texts() == ["A", "ANEW"])
        try FileManager.default.removeItem(atPath: inbox.path + "/a.jpg")
        try await pass.run()
        #expect(try await pass.journal.open(folder: inbox.bytes) == [])
    }

    /// If a target folder cannot be created, the file stays.
    ///
    /// It is not decoded again, and moved once that is possible.
    @Test func aPlaceThatCannotBeMade() async throws {
        try inbox.write("a.jpg", "code A")
        try inbox.write("done", "nothing")
        var pass = try pass()
        var rule = FolderRule(name: "rule")
        rule.patterns = ["done"]
        rule.after = .leave
        pass.settings.rules = [rule]
        let status = try await pass.run()
        #expect(status.movesPending == 1)
        #expect(status.moveError?.hasPrefix("moving a.jpg to done/\(day)") == true)
        #expect(inbox.files() == ["a.jpg", "done"])
        try FileManager.default.removeItem(atPath: inbox.path + "/done")
        try await pass.run()
        #expect(inbox.files() == ["done/\(day)/a.jpg"])
        #expect(pass.reader.readings.sorted() == ["a.jpg", "done"])
        #expect(try await pass.texts() == ["A"])
    }

    @Test func hooks() async throws {
        var pass = try pass()
        pass.settings.afterEach = ["/bin/sh", "-c", "echo $QUIETZONE_VERDICT $1 >> \(state.path)/after", "hook"]
        var rule = FolderRule(name: "rule")
        rule.patterns = ["b*"]
        rule.before = ["/bin/sh", "-c", "exit 3", "hook"]
        pass.settings.rules = [rule]
        try inbox.write("a.jpg", "code A")
        try inbox.write("b.jpg", "code B")
        try await pass.run()
        #expect(try await pass.texts() == ["A"])
        #expect(pass.reader.readings == ["a.jpg"])
        #expect(inbox.read("failed/\(day)/b.jpg.json")?.contains("the command /bin/sh ended with status 3") == true)
        let lines = state.read("after")?.split(separator: "\n").sorted()
        #expect(lines == ["done \(inbox.path)/done/\(day)/a.jpg", "failed \(inbox.path)/failed/\(day)/b.jpg"])
    }

    @Test(arguments: [
        (["/nowhere/hook"], "there is no program \"/nowhere/hook\" that this user can run"),
        (["/bin/sh", "-c", "exec sleep 1000"], "the command /bin/sh took longer than 1 s"),
    ])
    func faultsOfHooks(_ command: [String], _ sentence: String) async {
        let fault = await Hook(command: command, timeout: .seconds(1)).run(Array("a.jpg".utf8))
        #expect(fault?.description == sentence)
    }

    /// A missing or invalid command is a fault of the configuration, not of the picture.
    @Test(arguments: [nil, "no interpreter"])
    func aHookThatCannotBeRunIsWaitedFor(_ content: String?) async throws {
        var pass = try pass()
        pass.settings.before = [state.path + "/check"]
        try inbox.write("a.jpg", "code A")
        if let content {
            try state.write("check", content)
            try makeExecutable(state.path + "/check")
        }
        let status = try await pass.run()
        #expect(inbox.files() == ["a.jpg"])
        #expect(status.waiting == 1 && status.failed == 0)
        #expect(try await pass.texts() == [])
        try state.write("check", "#!/bin/sh\n")
        try makeExecutable(state.path + "/check")
        try await pass.run()
        #expect(inbox.files() == ["done/\(day)/a.jpg"])
        #expect(try await pass.texts() == ["A"])
    }

    @Test func strangersAreCountedAndLeft() async throws {
        try inbox.write("a.jpg", "code A")
        let secret = try DropTestFolder()
        try secret.write("secret.jpg", "code SECRET")
        try FileManager.default.createSymbolicLink(
            atPath: inbox.path + "/l.jpg", withDestinationPath: secret.path + "/secret.jpg")
        try FileManager.default.createSymbolicLink(atPath: inbox.path + "/folder", withDestinationPath: secret.path)
        #expect(mkfifo(inbox.path + "/pipe", 0o600) == 0)
        let pass = try pass()
        let status = try await pass.run()
        #expect(try await pass.texts() == ["A"])
        #expect(status.nonRegularFiles == 3)
        #expect(secret.files() == ["secret.jpg"])
    }

    /// A file that is still being written is decoded once it is complete.
    @Test func aFileThatIsOpenIsWaitedFor() async throws {
        try inbox.write("a.jpg", "code A")
        let handle = try #require(FileHandle(forWritingAtPath: inbox.path + "/a.jpg"))
        let pass = try pass()
        let (path, root) = (RelativePath("a.jpg"), try inbox.handle())
        let identity = try inbox.identity("a.jpg")
        for isOpen in [false, true] {
            let result = await pass.processor.read(path, identity, isOpen: isOpen, root: root, failures: 0)
            #expect(result == .busy(identity))
        }
        // The first scan ends while the file is open.
        let (scans, scanned) = AsyncStream.makeStream(of: Void.self)
        async let status = pass.run { scanned.yield() }
        for await _ in scans { break }
        #expect(pass.reader.readings == [])
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("LONGER".utf8))
        try handle.close()
        #expect(try await status.done == 1)
        #expect(try await pass.texts() == ["ALONGER"])
        let changed = await pass.processor.read(path, identity, isOpen: false, root: root, failures: 0)
        #expect(changed == .gone)
    }

    @Test func theStatusIsAnsweredBesideTheDatabase() async throws {
        // Longer than the maximum path of a socket.
        try state.write(String(repeating: "x", count: 200) + "/file", "")
        let database = state.path + "/" + String(repeating: "x", count: 200) + "/outbox.sqlite"
        #expect(StatusSocket.ask(database: database) == nil)
        var files = FolderStatus()
        files.done = 7
        let report = WatchReport(folder: inbox.bytes, files: files, outbox: nil)
        let socket = try StatusSocket(database: database) { report }
        let answer = await Blocking.value { StatusSocket.ask(database: database, within: 240) }
        #expect(answer == report)
        socket.close()
        #expect(StatusSocket.ask(database: database) == nil)
    }
}
