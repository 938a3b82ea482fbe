import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import DropFolder
@testable import ScanOutbox

/// Files are archived without overwriting others, whatever existed there and whenever the program ended.
@Suite struct FileArchiverTests {
    let inbox: DropTestFolder
    let archiver: FileArchiver
    let noted = Noted()

    final class Noted: Sendable {
        let places = Mutex<[String]>([])
    }

    init() throws {
        inbox = try DropTestFolder()
        let noted = noted
        archiver = FileArchiver(destination: inbox.bytes) { place, _ in
            noted.places.withLock { $0.append(place.display) }
        }
    }

    private func archive(_ record: FileRecord, after: AfterPolicy = .move) async throws -> FileArchiver.Archived {
        try await archiver.archive(record, from: inbox.handle(), after: after)
    }

    private let day = Placement.day(of: Date(timeIntervalSince1970: 0))

    @Test func namesThatAreTakenAreKept() async throws {
        for number in 1...3 {
            try inbox.write("sub/a.jpg", "picture \(number)")
            let place = try await archive(inbox.record("sub/a.jpg"))
            let name = ["a.jpg", "a (2).jpg", "a (3).jpg"][number - 1]
            #expect(place == .init(place: RelativePath("done/\(day)/sub/" + name), isNew: true))
        }
        #expect(inbox.files() == ["a (2).jpg", "a (3).jpg", "a.jpg"].map { "done/\(day)/sub/" + $0 })
        #expect(inbox.read("done/\(day)/sub/a.jpg") == "picture 1")
        #expect(inbox.read("done/\(day)/sub/a (3).jpg") == "picture 3")
        // A rename needs no journal entry.
        #expect(noted.places.withLock { $0 } == [])
    }

    /// What a rule makes of a code may be personal.
    @Test func whatACodeSaysIsInNoMessage() async throws {
        try inbox.write("a.jpg", "picture")
        try inbox.write("done/people", "a file in the way")
        var record = try inbox.record("a.jpg")
        record.filing = Filing(folder: Array("people/Mustermann".utf8), name: Array("Erika.jpg".utf8))
        let archived = try await archive(record)
        #expect(archived.refusal?.hasPrefix("moving a.jpg to ") == true, "\(archived)")
        #expect(archived.refusal?.contains("Mustermann") == false, "\(archived)")
    }

    @Test func aNoteStandsBesideItsFile() async throws {
        try inbox.write("failed/\(day)/a.jpg.json", "not ours")
        try inbox.write("a.jpg", "picture")
        let place = try await archive(inbox.record("a.jpg", .failed, note: "why"))
        #expect(place == .init(place: RelativePath("failed/\(day)/a (2).jpg"), isNew: true))
        #expect(inbox.read("failed/\(day)/a (2).jpg.json") == "why")
        #expect(inbox.read("failed/\(day)/a.jpg.json") == "not ours")
        #expect(inbox.files().count == 3)
    }

    /// The program ended at one of the steps of a journaled move: the file reaches the same path, once.
    @Test(arguments: ["nothing", "note", "note and file", "file moved"]) func afterACrash(_ step: String) async throws {
        try inbox.write("a.jpg", "picture")
        var record = try inbox.record("a.jpg", .failed, note: "why")
        record.target = Array("failed/\(day)/a.jpg".utf8)
        if step != "nothing" { try inbox.write("failed/\(day)/a.jpg.json", "why") }
        if step == "note and file" { try inbox.write("failed/\(day)/a.jpg", "picture") }
        if step == "file moved" {
            try FileManager.default.moveItem(
                atPath: inbox.path + "/a.jpg", toPath: inbox.path + "/failed/\(day)/a.jpg")
        }
        let result = try await archive(record)
        #expect(result == .init(place: RelativePath("failed/\(day)/a.jpg"), isNew: step != "file moved"))
        #expect(inbox.files() == ["failed/\(day)/a.jpg", "failed/\(day)/a.jpg.json"])
    }

    @Test func aMoveThatWasDoneGetsItsNote() async throws {
        try inbox.write("a.jpg", "picture")
        var record = try inbox.record("a.jpg", .failed, note: "why")
        record.target = Array("failed/\(day)/a.jpg".utf8)
        try FileManager.default.createDirectory(
            atPath: inbox.path + "/failed/\(day)", withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: inbox.path + "/a.jpg", toPath: inbox.path + "/failed/\(day)/a.jpg")
        #expect(try await archive(record) == .init(place: RelativePath("failed/\(day)/a.jpg"), isNew: false))
        #expect(inbox.read("failed/\(day)/a.jpg.json") == "why")
    }

