import FoundationEssentials
import OutboxSupport
import ScanEvents
import Testing

@testable import ScanOutbox

/// The journal of files that were taken in: in the transaction of their events, or not at all.
@Suite struct IntakeTests {
    private func record(_ path: String, hash: UInt8, _ verdict: String = "done", time: Int64 = 0) -> IntakeRecord {
        IntakeRecord(
            folder: Array("/in".utf8), path: Array(path.utf8), hash: [hash], device: .max,
            inode: 1 << 63 + UInt64(path.utf8.first ?? 0), size: 5,
            modified: 7, time: Date(milliseconds: time), verdict: verdict, note: Data([1, 2]))
    }

    private func entries(_ count: Int) throws -> [OutboxEntry] {
        try (0..<count).map { _ in try OutboxEntry(.test(), for: []) }
    }

    @Test func aRowComesBackAsItWas() async throws {
        let test = try TestOutbox()
        var first = record("a", hash: 1)
        first.path = [0xFF, 0x0A]
        let receipt = try await test.outbox.store(entries(2), from: first)
        first.number = 1
        #expect(receipt == IntakeReceipt(record: first, original: nil, isStored: true))
        #expect(try await test.outbox.openIntakes(folder: Array("/in".utf8)) == [first])
        #expect(try await test.outbox.openIntakes(folder: Array("/other".utf8)) == [])
        #expect(try await test.outbox.status().events == 2)
    }

    @Test func neitherOrBoth() async throws {
        let test = try TestOutbox()
        let entry = try OutboxEntry(.test(), for: [])
        // The second event of the same identifier is refused, and takes the row with it.
        await #expect(throws: OutboxError.self) {
            try await test.outbox.store([entry, entry], from: record("a", hash: 1))
        }
        #expect(try await test.outbox.status().events == 0)
        #expect(try await test.outbox.openIntakes(folder: Array("/in".utf8)) == [])
    }

    /// The same file under another name is told once, until it was put away; one that only has its content is another.
    @Test func theSameFileUnderAnotherName() async throws {
        let test = try TestOutbox()
        let outbox = test.outbox
        let first = try await outbox.store(entries(1), from: record("a1", hash: 1))
        let renamed = try await outbox.store(entries(1), from: record("a2", hash: 1))
        #expect(!renamed.isStored && renamed.original == first.record)
        // Neither was where its name said: there is a third one.
        try await outbox.closeIntakes([first, renamed].compactMap { $0.record.number.map { ($0, nil) } })
        let again = try await outbox.store(entries(1), from: record("a3", hash: 1))
        #expect(!again.isStored)
        #expect(try await outbox.store(entries(1), from: record("b", hash: 1)).isStored)
        #expect(try await outbox.store(entries(1), from: record("a4", hash: 2)).isStored)
        #expect(try await outbox.status().events == 3)
    }

    @Test func duplicates() async throws {
        let test = try TestOutbox()
        let outbox = test.outbox
        await #expect(throws: OutboxError.self) {
            try await outbox.store([], from: record("a", hash: 1), duplicates: .require)
        }
        let first = try await outbox.store(entries(1), from: record("a", hash: 1), duplicates: .skip)
        #expect(first.isStored)
        let second = try await outbox.store(entries(1), from: record("b", hash: 1, "no-code"), duplicates: .skip)
        #expect(!second.isStored)
        #expect(second.original == first.record)
        // It goes where the first one went.
        #expect(second.record.verdict == "done")
        let third = try await outbox.store(entries(1), from: record("c", hash: 1))
        #expect(third.isStored)
        #expect(third.original == second.record)
        #expect(try await outbox.status().events == 2)
        // What had no code, and what could not be read, is no original.
        _ = try await outbox.store([], from: record("d", hash: 2, "no-code"))
        #expect(try await outbox.store([], from: record("e", hash: 2)).original == nil)
        #expect(try await outbox.intake(hash: [2], folder: Array("/other".utf8)) == nil)
        #expect(try await outbox.intake(hash: [], folder: Array("/in".utf8)) == nil)
    }

    @Test func whatIsClosedIsForgottenInTheEnd() async throws {
        let test = try TestOutbox()
        let outbox = test.outbox
        for number in 0..<20 {
            _ = try await outbox.store([], from: record("\(number)", hash: UInt8(number), time: Int64(number) * 1000))
        }
        try await outbox.setTarget(Array("there".utf8), ofIntake: 1)
        #expect(try await outbox.openIntakes(folder: Array("/in".utf8)).first?.target == Array("there".utf8))
        try await outbox.closeIntakes((2...20).map { ($0, Array("done/\($0)".utf8)) })
        #expect(try await outbox.openIntakes(folder: Array("/in".utf8)).map(\.number) == [1])
        #expect(try await outbox.intake(hash: [5], folder: Array("/in".utf8))?.note == nil)
        // By age, then by count; what is open is never forgotten.
        let now = Date(milliseconds: 20_000)
        #expect(try await outbox.pruneIntakes(Retention(age: .seconds(10), count: nil), now: now) == 9)
        #expect(try await outbox.pruneIntakes(Retention(age: nil, count: 4), now: now) == 6)
        #expect(try await outbox.pruneIntakes(Retention(age: nil, count: 4), now: now) == 0)
        #expect(try await outbox.intake(hash: [16], folder: Array("/in".utf8))?.number == 17)
        #expect(try await outbox.intake(hash: [15], folder: Array("/in".utf8)) == nil)
        #expect(try await outbox.openIntakes(folder: Array("/in".utf8)).count == 1)
    }
}
