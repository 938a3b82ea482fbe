internal import GRDB
internal import Synchronization

/// Runs changes of the database in as few transactions as possible.
///
/// Whoever comes while a transaction is being committed waits, and then shares the next one, so that many callers
/// share the price of reaching the disk.
final class CommitQueue: Sendable {
    /// One change.
    ///
    /// It runs again, alone, when the transaction that it shared failed; so it changes the database alone.
    private struct Change: Sendable {
        var isCounted: Bool
        var run: @Sendable (Database) throws -> Void
        var finish: @Sendable ((any Error)?) -> Void
    }

    private struct State {
        var waiting: [Change] = []
        var isRunning = false
        var isClosed = false
    }

    /// The most changes that share a transaction: it bounds how long the first of them waits for the last.
    private static let maximumChanges = 512

    private let database: DatabaseQueue
    private let path: String
    private let files: OutboxFiles
    private let state = Mutex(State())
    private let count: Mutex<TransactionCount>
    private let noted: @Sendable (TransactionCount) -> Void

    /// A queue for a database.
    ///
    /// - Parameters:
    ///   - files: the files that must still be there when a transaction is acknowledged.
    ///   - count: how many counted transactions the database has had.
    ///   - noted: called with each new count, once its transaction is on the disk.
    init(
        _ database: DatabaseQueue, path: String, files: OutboxFiles, count: TransactionCount,
        noted: @escaping @Sendable (TransactionCount) -> Void
    ) {
        self.database = database
        self.path = path
        self.files = files
        self.count = Mutex(count)
        self.noted = noted
    }

    /// Runs a change; returns once it is on the disk.
    ///
    /// - Parameter isCounted: whether it stores what must be missed when it is lost. Others are not counted, because
    ///   the count is one more page of the log.
    /// - Throws: ``OutboxError``; then nothing is changed.
    func commit<Value: Sendable>(
        isCounted: Bool = false, _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = ResultBox<Value>()
            let change = Change(
                isCounted: isCounted,
                run: { database in result.set(try change(database)) },
                finish: { [path] error in
                    if let error {
                        continuation.resume(throwing: OutboxError(error, path: path))
                    } else if let value = result.take() {
                        continuation.resume(returning: value)
                    }
                })
            let mustStart: Bool? = state.withLock { state in
                if state.isClosed { return nil }
                state.waiting.append(change)
                defer { state.isRunning = true }
                return !state.isRunning
            }
            guard let mustStart else { return continuation.resume(throwing: closed) }
            if mustStart { database.asyncWriteWithoutTransaction { self.drain($0) } }
        }
    }

    /// Reads in turn with the changes; the connection is the only one.
    func read<Value: Sendable>(_ query: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try checkIsOpen()
        do {
            return try await database.read(query)
        } catch {
            throw OutboxError(error, path: path)
        }
    }

    /// Moves the write-ahead log to the database and empties it, so that nothing of what was overwritten is left there.
    func emptyLog() async throws {
        try checkIsOpen()
        do {
            try await database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        } catch {
            throw OutboxError(error, path: path)
        }
    }

    /// Closes the connection; whoever asks for something afterwards gets an error.
    func close() throws {
        state.withLock { $0.isClosed = true }
        try database.close()
    }

    private var closed: OutboxError { OutboxError(.database, "the outbox \(path) was closed") }

    /// The library would hand SQLite a connection that is no more.
    private func checkIsOpen() throws {
        if state.withLock({ $0.isClosed }) { throw closed }
    }

    private func drain(_ database: Database) {
        while true {
            let changes = state.withLock { state in
                let changes = Array(state.waiting.prefix(Self.maximumChanges))
                state.waiting.removeFirst(changes.count)
                if changes.isEmpty { state.isRunning = false }
                return changes
            }
            if changes.isEmpty { return }
            run(changes, on: database)
        }
    }

    private func run(_ changes: [Change], on database: Database, mayMakeRoom: Bool = true) {
        do {
            let isCounted = changes.contains(where: \.isCounted)
            let next = count.withLock { isCounted ? $0.next : $0 }
            try database.inTransaction(.immediate) {
                for change in changes { try change.run(database) }
                if isCounted { try next.store(in: database) }
                try files.check()
                return .commit
            }
            if isCounted {
                count.withLock { $0 = next }
                noted(next)
            }
            // They may have gone during the commit.
            try files.check()
            for change in changes { change.finish(nil) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL && mayMakeRoom {
            // The log may have the room that is missing: 16 MB of it wait to be moved to the database. Where even
            // that cannot be done, the second try says so.
            try? database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            run(changes, on: database, mayMakeRoom: false)
        } catch  where changes.count == 1 {
            changes[0].finish(error)
        } catch {
            // One of them is at fault: each alone, so that the others do not suffer for it.
            for change in changes { run([change], on: database, mayMakeRoom: false) }
        }
    }
}

/// A place for the value of a change, until its transaction is committed.
private final class ResultBox<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) { value.withLock { $0 = new } }
    func take() -> Value? { value.withLock { $0 } }
}
