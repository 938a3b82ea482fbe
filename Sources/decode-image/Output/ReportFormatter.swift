import BarcodeCore
import DecodeWorkers

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
}

extension ReportFormatter {
    var isUnordered: Bool { false }
    var showsErrors: Bool { false }
    mutating func header() -> [UInt8] { [] }
    mutating func footer() -> [UInt8] { [] }
}

/// `format: text`, a line each; with more than one picture, its name in front.
struct TextFormatter: ReportFormatter {
    let namesPictures: Bool
    let isNullSeparated: Bool
    /// A terminal obeys control characters, and what a stranger's code says is not to be obeyed.
    let isForTerminal: Bool

    mutating func format(_ report: DecodeReport) -> [UInt8] {
        var bytes: [UInt8] = []
        for symbol in report.symbols {
            if namesPictures { bytes += report.name.bytes + Array(": ".utf8) }
            bytes += Array("\(symbol.format): ".utf8)
            let text = symbol.addOn.map { "\(symbol.text) \($0)" } ?? symbol.text
            bytes += Array((isForTerminal ? text.withVisibleControls : text).utf8)
            bytes.append(isNullSeparated ? 0 : 0x0A)
        }
        return bytes
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

    mutating func format(_ report: DecodeReport) -> [UInt8] {
        // Numbers and strings only, none of which JSON cannot hold.
        (try? JSONLine.encode(report)) ?? []
    }
}

extension String {
    /// The text with control characters, but for line feeds and tabs, shown as `\u{1b}`.
    var withVisibleControls: String {
        var visible = ""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A: visible.unicodeScalars.append(scalar)
            case 0..<0x20, 0x7F..<0xA0: visible += "\\u{\(String(scalar.value, radix: 16))}"
            // Marks that turn the direction of what follows would let a code write over the line that it stands in.
            case 0x202A...0x202E, 0x2066...0x2069: visible += "\\u{\(String(scalar.value, radix: 16))}"
            default: visible.unicodeScalars.append(scalar)
            }
        }
        return visible
    }
}
