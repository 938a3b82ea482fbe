import Foundation
import GRDB
import ScanEvents
import TestSupport
import Testing

@testable import DropFolder
@testable import ScanOutbox

/// The journal of files, written in the transaction of their events.
@Suite struct FileJournalTests {
    private let folder = Array("/in".utf8)

    private func record(_ path: String, hash: UInt8, _ outcome: FileOutcome = .done, time: Int64 = 0) -> FileRecord {
        FileRecord(
            folder: folder, path: Array(path.utf8), hash: [hash],
            identity: FileIdentity(device: .max, inode: 1 << 63 + UInt64(path.utf8.first ?? 0), size: 5, modified: 7),
            time: Date(milliseconds: time), outcome: outcome, note: Data([1, 2]))
    }

    private func entries(_ count: Int) throws -> [OutboxEntry] {
        try (0..<count).map { _ in try OutboxEntry(.test(), for: []) }
    }

    private func journal(_ test: TestOutbox) async throws -> FileJournal {
        let journal = FileJournal(test.outbox)
        try await journal.prepare()
        return journal
    }

    @Test func aRowComesBackAsItWas() async throws {
        let test = try TestOutbox()
        let journal = try await journal(test)
        var first = record("a", hash: 1)
        first.path = [0xFF, 0x0A]
        let receipt = try await journal.enter(first, entries(2))
        first.number = 1
        #expect(receipt == FileReceipt(record: first, original: nil, isStored: true))
        #expect(try await journal.open(folder: folder) == [first])
        #expect(try await journal.open(folder: Array("/other".utf8)) == [])
        #expect(try await test.outbox.status().events == 2)
    }

    @Test func neitherOrBoth() async throws {
        let test = try TestOutbox()
        let journal = try await journal(test)
        let entry = try OutboxEntry(.test(), for: [])
        // The second event with the same identifier is rejected, which also rolls back the row.
        await #expect(throws: OutboxError.self) { try await journal.enter(record("a", hash: 1), [entry, entry]) }
        #expect(try await test.outbox.status().events == 0)
        #expect(try await journal.open(folder: folder) == [])
    }

    /// A renamed file is reported once, until it is moved; another file with equal content is a new one.
    @Test func theSameFileUnderAnotherName() async throws {
        let test = try TestOutbox()
        let journal = try await journal(test)
        let first = try await journal.enter(record("a1", hash: 1), entries(1))
        let renamed = try await journal.enter(record("a2", hash: 1), entries(1))
        #expect(!renamed.isStored && renamed.original == first.record)
        // Neither file was found under its name: there is a third name.
        try await journal.close([first, renamed].compactMap { $0.record.number.map { ($0, nil) } })
        let again = try await journal.enter(record("a3", hash: 1), entries(1))
        #expect(!again.isStored)
        #expect(try await journal.enter(record("b", hash: 1), entries(1)).isStored)
        #expect(try await journal.enter(record("a4", hash: 2), entries(1)).isStored)
        #expect(try await test.outbox.status().events == 3)
    }

