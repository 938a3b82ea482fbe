internal import FoundationEssentials
internal import ScanEvents
internal import ScanOutbox

/// Appends each event as a line to a file.
///
/// The event counts as delivered once the line is synced to the disk.
public final class FileSink: Sink {
    /// The format of the lines.
    enum Lines: Sendable, Hashable {
        /// The body as JSON, which contains no line feed.
        case json
        /// The values of these columns, safe to open in a spreadsheet.
        case csv(columns: [String])

        private struct AnyValue: Decodable { init(from decoder: any Decoder) {} }

        /// Indicates whether bytes without a line break are certainly a complete line.
        ///
        /// A row written by this program may have been cut off where a cell seems to end.
        func isWhole(_ line: [UInt8]) -> Bool {
            switch self {
            case .json:
                // A number that is cut off is still a number.
                guard let first = line.first, "{[\"".utf8.contains(first) else { return false }
                return (try? JSONDecoder().decode(AnyValue.self, from: Data(line))) != nil
            case .csv: return SpreadsheetCell.isForeign(line)
            }
        }
    }

    /// The placeholder in a path for the day of the scan.
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

    /// Appends a line.
    ///
    /// It is delivered once the disk, or the server of a share, has it.
    public func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        guard let event = message.event else { return .refused(Self.damage) }
        var file = LineFile(path: path.replacing(Self.datePlaceholder, with: event.time.localDay), calls: calls)
        file.isWhole = lines.isWhole
        let line: [UInt8]
        switch lines {
        case .json: line = message.body + [0x0A]
        case .csv(let columns):
            // Without a byte order mark Excel reads the text in the system's code page.
            file.header = Array("\u{FEFF}".utf8) + SpreadsheetCell.row(columns)
            line = SpreadsheetCell.row(event.cells(columns).map(Self.inOneLine))
        }
        return await thread.attempt(message.id, timeout: timeout) { [file, timeout] in
            file.append(line, timeout: timeout)
        }
    }

    /// Stops the thread.
    public func close() async { await thread.close() }

    /// The reason given for an event that cannot be read from the outbox.
    static let damage = "the event in the outbox is damaged; see \"A damaged file\" in docs/how-to/deliver.md"

    /// The text with its line breaks replaced by spaces: a row is one line, so that an incomplete one is
    /// recognized.
    private static func inOneLine(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
        return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
            .joined(separator: " ")
    }
}

extension DestinationKind {
    /// Appends each event to a file.
    public static let file = DestinationKind(
        name: "file", summary: "appends each event to a file as a line of CSV or JSON",
        keys: [
            DestinationKey(
                "path",
                "the file; `{{date}}` in its path is replaced by the day of the scan, such as `2026-11-21`, for a "
                    + "file a day. Its folder must exist"),
            DestinationKey(
                "lines", "`csv` or `json`; `json` writes the `form`", fallback: "`csv` if the path ends with `.csv`"),
            DestinationKey(
                "columns",
                "a list: the columns of the CSV, as for `scan-outbox export --columns`, including `content.gs1.01` and "
                    + "the like", form: .list, fallback: "all"),
        ]
    ) { values in
        let lines = lines(&values)
        guard let path = values.path("path") else {
            values.report("path", "is missing: the file that lines are appended to, such as /srv/scans/{{date}}.csv")
            return nil
        }
        guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0) else {
            values.report("path", "\"\(path)\" is not the absolute path of a file")
            return nil
        }
        if path.replacing(FileSink.datePlaceholder, with: "").contains("{{") {
            values.report("path", "\"\(path)\": a path can contain no placeholder but {{date}}")
        } else if let folder = lastingFolder(of: path) {
            values.expectFolder(folder, of: "path")
        } else {
            values.expectFile(path, of: "path")
        }
        return { _, timeout throws(ConfigurationError) in FileSink(path: path, lines: lines, timeout: timeout) }
    }

    /// The folder of the folders of each day; `nil` if the folder of the file is always the same.
    private static func lastingFolder(of path: String) -> String? {
        guard let lasting = path.firstRange(of: FileSink.datePlaceholder).map({ path[..<$0.lowerBound] }),
            path[lasting.endIndex...].contains("/"), let end = lasting.lastIndex(of: "/")
        else { return nil }
        return end == path.startIndex ? "/" : String(path[..<end])
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
                values.report("columns", "needs \"lines: csv\"; for JSON, set form")
            }
            return .json
        }
        for key in ["form", "template"] where values.isSet(key) {
            values.report(key, "needs \"lines: json\"; for CSV, set columns")
        }
        return .csv(columns: columns.isEmpty ? ScanEvent.columnNames : columns)
    }
}
