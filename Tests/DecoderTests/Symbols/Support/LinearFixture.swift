import BarcodeCore
import Foundation
import TestSupport
import Testing

/// A linear symbol of zint 2.11 (`zint -b KIND -d DATA --dump`), with the expected result.
///
/// A line of `Fixtures/linear.tsv` has a description, the symbology, the requested symbologies (a hyphen for the
/// standard linear ones), the text and the symbol's own characters in hexadecimal, the identifier, and the modules in
/// hexadecimal.
struct LinearFixture: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var symbology: Symbology
    var asked: Set<Symbology>
    var text: String
    var symbolCharacters: String?
    var identifier: String
    /// The modules from the first to the last bar.
    var modules: [Bool]

    init?(_ line: Substring) {
        let fields = line.split(separator: "\t").map(String.init)
        guard fields.count == 7 else { return nil }
        func text(_ hexadecimal: String) -> String {
            let digits = hexadecimal.compactMap(\.hexDigitValue)
            return String(
                decoding: stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) },
                as: UTF8.self)
        }
        testDescription = fields[0]
        symbology = Symbology(rawValue: fields[1])
        asked =
            fields[2] == "-"
            ? Symbology.standard.filter { $0.traits.family != .matrix }
            : Set(fields[2].split(separator: ",").map { Symbology(rawValue: String($0)) })
        self.text = text(fields[3])
        symbolCharacters = fields[4] == "-" ? nil : text(fields[4])
        identifier = fields[5]
        let bits = fields[6].compactMap(\.hexDigitValue).flatMap { digit in (0..<4).map { digit >> (3 - $0) & 1 == 1 } }
        guard let first = bits.firstIndex(of: true), let last = bits.lastIndex(of: true) else { return nil }
        modules = Array(bits[first...last])
    }

    /// The lines of the fixture file.
    static let lines: [Substring] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/linear.tsv")
        return (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
    }()

    static let all = lines.compactMap(LinearFixture.init)
}
