import ArgumentParser
import BarcodeCore
import Delivery
import FoundationEssentials
import ScanEvents
import ScanOutbox

/// `scan-outbox export`: writes events for other programs.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write events as CSV or JSON lines, the oldest first.",
        discussion: """
            CSV follows RFC 4180, one row per event and destination. A cell that a spreadsheet would interpret as a \
            formula, because it begins with =, +, -, @, a tab or a line break, gets an apostrophe before it; \
            --raw-cells writes all cells unchanged, for programs.
            """)

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case csv, jsonl
    }

    @OptionGroup var common: OutboxOptions
    @OptionGroup var range: RangeOptions

    @Option(help: "Output format.")
    var form = Form.jsonl

    @Flag(help: "Do not escape CSV cells that a spreadsheet would interpret as formulas.")
    var rawCells = false

    @Option(
        help: ArgumentHelp(
            "The columns of the CSV, separated by commas.",
            discussion: "content.gs1.10 and the like are fields of a message, see docs/reference/content.md."))
    var columns: String?

    private var columnNames: [String] {
        columns.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
            ?? ScanEvent.columnNames
    }

    func validate() throws {
        if columns != nil && form != .csv { throw ValidationError("--columns: it needs --form csv") }
        do { try columnNames.forEach(ScanEvent.checkColumn) } catch { throw ValidationError("--columns: \(error)") }
        if rawCells && form != .csv { throw ValidationError("--raw-cells: it needs --form csv") }
    }

    func run() async throws {
        let configuration = try await common.load("scan-outbox")
        let outbox = try await common.open(configuration)
        let withholds = configuration.retention.personalAge != nil
        if form == .csv { try Output.write(header) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try await outbox.forEachEvent(since: range.since?.date, until: range.until?.date) { records in
            var bytes: [UInt8] = []
            for record in records {
                switch form {
                case .csv: bytes += Array(rows(record, withholdsPersonal: withholds).utf8)
                case .jsonl:
                    let json = try encoder.encode(RecordJSON(record, withholdsPersonal: withholds))
                    bytes += PrintableJSON.escaped([UInt8](json)) + [0x0A]
                }
            }
            try Output.write(bytes)
        }
        if let failure = Failure(damageOf: outbox, isNamed: true) { throw failure }
    }

    private var header: String {
        (columnNames + ["destination", "state", "attempts", "last_status"]).joined(separator: ",") + "\r\n"
    }

    private func rows(_ record: HistoryRecord, withholdsPersonal: Bool) -> String {
        let head = (withholdsPersonal ? record.event.withholdingPersonal() : record.event).cells(columnNames)
        let tails =
            record.deliveries.isEmpty
            ? [["", "", "", ""]]
            : record.deliveries.map {
                [$0.destination, $0.state.description, String($0.attempts), $0.lastStatus.map(String.init) ?? ""]
            }
        return tails.map {
            (head + $0).map { Self.quoted(rawCells ? $0 : SpreadsheetCell.guarded($0)) }.joined(separator: ",") + "\r\n"
        }.joined()
    }

    private static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return field }
        return field.inQuotationMarks
    }
}
