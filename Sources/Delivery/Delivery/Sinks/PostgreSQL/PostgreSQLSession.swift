internal import CServices
internal import ScanEvents
internal import ScanOutbox

/// A database session for one thread, which reconnects after it has ended.
// Unchecked: only attempts use it, which AttemptThread runs one after the other.
final class PostgreSQLSession: @unchecked Sendable {
    private let library: qz_postgresql
    private let connection: String
    private let password: String?
    private let timeout: Duration
    private let statement: InsertStatement
    private var session: OpaquePointer?

    init(
        library: qz_postgresql, connection: String, password: String?, timeout: Duration, statement: InsertStatement
    ) {
        self.library = library
        self.connection = connection
        self.password = password
        self.timeout = timeout
        self.statement = statement
    }

    deinit { end() }

    /// Ends the session.
    func end() {
        if let session { library.PQfinish(session) }
        session = nil
    }

    /// Inserts a row and commits it before returning.
    func insert(_ values: [String?]) -> DeliveryOutcome {
        let isNew = session == nil
        let outcome = attempt(values)
        // An open session may have ended since the last event, such as when the server was restarted.
        return session == nil && !isNew ? attempt(values) : outcome
    }

    private func attempt(_ values: [String?]) -> DeliveryOutcome {
        if session == nil, let failure = connect() { return failure }
        guard let session else { return .failed("no session") }
        let texts = values.map { $0.map { Array($0.utf8CString) } }
        let result = Self.withPointers(texts) { pointers in
            library.PQexecParams(session, statement.text, Int32(pointers.count), nil, pointers, nil, nil, 0)
        }
        defer { library.PQclear(result) }
        if library.PQresultStatus(result) == PGRES_COMMAND_OK { return .delivered() }
        let state = field(result, "C")
        let message = Self.withheld(values, in: field(result, "M") ?? message(of: session))
        if library.PQstatus(session) != CONNECTION_OK { end() }
        return Self.outcome(state: state, message: message, remedy: statement.remedy)
    }

    /// A message of the server without the values of the event, which may be personal.
    static func withheld(_ values: [String?], in message: String) -> String {
        // What is shorter says little, and would be found in the middle of words.
        values.compactMap(\.self).filter { $0.utf8.count > 2 }.sorted { $0.utf8.count > $1.utf8.count }
            .reduce(message) { $0.replacing($1, with: "…") }
    }

    /// The meaning of an error code (PostgreSQL, appendix A), such as whether a retry can succeed.
    static func outcome(state: String?, message: String, remedy: String) -> DeliveryOutcome {
        let reason = "PostgreSQL: \(message)\(state.map { " (\($0))" } ?? "")"
        switch state {
        case "42P10": return .failed("\(reason); the database needs: \(remedy)")
        // A row that a foreign key needs may still be added; no other constraint is met by waiting.
        case "23503": return .failed(reason)
        case let state? where state.hasPrefix("22") || state.hasPrefix("23"): return .refused(reason)
        case let state? where state.hasPrefix("53"): return DeliveryOutcome(.throttled, reason: reason)
        default: return .failed(reason)
        }
    }

    /// Opens a session; returns the failure, or `nil` on success.
    private func connect() -> DeliveryOutcome? {
        let seconds = max(2, timeout.components.seconds)
        var settings: [(String, String)] = [
            ("application_name", "quietzone"), ("connect_timeout", String(seconds)),
            ("tcp_user_timeout", String(timeout.milliseconds)), ("client_encoding", "UTF8"),
            // A server that dies while it works on a row leaves no unacknowledged data, so only keep-alives detect
            // it.
            ("keepalives_idle", String(max(1, seconds / 2))), ("keepalives_interval", String(max(1, seconds / 6))),
            ("keepalives_count", "3"), ("dbname", connection),
        ]
        if let password { settings.append(("password", password)) }
        let session = Self.withPointers(settings.map { Array($0.0.utf8CString) } + [nil]) { names in
            Self.withPointers(settings.map { Array($0.1.utf8CString) } + [nil]) { values in
                library.PQconnectdbParams(names, values, 1)
            }
        }
        guard let session else { return .failed("the machine has no memory left for it") }
        _ = library.PQsetNoticeProcessor(session, { _, _ in }, nil)
        guard library.PQstatus(session) == CONNECTION_OK else {
            defer { library.PQfinish(session) }
            return .failed("no connection to PostgreSQL: \(message(of: session))")
        }
        let limit = "SET statement_timeout = \(timeout.milliseconds)"
        library.PQclear(library.PQexecParams(session, limit, 0, nil, nil, nil, nil, 0))
        self.session = session
        return nil
    }

    private func field(_ result: OpaquePointer?, _ code: Unicode.Scalar) -> String? {
        library.PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }

    /// The library's error message in one line.
    private func message(of session: OpaquePointer) -> String {
        let text = library.PQerrorMessage(session).map { String(cString: $0) } ?? "unknown"
        return text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.joined(separator: "; ")
    }

    private static func withPointers<Value>(
        _ texts: [[CChar]?], _ body: ([UnsafePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = texts.map { text in
            text.map { text in
                let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
                copy.initialize(from: text, count: text.count)
                return copy
            }
        }
        defer { for copy in copies { copy?.deallocate() } }
        return body(copies.map { UnsafePointer($0) })
    }
}
