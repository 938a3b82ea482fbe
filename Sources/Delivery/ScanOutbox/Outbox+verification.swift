internal import BarcodeCore
internal import FoundationEssentials
internal import GRDB
internal import ScanEvents

extension Outbox {
    /// The maximum number of faults to report; a longer list would be no more useful.
    private static let maximumFaults = 100

    /// Checks the whole database; returns a sentence for each problem found.
    ///
    /// It also finds problems that SQLite does not see: missing transactions, and columns that disagree with the
    /// body of their event.
    public func verify() async throws -> [String] {
        try await commits.read { [missingTransactions, path] database in
            var faults: [String] = []
            if missingTransactions > 0 { faults.append(Self.sentence(missing: missingTransactions, path: path)) }
            do {
                faults += try String.fetchAll(database, sql: "PRAGMA integrity_check(\(Self.maximumFaults))").filter {
                    $0 != "ok"
                }
                let orphans = try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM delivery WHERE event NOT IN (SELECT number FROM event)")
                if let orphans, orphans > 0 {
                    faults.append(
                        orphans == 1 ? "1 delivery belongs to no event" : "\(orphans) deliveries belong to no event")
                }
                let states = DeliveryState.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
                let invalid = try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM delivery WHERE state NOT IN (\(states))")
                if let invalid, invalid > 0 {
                    faults.append(
                        invalid == 1
                            ? "the state of 1 delivery is not valid"
                            : "the states of \(invalid) deliveries are not valid")
                }
                try Self.checkBodies(&faults, in: database)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                faults.append("the check could not read all of the file, and ended early")
            }
            return Array(faults.prefix(Self.maximumFaults))
        }
    }

    /// The sentence about missing committed transactions.
    package static func sentence(missing: Int, path: String) -> String {
        (missing == 1
            ? "the last transaction that was stored is missing"
            : "the last \(missing) transactions that were stored are missing")
            + ": the write-ahead log \(path)-wal was removed, cut off or damaged, or an older copy of the outbox was put in its place"
    }

    private static func checkBodies(_ faults: inout [String], in database: Database) throws {
        let rows = try Row.fetchCursor(
            database, sql: "SELECT number, id, body, time, station, source, format, text FROM event")
        while faults.count < maximumFaults, let row = try rows.next() {
            let name =
                (try? row.value(1, as: String.self)) ?? (try? row.value(0, as: Int64.self)).map { "\($0)" } ?? "?"
            do {
                let event = try StoredBody.event(in: row.value(2))
                if event.id.description != name { faults.append("the body of event \(name) has another identifier") }
                let isSame =
                    try row.value(3) == event.time.milliseconds && row.value(4) == event.station
                    && row.value(5) == event.source.kind.rawValue && row.value(6) == event.symbol.symbology.rawValue
                    && row.value(7) == Data(event.symbol.text.utf8)
                if !isSame { faults.append("the columns of event \(name) differ from its body") }
            } catch is DatabaseError {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            } catch {
                faults.append("the body of event \(name) cannot be read")
            }
        }
    }
}
