import BarcodeCore
import DecodeReports
import SymbolContent

/// Converts reports to the standard output of the program.
protocol ReportFormatter {
    /// Indicates whether a report may be written at once instead of in the order of the images.
    var isUnordered: Bool { get }
    /// The output before the first report.
    mutating func header() -> [UInt8]
    /// The output for one report.
    mutating func format(_ report: DecodeReport) -> [UInt8]
    /// The output after the last report.
    mutating func footer() -> [UInt8]
    /// Indicates whether the output includes a report's error; if not, it goes to standard error.
    var showsErrors: Bool { get }
    /// Indicates whether the output includes a report's warnings.
    var showsWarnings: Bool { get }
    /// The sentence for standard error about an image without a symbol; `nil` if the output includes such images.
    func sentence(withoutSymbol report: DecodeReport) -> String?
    /// The messages for standard error after the footer.
    var closingMessages: [String] { get }
}

extension ReportFormatter {
    var isUnordered: Bool { false }
    var showsErrors: Bool { false }
    var showsWarnings: Bool { false }
    var closingMessages: [String] { [] }
    mutating func header() -> [UInt8] { [] }
    mutating func footer() -> [UInt8] { [] }
    func sentence(withoutSymbol report: DecodeReport) -> String? { nil }

    /// The messages for standard error, which are not part of the output.
    func messages(on report: DecodeReport) -> [String] {
        let errors = showsErrors ? [] : [report.error].compactMap(\.self)
        let name = [report.source, report.pageName].compactMap(\.self).joined(separator: ", ")
        let messages = (errors + (showsWarnings ? [] : report.warnings)).map { "\($0.about(name))" }
        // The pages of a document need not have one each.
        guard report.symbols.isEmpty, report.error == nil, report.pageName == nil else { return messages }
        return messages + [sentence(withoutSymbol: report)].compactMap(\.self).map { "\(name): \($0)" }
    }
}

extension DecodeReport {
    /// The report, whose error names the option of this program that helps.
    var namingOptions: DecodeReport {
        guard let error else { return self }
        var report = self
        switch error.code {
        case .isDirectory: report.error?.message = "is a folder; read all pictures in it with --recursive"
        case .tooLarge where error.message.hasSuffix(" megapixels"):
            report.error?.message += "; allow more with --max-megapixels"
        case .tooLarge where error.message.hasPrefix("the file has ") || error.message.hasSuffix("limit for a file"):
            report.error?.message += "; allow more with --max-file-megabytes"
        default: break
        }
        return report
    }

    /// The page of a document with several pages, for people: `page 3`; `nil` for an image.
    var pageName: String? {
        guard let page, pages ?? 1 > 1 || page > 1 else { return nil }
        return "page \(page)"
    }
}

/// `format: text`, one line a symbol.
///
/// With more than one image, each line begins with its name, and with the page in a document of several pages.
struct TextFormatter: ReportFormatter {
    let namesPictures: Bool
    let isNullSeparated: Bool
    /// Indicates whether control characters are replaced, because a terminal would obey them, and an untrusted code
    /// must neither control it nor begin a line that looks like that of another image.
    let isForTerminal: Bool
    /// The current year, if the parsed content is shown too; `nil` if only the messages are.
    var contentYear: Int?
    /// The keys to check the signatures of messages with; `nil` to check none.
    var signingKeys: SigningKeys?
    /// Indicates whether the search is explained in a folder.
    var isExplained = false

    func sentence(withoutSymbol report: DecodeReport) -> String? {
        let hint = isExplained ? "" : "; --explain FOLDER shows why"
        if report.isTruncated { return "the file is cut off, and no symbol was read in the part that is left\(hint)" }
        // Of several images only their number is said.
        return namesPictures ? nil : "no symbol was read\(hint)"
    }

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
            if let contentYear, let content = symbol.content(currentYear: contentYear, keys: signingKeys) {
                bytes += Array(content.lines.utf8)
            }
        }
        return bytes
    }
}

extension SymbolContent {
    /// The kind, and the fields, one a line: the name, the value, and its meaning if there is one.
    var lines: String {
        let width = fields.map { $0.name.count }.max() ?? 0
        let lines = fields.map { field in
            let name = field.name + String(repeating: " ", count: width - field.name.count)
            let label = field.label.map { "\($0): " } ?? ""
            let meaning = field.meaning.map { " = \($0)" } ?? ""
            return "    \(name)  \(label)\(field.value.printable)\(meaning.printable)\n"
        }
        return "  \(kind.rawValue)\n" + lines.joined()
    }
}

extension Symbol {
    /// The message with its attachments: the add-on of an EAN or UPC, and the composite component of a symbol.
    func printedText(addOnMark: String, compositeMark: String) -> String {
        text + (addOn.map { addOnMark + $0 } ?? "") + (composite.map { compositeMark + $0.text } ?? "")
    }
}

/// The bytes of the symbols without additions.
struct RawFormatter: ReportFormatter {
    let isNullSeparated: Bool

    mutating func format(_ report: DecodeReport) -> [UInt8] {
        report.symbols.flatMap { isNullSeparated ? $0.bytes + [0] : $0.bytes }
    }
}

/// One JSON object a line, in the order in which images are completed.
struct JSONFormatter: ReportFormatter {
    var isUnordered: Bool { true }
    var showsErrors: Bool { true }
    var showsWarnings: Bool { true }
    /// The current year, if the parsed content is included too; `nil` if only the messages are.
    var contentYear: Int?
    /// The keys to check the signatures of messages with; `nil` to check none.
    var signingKeys: SigningKeys?

    mutating func format(_ report: DecodeReport) -> [UInt8] {
        var report = report
        (report.contentYear, report.signingKeys) = (contentYear, signingKeys)
        // Reports contain only numbers and strings that JSON can represent.
        return (try? JSONLine.encode(report)) ?? []
    }
}