    @Test func anotherFileOfTheSameNameIsLeftAlone() async throws {
        try inbox.write("a.jpg", "picture")
        let record = try inbox.record("a.jpg")
        try FileManager.default.removeItem(atPath: inbox.path + "/a.jpg")
        try inbox.write("a.jpg", "another picture")
        for after in AfterPolicy.allCases where after != .leave {
            #expect(try await archive(record, after: after) == .init(place: nil, isNew: false))
        }
        #expect(inbox.read("a.jpg") == "another picture")
    }

    /// A producer replaces the file after it was looked for, here while its target is recorded.
    @Test func aFileThatTakesTheNameAmidAMoveStays() async throws {
        try inbox.write("a.jpg", "picture")
        let record = try inbox.record("a.jpg", .failed, note: "why")
        let inbox = inbox
        let archiver = FileArchiver(destination: inbox.bytes) { _, _ in
            try inbox.write("new", "another picture")
            try #require(rename(inbox.path + "/new", inbox.path + "/a.jpg") == 0)
        }
        #expect(
            try await archiver.archive(record, from: inbox.handle(), after: .move) == .init(place: nil, isNew: false))
        #expect(inbox.read("a.jpg") == "another picture")
        #expect(inbox.files() == ["a.jpg"])
    }

    @Test(
        arguments: [
            (FileOutcome.done, AfterPolicy.delete, nil, true), (.noCode, .delete, "no-code/DAY/a.jpg", true),
            (.done, .leave, nil, false), (.failed, .delete, "failed/DAY/a.jpg", true),
            (.done, .move, "done/DAY/a.jpg", true),
        ] as [(FileOutcome, AfterPolicy, String?, Bool)])
    func policies(_ outcome: FileOutcome, _ after: AfterPolicy, _ place: String?, _ isNew: Bool) async throws {
        try inbox.write("a.jpg", "picture")
        let expected = place.map { RelativePath($0.replacingOccurrences(of: "DAY", with: day)) }
        let archived = try await archive(inbox.record("a.jpg", outcome), after: after)
        #expect(archived == .init(place: expected, isNew: isNew))
        #expect(inbox.files() == (place == nil ? (after == .leave ? ["a.jpg"] : []) : [expected?.display ?? ""]))
    }

    @Test func aLinkInTheWayLeadsNowhere() async throws {
        let outside = try DropTestFolder()
        try FileManager.default.createSymbolicLink(
            atPath: inbox.path + "/done", withDestinationPath: outside.path)
        try inbox.write("a.jpg", "picture")
        await #expect(throws: ArchiveError.self) { try await archive(inbox.record("a.jpg")) }
        #expect(outside.files() == [])
        #expect(inbox.read("a.jpg") == "picture")
    }

    /// Every way of moving leaves one file, and never takes a name in use.
    @Test(arguments: [MoveStrategy.rename, .link, .copy]) func ways(_ way: MoveStrategy) throws {
        try inbox.write("a", "new")
        try inbox.write("b", "old")
        try inbox.write("to/x", "other")
        let (root, target) = (try inbox.handle(), try inbox.handle().folder(RelativePath("to")))
        #expect(throws: Errno.fileExists) {
            try way.move(Array("a".utf8), in: root, to: Array("x".utf8), in: target)
        }
        let other = try inbox.identity("b")
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try way.move(Array("a".utf8), in: root, to: Array("y".utf8), in: target, of: other)
        }
        #expect(inbox.files() == ["a", "b", "to/x"])
        let identity = try inbox.identity("a")
        try way.move(Array("a".utf8), in: root, to: Array("y".utf8), in: target, of: identity)
        #expect(inbox.files() == ["b", "to/x", "to/y"])
        #expect(inbox.read("to/x") == "other")
        #expect(inbox.read("to/y") == "new")
    }

    /// A sparse file of a terabyte does not delay the end of the program by being hashed or copied to its end.
    @Test func aStopIsNotKeptWaitingByALargeFile() throws {
        try inbox.write("a", "")
        try inbox.write("to/x", "")
        let size: Int64 = 1 << 40
        try #require(truncate(inbox.path + "/a", off_t(size)) == 0)
        let (root, target) = (try inbox.handle(), try inbox.handle().folder(RelativePath("to")))
        let stop = StopFlag()
        stop.set()
        #expect(throws: Errno.canceled) { try WatchedFile(root, RelativePath("a")).hash(until: stop) }
        #expect(throws: Errno.canceled) {
            try MoveStrategy.copy.move(
                Array("a".utf8), in: root, to: Array("y".utf8), in: target, until: stop)
        }
        #expect(inbox.files() == ["a", "to/x"])
    }
}
