internal import FoundationEssentials
internal import ScanEvents
internal import ScanOutbox

/// Appends a line for each event to a file, which is on the disk before the event counts as delivered.
public final class FileSink: Sink {
    /// What a line is.
    enum Lines: Sendable, Hashable {
        /// The body: JSON, which has no line feed.
        case json
        /// Cells of these columns, safe to open in a spreadsheet.
        case csv(columns: [String])

        private struct AnyValue: Decodable { init(from decoder: any Decoder) {} }

        /// Whether bytes without a line break are certainly all of a line.
        ///
        /// A row of ours may have been cut where a cell seems to end.
        func isWhole(_ line: [UInt8]) -> Bool {
            switch self {
            case .json:
                // The first digits of a number are a number too.
                guard let first = line.first, "{[\"".utf8.contains(first) else { return false }
                return (try? JSONDecoder().decode(AnyValue.self, from: Data(line))) != nil
            case .csv: return SpreadsheetCell.isForeign(line)
            }
        }
    }

    /// What stands for the day of the scan in a path.
    static let datePlaceholder = "{{date}}"

    private let path: String
    private let lines: Lines
    private let timeout: Duration
    private let calls: LineFile.Calls
    private let thread = AttemptThread()

    init(path: String, lines: Lines, timeout: Duration, calls: LineFile.Calls = LineFile.Calls()) {
        self.path = path
        self.lines = lines
        self.timeout = timeout
        self.calls = calls
    }

    /// Appends a line; delivered means that the disk, or the share's server, has it.
    public func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        guard let event = message.event else { return .refused(Self.damage) }
        var file = LineFile(path: path.replacing(Self.datePlaceholder, with: event.time.localDay), calls: calls)
        file.isWhole = lines.isWhole
        let line: [UInt8]
        switch lines {
        case .json: line = message.body + [0x0A]
        case .csv(let columns):
            // Without a byte order mark Excel takes the text for that of the system's code page.
            file.header = Array("\u{FEFF}".utf8) + SpreadsheetCell.row(columns)
            line = SpreadsheetCell.row(event.cells(columns).map(Self.inOneLine))
        }
        return await thread.attempt(message.id, timeout: timeout) { [file, timeout] in
            file.append(line, timeout: timeout)
        }
    }

    /// Ends the thread.
    public func close() async { await thread.close() }

    /// What is said of an event that cannot be read from the outbox.
    static let damage = "the event in the outbox is damaged; see \"A damaged file\" in docs/how-to/deliver.md"

    /// The text with a space for each line break: a row is a line, so that a half one is known.
    private static func inOneLine(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
        return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
            .joined(separator: " ")
    }
}

extension DestinationKind {
    /// Appends a line for each event to a file.
    public static let file = DestinationKind(
        name: "file", summary: "appends each event to a file as a line of CSV or JSON",
        keys: [
            DestinationKey(
                "path",
                "the file; `{{date}}` in its path stands for the day of the scan, such as `2026-11-21`, which makes a "
                    + "file a day. Its folder must exist"),
            DestinationKey(
                "lines", "`csv` or `json`; `json` writes the `form`", fallback: "`csv` if the path ends with `.csv`"),
            DestinationKey(
                "columns",
                "a list: the columns of the CSV, as `scan-outbox export --columns` takes them, `content.gs1.01` and "
                    + "the like too", form: .list, fallback: "all"),
        ]
    ) { values in
        let lines = lines(&values)
        guard let path = values.path("path") else {
            values.report("path", "is missing: the file that lines are appended to, such as /srv/scans/{{date}}.csv")
            return nil
        }
        guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0) else {
            values.report("path", "\"\(path)\" is not the path of a file that begins with a slash")
            return nil
        }
        if path.replacing(FileSink.datePlaceholder, with: "").contains("{{") {
            values.report("path", "\"\(path)\": only {{date}} can stand in a path")
        } else {
            values.expectFolder(lastingFolder(of: path), of: "path")
        }
        return { _, timeout throws(ConfigurationError) in FileSink(path: path, lines: lines, timeout: timeout) }
    }

    /// The folder of a path, up to where the day of the scan stands in it.
    private static func lastingFolder(of path: String) -> String {
        let lasting = path.firstRange(of: FileSink.datePlaceholder).map { path[..<$0.lowerBound] } ?? path[...]
        let folder = lasting[..<(lasting.lastIndex(of: "/") ?? lasting.startIndex)]
        return folder.isEmpty ? "/" : String(folder)
    }

    private static func lines(_ values: inout DestinationValues) -> FileSink.Lines {
        let isCSV =
            values.value("lines", "csv or json") { ["csv": true, "json": false][$0] }
            ?? values.text("path")?.hasSuffix(".csv") ?? false
        let columns = values.list("columns")
        for column in columns {
            do throws(SyntaxError) {
                try ScanEvent.checkColumn(column)
            } catch {
                values.report("columns", error.description)
            }
        }
        guard isCSV else {
            if !columns.isEmpty {
                values.report("columns", "goes with \"lines: csv\"; form says what a line of JSON is")
            }
            return .json
        }
        for key in ["form", "template"] where values.isSet(key) {
            values.report(key, "goes with \"lines: json\"; columns says what a line of CSV is")
        }
        return .csv(columns: columns.isEmpty ? ScanEvent.columnNames : columns)
    }
}
