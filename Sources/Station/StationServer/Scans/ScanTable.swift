internal import BarcodeCore
internal import FoundationEssentials
internal import ScanEvents
internal import ScanOutbox

/// The history as comma-separated values (RFC 4180), safe to open in a spreadsheet.
enum ScanTable {
    /// The byte order mark and the header row.
    ///
    /// Without the mark, Excel assumes the system's code page.
    static let head = mark + names

    /// The byte order mark of UTF-8.
    static let mark = Array("\u{FEFF}".utf8)

    /// The names of the columns.
    private static let names = SpreadsheetCell.row(columns + ["deliveries"] + laterColumns)

    private static let columns = ["id", "time", "station", "source", "name", "format", "text"]
    /// The columns that were added later; they come last so that the others keep their order.
    private static let laterColumns = ["operator", "place"]

    static func row(_ record: HistoryRecord, withholdsPersonal: Bool) -> [UInt8] {
        let event = withholdsPersonal ? record.event.withholdingPersonal() : record.event
        return SpreadsheetCell.row(
            event.cells(columns)
                + [record.deliveries.map { "\($0.destination): \($0.state)" }.joined(separator: "; ")]
                + event.cells(laterColumns))
    }
}
