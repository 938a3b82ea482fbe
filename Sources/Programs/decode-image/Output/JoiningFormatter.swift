import BarcodeCore
import BarcodeDecoding
import DecodeReports
import FoundationEssentials
import Glibc

/// A formatter that adds the joined messages of several symbols to the output of another one, after its last report.
struct JoiningFormatter: ReportFormatter {
    /// The output of the reports, which is either text or JSON.
    private var base: any ReportFormatter
    private let isJSON: Bool
    private var parts: [Symbol] = []
    /// The reasons why messages could not be joined, set by the footer; empty for JSON, which contains them.
    private(set) var closingMessages: [String] = []

    init(_ base: any ReportFormatter, isJSON: Bool) {
        self.base = base
        self.isJSON = isJSON
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
        let messages = JoinedMessage.join(parts)
        guard !isJSON else { return base.footer() + ((try? JSONLine.encode(JoinedRecords(messages))) ?? []) }
        closingMessages = messages.filter { !$0.isComplete }.map(\.problem)
        let isForTerminal = isatty(STDOUT_FILENO) == 1
        let lines = messages.compactMap { message in
            message.text.map { "joined \(message.symbology): \(isForTerminal ? $0.printable : $0)\n" }
        }
        return base.footer() + Array(lines.joined().utf8)
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
    }

    init(_ messages: [JoinedMessage]) {
        joined = messages.map {
            Record(
                format: $0.symbology.rawValue, parity: $0.parity, identifier: $0.identifier, count: $0.count,
                missing: $0.missing, conflicts: $0.conflicts, rawBytes: $0.bytes.map { Data($0) }, rawValue: $0.text)
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
