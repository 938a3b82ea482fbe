import BarcodeCore
import DecodeReports
import SymbolContent

/// Turns reports into what is written to standard output.
protocol ReportFormatter {
    /// Whether a report may be written as soon as it is there, rather than in the order of the pictures.
    var isUnordered: Bool { get }
    /// What comes before the first report.
    mutating func header() -> [UInt8]
    /// What is written for one report.
    mutating func format(_ report: DecodeReport) -> [UInt8]
    /// What comes behind the last report.
    mutating func footer() -> [UInt8]
    /// Whether a report's error is part of what is written; if not it goes to standard error.
    var showsErrors: Bool { get }
    /// The same for its warnings.
    var showsWarnings: Bool { get }
}

extension ReportFormatter {
    var isUnordered: Bool { false }
    var showsErrors: Bool { false }
    var showsWarnings: Bool { false }
    mutating func header() -> [UInt8] { [] }
    mutating func footer() -> [UInt8] { [] }

    /// What goes to standard error, because it is not part of what is written.
    func messages(on report: DecodeReport) -> [String] {
        let errors = showsErrors ? [] : [report.error].compactMap(\.self)
        let name = [report.source, report.pageName].compactMap(\.self).joined(separator: ", ")
        return (errors + (showsWarnings ? [] : report.warnings)).map { "\($0.about(name))" }
    }
}

extension DecodeReport {
    /// The page of a document of several, for people: `page 3`; nil for a picture.
    var pageName: String? {
        guard let page, pages ?? 1 > 1 || page > 1 else { return nil }
        return "page \(page)"
    }
}

/// `format: text`, a line each; with more than one picture, its name in front, and the page in a document of several.
struct TextFormatter: ReportFormatter {
    let namesPictures: Bool
    let isNullSeparated: Bool
    /// A terminal obeys control characters, and what a stranger's code says is not to be obeyed, nor to begin a line that
    /// looks like that of another picture.
    let isForTerminal: Bool
    /// The year in which what the messages say is told too; nil where only the messages are.
    var contentYear: Int?

    mutating func format(_ report: DecodeReport) -> [UInt8] {
        var bytes: [UInt8] = []
        for symbol in report.symbols {
            if namesPictures {
                bytes += isForTerminal ? Array(report.source.printable.utf8) : report.name.bytes
            }
            if let page = report.pageName { bytes += Array((namesPictures ? ", \(page)" : page).utf8) }
            if namesPictures || report.pageName != nil { bytes += Array(": ".utf8) }
            bytes += Array("\(symbol.symbology): ".utf8)
            let text = symbol.printedText(addOnMark: " ", compositeMark: "|")
            bytes += Array((isForTerminal ? text.printable : text).utf8)
            bytes.append(isNullSeparated ? 0 : 0x0A)
            if let contentYear, let content = symbol.content(currentYear: contentYear) { bytes += lines(of: content) }
        }
        return bytes
    }

    /// The fields of a message, a line each: the name, what it stands for, the value in a form of its own if it has one.
    private func lines(of content: SymbolContent) -> [UInt8] {
        let width = content.fields.map { $0.name.count }.max() ?? 0
        let lines = content.fields.map { field in
            let name = field.name + String(repeating: " ", count: width - field.name.count)
            let label = field.label.map { "\($0): " } ?? ""
            let meaning = field.meaning.map { " = \($0)" } ?? ""
            return "    \(name)  \(label)\(field.value.printable)\(meaning.printable)\n"
        }
        return Array(("  \(content.kind.rawValue)\n" + lines.joined()).utf8)
    }
}

extension Symbol {
    /// The message with what belongs to it: the add-on beside an EAN or UPC, the composite component above a symbol.
    func printedText(addOnMark: String, compositeMark: String) -> String {
        text + (addOn.map { addOnMark + $0 } ?? "") + (composite.map { compositeMark + $0.text } ?? "")
    }
}

/// The bytes of the symbols with nothing added.
struct RawFormatter: ReportFormatter {
    let isNullSeparated: Bool

    mutating func format(_ report: DecodeReport) -> [UInt8] {
        report.symbols.flatMap { isNullSeparated ? $0.bytes + [0] : $0.bytes }
    }
}

/// One JSON object a line, in the order in which the pictures are done.
struct JSONFormatter: ReportFormatter {
    var isUnordered: Bool { true }
    var showsErrors: Bool { true }
    var showsWarnings: Bool { true }
    /// The year in which what the messages say is told too; nil where only the messages are.
    var contentYear: Int?

    mutating func format(_ report: DecodeReport) -> [UInt8] {
        var report = report
        report.contentYear = contentYear
        // Numbers and strings only, none of which JSON cannot hold.
        return (try? JSONLine.encode(report)) ?? []
    }
}
