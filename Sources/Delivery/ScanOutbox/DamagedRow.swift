package import GRDB
internal import Synchronization

/// An unreadable row of an outbox, which was skipped.
public struct DamagedRow: Sendable, Hashable, CustomStringConvertible {
    /// The table of the database.
    public var table: String
    /// The number of the row, or that of its event for a delivery; `nil` if it is unreadable too.
    public var number: Int64?
    /// The problem, as a clause for people.
    public var reason: String

    /// A sentence for people.
    public var description: String {
        (number.map { "row \($0)" } ?? "a row") + " of the table \(table) is damaged and was skipped: \(reason)"
    }
}

/// An invalid value in a column.
package struct DamagedValue: Error {
    package var reason: String

    /// Creates an error with the reason, a clause, for which the value is invalid.
    package init(reason: String) {
        self.reason = reason
    }
}

/// The damaged rows found since the outbox was opened, each listed once.
package final class DamageList: Sendable {
    private struct State {
        var rows: [DamagedRow] = []
        var known: Set<DamagedRow> = []
        /// The number of rows that have been returned for reporting.
        var told = 0
    }

    /// The maximum number of rows in the list; a longer list would be no more useful.
    private static let maximumRows = 1000

    private let state = Mutex(State())

    var rows: [DamagedRow] { state.withLock { $0.rows } }

    /// Records an unreadable row.
    func note(_ table: String, _ number: Int64?, _ error: any Error) {
        let reason =
            switch error {
            case let value as DamagedValue: value.reason
            // The library's own message may contain data of the row.
            case is RowDecodingError: "a column holds a value of another type"
            default: "its JSON cannot be read"
            }
        let row = DamagedRow(table: table, number: number, reason: reason)
        state.withLock { state in
            if state.rows.count < Self.maximumRows && state.known.insert(row).inserted { state.rows.append(row) }
        }
    }

    /// Returns the rows recorded since the last call.
    package func takeNew() -> [DamagedRow] {
        state.withLock { state in
            defer { state.told = state.rows.count }
            return Array(state.rows[state.told...])
        }
    }
}

extension Outbox {
    /// The damaged rows found since the outbox was opened, at most a thousand.
    public var damagedRows: [DamagedRow] { damage.rows }
}

extension Row {
    /// The value of a column.
    ///
    /// Unlike the subscript, it throws if the value has another type.
    package func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ index: Int, as type: Value.Type = Value.self
    ) throws -> Value {
        try decode(Value.self, atIndex: index)
    }

    /// The value of a column by name.
    ///
    /// Unlike the subscript, it throws if the value has another type.
    package func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value {
        try decode(Value.self, forColumn: name)
    }
}
