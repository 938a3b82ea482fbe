internal import CServices

/// Inserts each event as a row of a PostgreSQL table.
///
/// Idempotent: duplicates are recognized by the event's identifier.
public final class PostgreSQLSink: Sink {
    private let session: PostgreSQLSession
    private let statement: InsertStatement
    private let timeout: Duration
    private let thread = AttemptThread()

    init(
        _ library: qz_postgresql, connection: String, password: String?, statement: InsertStatement, timeout: Duration
    ) {
        session = PostgreSQLSession(
            library: library, connection: connection, password: password, timeout: timeout, statement: statement)
        self.statement = statement
        self.timeout = timeout
    }

    /// Inserts a row.
    ///
    /// It is delivered once it is committed.
    public func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        guard let event = message.event else { return .refused(FileSink.damage) }
        let values = statement.values(for: event)
        if values.contains(where: { $0?.utf8.contains(0) == true }) {
            return .refused(
                "a value contains U+0000, which PostgreSQL cannot store as text; use symbol.bytes, which is base64")
        }
        return await thread.attempt(message.id, timeout: timeout) { [session] in session.insert(values) }
    }

    /// Ends the session.
    public func close() async { await thread.close { [session] in session.end() } }
}

extension DestinationKind {
    /// Inserts each event as a row in PostgreSQL.
    public static let postgreSQL = DestinationKind(
        name: "postgresql", summary: "stores each event as a row of a table in PostgreSQL",
        keys: [
            DestinationKey(
                "connection",
                "the connection string of libpq: `host=db.example dbname=stock user=scans sslmode=verify-full` "
                    + "or a URI; without the password"),
            DestinationKey("passwordFile", "a file with the password on its first line"),
            DestinationKey("table", "the table, such as `scans` or `stock.scans`"),
            DestinationKey(
                "columns",
                "a list of the columns and their values: `id={{id}}`, `code={{symbol.text}}`; a field that an event "
                    + "lacks is null. One is `{{id}}` alone and unique in the table", form: .list),
        ]
    ) { values in
        let password = values.firstLine("passwordFile", isSecret: true)
        let statement = readStatement(&values)
        guard let connection = values.text("connection") else {
            values.report("connection", "is missing: the connection string, such as host=db.example dbname=stock")
            return nil
        }
        if let library = qz_postgresql_load(), let problem = fault(of: connection, library.pointee) {
            values.report("connection", problem)
        }
        guard let statement else { return nil }
        return { _, timeout throws(ConfigurationError) in
            guard let library = qz_postgresql_load() else {
                throw ConfigurationError("a destination of the type postgresql needs libpq: apt install libpq5")
            }
            return PostgreSQLSink(
                library.pointee, connection: connection, password: password, statement: statement, timeout: timeout)
        }
    }

    private static func readStatement(_ values: inout DestinationValues) -> InsertStatement? {
        let columns = values.list("columns")
        guard let table = values.text("table"), !columns.isEmpty else {
            if !values.isSet("table") { values.report("table", "is missing: the table that rows are added to") }
            if columns.isEmpty {
                values.report("columns", "is missing: a list such as [\"id={{id}}\", \"code={{symbol.text}}\"]")
            }
            return nil
        }
        do throws(InsertStatement.Fault) {
            return try InsertStatement(table: table, columns: columns)
        } catch {
            values.report(error.key, error.problem)
            return nil
        }
    }

    /// The problem with a connection string; `nil` if it is valid.
    ///
    /// Omits its text, which may contain a password.
    private static func fault(of connection: String, _ library: qz_postgresql) -> String? {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = library.PQconninfoParse(connection, &message) else {
            library.PQfreemem(message)
            return "is not a connection string of libpq: a list of NAME=VALUE, or postgresql://USER@HOST/DATABASE"
        }
        defer { library.PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if String(cString: keyword) == "password", option.pointee.val != nil {
                return "contains a password; put it into a file, and set passwordFile"
            }
            option += 1
        }
        return nil
    }
}
