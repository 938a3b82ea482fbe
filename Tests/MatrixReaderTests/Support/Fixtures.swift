import Foundation
import Testing

@testable import MatrixReader

/// A symbol that another encoder made, and what it holds; a line of `symbols.tsv`.
struct SymbolFixture: CustomTestStringConvertible, Sendable {
    var name: String
    var identifier: String
    var bytes: [UInt8]
    /// The ECI of each segment, runs joined.
    var ecis: [Int]
    /// Index, count and parity.
    var append: [Int]
    var grid: ModuleGrid

    var testDescription: String { name }

    /// Every symbol of `Fixtures/symbols.tsv`.
    static let all: [SymbolFixture] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/symbols.tsv")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { SymbolFixture(line: String($0)) }
    }()

    private init?(line: String) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 7, let size = Int(fields[5]) else { return nil }
        name = fields[0]
        identifier = fields[1]
        let digits = fields[2].compactMap(\.hexDigitValue)
        bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        ecis = fields[3].split(separator: ",").compactMap { Int($0) }
        append = fields[4].split(separator: "/").compactMap { Int($0) }
        grid = ModuleGrid(size: size)
        let nibbles = fields[6].compactMap(\.hexDigitValue)
        let width = (size + 3) / 4
        guard nibbles.count == width * size else { return nil }
        for y in 0..<size {
            for x in 0..<size {
                grid[x, y] = nibbles[y * width + x / 4] >> (3 - x % 4) & 1 == 1
            }
        }
    }
}
