package import GRDB
internal import Synchronization

/// A row of an outbox that cannot be read, and that was therefore left out.
public struct DamagedRow: Sendable, Hashable, CustomStringConvertible {
    /// The table of the database.
    public var table: String
    /// The number of the row, of a delivery that of its event; nil where even that cannot be read.
    public var number: Int64?
    /// What is wrong with it, a clause for people.
    public var reason: String

    /// A sentence for people.
    public var description: String {
        (number.map { "row \($0)" } ?? "a row") + " of the table \(table) is damaged and was skipped: \(reason)"
    }
}

/// A value that a column holds and that means nothing.
package struct DamagedValue: Error {
    package var reason: String

    /// A value, and why it means nothing, a clause.
    package init(reason: String) {
        self.reason = reason
    }
}

/// The damaged rows that were met since the outbox was opened, each once.
package final class DamageList: Sendable {
    private struct State {
        var rows: [DamagedRow] = []
        var known: Set<DamagedRow> = []
        /// How many of the rows somebody has taken to tell of them.
        var told = 0
    }

    /// The most rows that are listed: where there are more, a list of all says nothing more.
    private static let maximumRows = 1000

    private let state = Mutex(State())

    var rows: [DamagedRow] { state.withLock { $0.rows } }

    /// Notes a row that could not be read.
    func note(_ table: String, _ number: Int64?, _ error: any Error) {
        let reason =
            switch error {
            case let value as DamagedValue: value.reason
            // What the library says of it may hold the content of the row.
            case is RowDecodingError: "a column holds a value of another type"
            default: "its JSON cannot be read"
            }
        let row = DamagedRow(table: table, number: number, reason: reason)
        state.withLock { state in
            if state.rows.count < Self.maximumRows && state.known.insert(row).inserted { state.rows.append(row) }
        }
    }

    /// The rows that were noted since this was last asked.
    package func takeNew() -> [DamagedRow] {
        state.withLock { state in
            defer { state.told = state.rows.count }
            return Array(state.rows[state.told...])
        }
    }
}

extension Outbox {
    /// The rows that were met since the outbox was opened and could not be read; a thousand at the most.
    public var damagedRows: [DamagedRow] { damage.rows }
}

extension Row {
    /// The value of a column; unlike the subscript it throws where the value is of another type.
    package func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ index: Int, as type: Value.Type = Value.self
    ) throws -> Value {
        try decode(Value.self, atIndex: index)
    }

    /// The value of a column by its name; unlike the subscript it throws where the value is of another type.
    package func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value {
        try decode(Value.self, forColumn: name)
    }
}
