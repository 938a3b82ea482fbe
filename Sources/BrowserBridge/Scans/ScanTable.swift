internal import BarcodeCore
internal import FoundationEssentials
internal import ScanEvents
internal import ScanOutbox

/// The history as comma-separated values (RFC 4180), safe to open in a spreadsheet.
enum ScanTable {
    /// The first bytes of the table: without a byte order mark Excel takes the text for that of the system's code page.
    static let head = Array("\u{FEFF}".utf8) + names

    /// The names of the columns.
    private static let names = line(columns + ["deliveries"])

    private static let columns = ["id", "time", "station", "source", "name", "format", "text"]

    static func row(_ record: HistoryRecord, withholdsPersonal: Bool) -> [UInt8] {
        line(
            (withholdsPersonal ? record.event.withholdingPersonal() : record.event).cells(columns)
                + [record.deliveries.map { "\($0.destination): \($0.state)" }.joined(separator: "; ")])
    }

    static func line(_ cells: [String]) -> [UInt8] {
        Array((cells.map(cell).joined(separator: ",") + "\r\n").utf8)
    }

    /// A cell in quotation marks; one that a spreadsheet would take for a formula gets an apostrophe.
    static func cell(_ text: String) -> String {
        let quoted = SpreadsheetCell.guarded(text).unicodeScalars.reduce(into: "") { result, scalar in
            result.unicodeScalars.append(scalar)
            if scalar == "\"" { result.append("\"") }
        }
        return "\"" + quoted + "\""
    }
}
