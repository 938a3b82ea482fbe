import BarcodeCore
import Foundation
import Symbols
import Testing

/// A symbol made by another encoder, with its content; a line of a file in `Fixtures`.
struct MatrixFixture: CustomTestStringConvertible, Sendable {
    var name: String
    var identifier: String
    var bytes: [UInt8]
    /// The ECI of each segment; runs of equal ones are merged.
    var ecis: [Int]
    /// The index, count, and parity or file identifier.
    var append: [Int]
    var grid: ModuleGrid

    var testDescription: String { name }

    /// The symbols of `Fixtures/qr.tsv`.
    static let qr = symbols("qr.tsv")
    /// The symbols of `Fixtures/data-matrix.tsv`.
    static let dataMatrix = symbols("data-matrix.tsv")
    /// The symbols of `Fixtures/micro-qr.tsv`, including rMQR.
    static let microQR = symbols("micro-qr.tsv")

    /// The symbols of `Fixtures/aztec.tsv`.
    static let aztec = symbols("aztec.tsv")
    /// The symbols of `Fixtures/maxi-code.tsv`.
    static let maxiCode = symbols("maxi-code.tsv")
    /// The symbols of `Fixtures/dot-code.tsv`.
    static let dotCode = symbols("dot-code.tsv")
    /// The symbols of `Fixtures/han-xin.tsv`.
    static let hanXin = symbols("han-xin.tsv")

    /// Returns all symbols of a file; empty if the file is missing, which tests that count them detect.
    static func symbols(_ file: String) -> [MatrixFixture] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures").appending(path: file)
        guard let text = try? String(contentsOf: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { MatrixFixture(line: String($0)) }
    }

    /// Compares the parts of a message with the fixture: the character sets and the structured append, and checks
    /// that the segments cover the bytes without gaps.
    ///
    /// - Parameter append: `nil` if the symbology has no structured append.
    func check(
        _ segments: [Reading.Segment], append: StructuredAppend?, of bytes: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var found: [Int] = []
        for eci in segments.compactMap(\.eci) where found.last != eci { found.append(eci) }
        #expect(found == ecis, sourceLocation: sourceLocation)
        let shared = append.map {
            [$0.index, $0.count ?? 0, $0.parity.map(Int.init) ?? $0.identifier.flatMap { Int($0) } ?? 0]
        }
        #expect((shared ?? []) == self.append, sourceLocation: sourceLocation)
        var end = 0
        for segment in segments {
            #expect(segment.range.lowerBound == end, sourceLocation: sourceLocation)
            end = segment.range.upperBound
        }
        #expect(end == bytes.count, sourceLocation: sourceLocation)
    }

    private init?(line: String) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 8, let width = Int(fields[5]), let height = Int(fields[6]) else { return nil }
        name = fields[0]
        identifier = fields[1]
        let digits = fields[2].compactMap(\.hexDigitValue)
        bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        ecis = fields[3].split(separator: ",").compactMap { Int($0) }
        append = fields[4].split(separator: "/").compactMap { Int($0) }
        grid = ModuleGrid(width: width, height: height)
        let nibbles = fields[7].compactMap(\.hexDigitValue)
        let row = (width + 3) / 4
        guard nibbles.count == row * height else { return nil }
        for y in 0..<height {
            for x in 0..<width { grid[x, y] = nibbles[y * row + x / 4] >> (3 - x % 4) & 1 == 1 }
        }
    }
}
