import BarcodeCore
import BarcodeDecoding
import DecodeReports
import FoundationEssentials
import Glibc
import SymbolContent

/// A formatter that adds the joined messages of several symbols to the output of another one, after its last report.
struct JoiningFormatter: ReportFormatter {
    /// The output of the reports, which is either text or JSON.
    private var base: any ReportFormatter
    private let isJSON: Bool
    /// The current year, if the parsed content is included too; `nil` if only the messages are.
    private let contentYear: Int?
    private let signingKeys: SigningKeys?
    private var parts: [Symbol] = []
    /// The reasons why messages could not be joined, set by the footer; empty for JSON, which contains them.
    private(set) var closingMessages: [String] = []

    init(_ base: any ReportFormatter, isJSON: Bool, contentYear: Int?, signingKeys: SigningKeys?) {
        self.base = base
        self.isJSON = isJSON
        self.contentYear = contentYear
        self.signingKeys = signingKeys
    }

    var isUnordered: Bool { base.isUnordered }
    var showsErrors: Bool { base.showsErrors }
    var showsWarnings: Bool { base.showsWarnings }
    func sentence(withoutSymbol report: DecodeReport) -> String? { base.sentence(withoutSymbol: report) }

    mutating func header() -> [UInt8] { base.header() }

    mutating func format(_ report: DecodeReport) -> [UInt8] {
        parts += report.symbols.filter { $0.structuredAppend != nil }
        return base.format(report)
    }

    mutating func footer() -> [UInt8] {
        let messages = JoinedMessage.join(parts).map { (message: $0, content: content(of: $0)) }
        guard !isJSON else { return base.footer() + ((try? JSONLine.encode(JoinedRecords(messages))) ?? []) }
        closingMessages = messages.map(\.message).filter { !$0.isComplete }.map(\.problem)
        let isForTerminal = isatty(STDOUT_FILENO) == 1
        let lines = messages.compactMap { message, content in
            message.text.map {
                "joined \(message.symbology): \(isForTerminal ? $0.printable : $0)\n" + (content?.lines ?? "")
            }
        }
        return base.footer() + Array(lines.joined().utf8)
    }

    private func content(of message: JoinedMessage) -> SymbolContent? {
        guard let contentYear, let text = message.text, let bytes = message.bytes else { return nil }
        return SymbolContent.parse(
            ContentMessage(
                text: text, bytes: bytes, isGS1: message.isGS1, symbology: message.symbology.rawValue,
                currentYear: contentYear), keys: signingKeys)
    }
}

/// The line of JSON after the last report.
private struct JoinedRecords: Encodable {
    var schema = 1
    var joined: [Record]

    struct Record: Encodable {
        var format: String
        var parity: UInt8?
        var identifier: String?
        var count: Int?
        var missing: [Int]
        var conflicts: [Int]
        var rawBytes: Data?
        var rawValue: String?
        var content: ContentRecord?
    }

    init(_ messages: [(message: JoinedMessage, content: SymbolContent?)]) {
        joined = messages.map { message, content in
            Record(
                format: message.symbology.rawValue, parity: message.parity, identifier: message.identifier,
                count: message.count, missing: message.missing, conflicts: message.conflicts,
                rawBytes: message.bytes.map { Data($0) }, rawValue: message.text,
                content: content.map(ContentRecord.init))
        }
    }
}

extension JoinedMessage {
    /// The reason why the message could not be joined, with symbols counted from 1, as people do.
    fileprivate var problem: String {
        func list(_ indices: [Int]) -> String { indices.ranges.joined(separator: ", ") }
        let total = count.map { " of \($0)" } ?? ", as far as known,"
        var problems: [String] = []
        if !missing.isEmpty { problems.append("part \(list(missing))\(total) was not read") }
        if missing.isEmpty && count == nil { problems.append("the last part was not read") }
        if !conflicts.isEmpty { problems.append("different symbols say that they are part \(list(conflicts))\(total)") }
        return "a message in several \(symbology) symbols was not joined: \(problems.joined(separator: "; "))"
    }
}

extension [Int] {
    /// The ascending numbers as ranges such as `2` or `4-7`, counted from 1.
    fileprivate var ranges: [String] {
        var ranges: [ClosedRange<Int>] = []
        for number in self {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound + 1)" : "\($0.lowerBound + 1)-\($0.upperBound + 1)" }
    }
}
