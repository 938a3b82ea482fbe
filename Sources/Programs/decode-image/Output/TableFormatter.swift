import BarcodeCore
import DecodeReports

/// A table for people: each image with its symbols and the time taken.
struct TableFormatter: ReportFormatter {
    private struct Row {
        var picture: String
        var format: String
        var text: String
        var milliseconds: String
    }

    /// The maximum width of a text in columns.
    private static let maximumTextColumns = 48

    private var rows: [Row] = []

    var showsErrors: Bool { true }

    /// Returns nothing yet, because the widths of the columns are known only at the end.
    mutating func format(_ report: DecodeReport) -> [UInt8] {
        let time = "\(Int((report.loadMilliseconds + report.decodeMilliseconds).rounded()))"
        let picture = [report.source.printable, report.pageName].compactMap(\.self).joined(separator: ", ")
        if let error = report.error {
            rows.append(
                Row(picture: picture, format: error.code.rawValue, text: error.message.printable, milliseconds: ""))
        } else if report.symbols.isEmpty {
            rows.append(Row(picture: picture, format: "-", text: "no symbol", milliseconds: time))
        }
        for (index, symbol) in report.symbols.enumerated() {
            let text = symbol.printedText(addOnMark: " + ", compositeMark: " | ").oneLine(Self.maximumTextColumns)
            rows.append(
                Row(
                    picture: index == 0 ? picture : "", format: symbol.symbology.rawValue, text: text,
                    milliseconds: index == 0 ? time : ""))
        }
        return []
    }

    mutating func footer() -> [UInt8] {
        let title = Row(picture: "PICTURE", format: "FORMAT", text: "TEXT", milliseconds: "MS")
        let pictureWidth = ([title] + rows).map(\.picture.columns).max() ?? 0
        let formatWidth = ([title] + rows).map(\.format.columns).max() ?? 0
        var table = ""
        for row in [title] + rows {
            let cells = [
                row.picture.padded(to: pictureWidth), row.format.padded(to: formatWidth),
                String(repeating: " ", count: max(0, 5 - row.milliseconds.count)) + row.milliseconds, row.text,
            ]
            table += cells.joined(separator: "  ") + "\n"
        }
        rows = []
        return Array(table.utf8)
    }
}

extension String {
    /// The width on a terminal in columns: wide East Asian characters take two.
    fileprivate var columns: Int {
        unicodeScalars.reduce(0) { sum, scalar in
            switch scalar.value {
            case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
                0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
                sum + 2
            default: sum + (scalar.properties.canonicalCombiningClass == .notReordered ? 1 : 0)
            }
        }
    }

    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }

    /// The text on one line, cut off at a number of columns.
    fileprivate func oneLine(_ width: Int) -> String {
        var line = ""
        for character in printableLines {
            let next = character == "\n" || character == "\r\n" ? "\\n" : character == "\t" ? " " : String(character)
            guard line.columns + next.columns <= width else { return line + "..." }
            line += next
        }
        return line
    }
}