    /// An inode number is reused after a deletion, and a copy may have the times of the first file.
    @Test func aCopyOfADeletedFileIsAnotherFile() async throws {
        let test = try TestOutbox()
        let journal = try await journal(test)
        var card = record("a", hash: 1)
        // A file that is gone without having been moved or deleted is distinguished by its creation time.
        card.identity.born = 8
        let first = try await journal.enter(card, entries(1))
        try await journal.close([(try #require(first.record.number), nil)])
        #expect(try await journal.enter(card, entries(1)).isStored == false)
        card.identity.born = 9
        let second = try await journal.enter(card, entries(1))
        #expect(second.isStored)
        // A deleted file cannot exist under another name, whatever the file system says.
        try await journal.close([(try #require(second.record.number), RelativePath.deleted.bytes)])
        #expect(try await journal.enter(card, entries(1)).isStored)
        #expect(try await test.outbox.status().events == 3)
    }

    /// A row of a version that did not record creation times.
    @Test func aFileWhoseTimeIsNotKnown() async throws {
        let test = try TestOutbox()
        let journal = try await journal(test)
        var card = record("a", hash: 1)
        _ = try await journal.enter(card, entries(1))
        card.identity.born = 9
        #expect(try await journal.enter(card, entries(1)).isStored == false)
        #expect(card.identity.isSame(as: record("a", hash: 1).identity))
        #expect(record("a", hash: 1).identity.isSame(as: card.identity))
        let before = card.identity
        card.identity.born = 10
        #expect(!card.identity.isSame(as: before))
    }

    @Test func duplicates() async throws {
        let test = try TestOutbox()
        let journal = try await journal(test)
        await #expect(throws: OutboxError.self) {
            try await journal.enter(record("a", hash: 1), [], duplicates: .skip, isUnread: true)
        }
        let first = try await journal.enter(record("a", hash: 1), entries(1), duplicates: .skip)
        #expect(first.isStored)
        for isUnread in [false, true] {
            let second = try await journal.enter(
                record("b", hash: 1, .noCode), entries(1), duplicates: .skip, isUnread: isUnread)
            #expect(!second.isStored && second.original?.hash == [1])
            // It goes where the first one went.
            #expect(second.record.outcome == .done)
        }
        let third = try await journal.enter(record("c", hash: 1), entries(1))
        #expect(third.isStored && third.original?.path == Array("b".utf8))
        #expect(try await test.outbox.status().events == 2)
        // A file without a code, or with an error, never counts as the original.
        _ = try await journal.enter(record("d", hash: 2, .noCode), [])
        #expect(try await journal.enter(record("e", hash: 2), []).original == nil)
        #expect(try await journal.original(hash: [2], folder: Array("/other".utf8)) == nil)
        #expect(try await journal.original(hash: [], folder: folder) == nil)
    }

    @Test func filesOfTheSameTimeAreNotForgottenTogether() async throws {
        let test = try TestOutbox()
        let journal = try await journal(test)
        for number in 0..<20 { _ = try await journal.enter(record("\(number)", hash: UInt8(number), time: 1000), []) }
        try await journal.close((1...20).map { ($0, nil) })
        #expect(try await journal.prune(age: nil, count: 4, now: Date(milliseconds: 1000)) == 16)
        #expect(try await journal.original(hash: [16], folder: folder)?.number == 17)
        #expect(try await journal.original(hash: [15], folder: folder) == nil)
    }

    @Test func whatIsClosedIsForgottenInTheEnd() async throws {
        let test = try TestOutbox()
        let journal = try await journal(test)
        for number in 0..<20 {
            _ = try await journal.enter(record("\(number)", hash: UInt8(number), time: Int64(number) * 1000), [])
        }
        try await journal.setTarget(Array("there".utf8), of: 1)
        #expect(try await journal.open(folder: folder).first?.target == Array("there".utf8))
        try await journal.close((2...20).map { ($0, Array("done/\($0)".utf8)) })
        #expect(try await journal.open(folder: folder).map(\.number) == [1])
        #expect(try await journal.original(hash: [5], folder: folder)?.note == nil)
        // By age, then by count; open rows are never deleted.
        let now = Date(milliseconds: 20_000)
        #expect(try await journal.prune(age: .seconds(10), count: nil, now: now) == 9)
        #expect(try await journal.prune(age: nil, count: 4, now: now) == 6)
        #expect(try await journal.prune(age: nil, count: 4, now: now) == 0)
        #expect(try await journal.original(hash: [16], folder: folder)?.number == 17)
        #expect(try await journal.original(hash: [15], folder: folder) == nil)
        #expect(try await journal.open(folder: folder).count == 1)
    }

    /// A table that the outbox itself created in an earlier version becomes the journal's, with its row.
    @Test func anOutboxOfBefore() async throws {
        let folder = try DropTestFolder()
        let path = folder.path + "/old.sqlite"
        try Outbox(path: path).close()
        let raw = try DatabaseQueue(path: path)
        try await raw.write {
            try $0.execute(
                sql: """
                    CREATE TABLE intake (
                        number INTEGER PRIMARY KEY, folder BLOB NOT NULL, path BLOB NOT NULL, hash BLOB NOT NULL,
                        device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL,
                        modified INTEGER NOT NULL, time INTEGER NOT NULL, state INTEGER NOT NULL, verdict TEXT NOT NULL,
                        target BLOB, note BLOB
                    ) STRICT;
                    CREATE INDEX intake_hash ON intake (hash);
                    CREATE INDEX intake_open ON intake (folder, state) WHERE state <> 1;
                    CREATE INDEX intake_closed ON intake (time) WHERE state = 1;
                    INSERT INTO intake VALUES (7, x'2F696E', x'61', x'01', 1, 2, 3, 4, 5000, 0, 'no-code', NULL, NULL);
                    """)
        }
        try raw.close()
        let expected = FileRecord(
            number: 7, folder: self.folder, path: Array("a".utf8), hash: [1],
            identity: FileIdentity(device: 1, inode: 2, size: 3, modified: 4), time: Date(milliseconds: 5000),
            outcome: .noCode)
        // Opened twice: the migration runs once.
        for _ in 0..<2 {
            let outbox = try Outbox(path: path)
            let journal = FileJournal(outbox)
            try await journal.prepare()
            #expect(try await journal.open(folder: self.folder) == [expected])
            try outbox.close()
        }
    }

    @Test func aRowThatIsDamagedIsLeftOut() async throws {
        let test = try TestOutbox()
        let journal = try await journal(test)
        _ = try await journal.enter(record("a", hash: 1), [])
        let second = try await journal.enter(record("b", hash: 2), [])
        try await test.outbox.change { try $0.database.execute(sql: "UPDATE intake SET state = 9 WHERE number = 1") }
        #expect(try await journal.open(folder: folder) == [second.record])
        #expect(test.outbox.damagedRows == [DamagedRow(table: "intake", number: 1, reason: "the state 9 is not valid")])
    }
}
