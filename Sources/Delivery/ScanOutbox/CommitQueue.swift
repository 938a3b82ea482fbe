internal import GRDB
internal import Synchronization

/// Runs database changes in as few transactions as possible (group commit).
///
/// Changes that arrive during a commit wait and then share the next transaction, so that many callers share the
/// cost of one sync to the disk.
final class CommitQueue: Sendable {
    /// One change.
    ///
    /// It must have no effect outside the database, because it runs again, alone, if its shared transaction fails.
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

    /// The maximum number of changes in a transaction, which limits the latency of the first one.
    private static let maximumChanges = 512

    private let database: DatabaseQueue
    private let path: String
    private let files: OutboxFiles
    private let state = Mutex(State())
    private let count: Mutex<TransactionCount>
    private let noted: @Sendable (TransactionCount) -> Void

    /// Creates a queue for a database.
    ///
    /// - Parameters:
    ///   - files: the files that must still exist when a transaction is acknowledged.
    ///   - count: the number of counted transactions so far.
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

    /// Runs a change and returns once it is on the disk.
    ///
    /// - Parameter isCounted: true if the change stores data whose loss must be detected. Others are not counted,
    ///   because the count adds one page to the log.
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

    /// Runs a query, in turn with the changes, because there is only one connection.
    func read<Value: Sendable>(_ query: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try checkIsOpen()
        do {
            return try await database.read(query)
        } catch {
            throw OutboxError(error, path: path)
        }
    }

    /// Moves the write-ahead log to the database and truncates it, so that no overwritten data remains in it.
    func emptyLog() async throws {
        try checkIsOpen()
        do {
            try await database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        } catch {
            throw OutboxError(error, path: path)
        }
    }

    /// Closes the connection.
    ///
    /// Later calls throw an error.
    func close() throws {
        state.withLock { $0.isClosed = true }
        try database.close()
    }

    private var closed: OutboxError { OutboxError(.database, "the outbox \(path) was closed") }

    /// The library would pass SQLite a closed connection.
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
            // They may have disappeared during the commit.
            try files.check()
            for change in changes { change.finish(nil) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL && mayMakeRoom {
            // The log may occupy the missing space: up to 16 MB of it wait to be moved to the database. If even
            // that fails, the second attempt reports it.
            try? database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            run(changes, on: database, mayMakeRoom: false)
        } catch  where changes.count == 1 {
            changes[0].finish(error)
        } catch {
            // One of them is at fault: run each alone, so that the others do not fail with it.
            for change in changes { run([change], on: database, mayMakeRoom: false) }
        }
    }
}

/// Holds the result of a change until its transaction is committed.
private final class ResultBox<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) { value.withLock { $0 = new } }
    func take() -> Value? { value.withLock { $0 } }
}
