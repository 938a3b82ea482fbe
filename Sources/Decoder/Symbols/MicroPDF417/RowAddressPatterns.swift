internal import Glibc

/// The row address patterns of MicroPDF417, as templates to be correlated with gray levels (ISO/IEC 24728, table 2).
///
/// A pattern has ten modules, begins with a bar and ends with a space; a bar follows. From one pattern to the next
/// one edge moves by one module, and the first pattern follows the last.
struct RowAddressPatterns: Sendable {
    /// The number of patterns of a kind.
    static let count = 52
    /// The width of a pattern, in modules.
    static let width = 10
    /// The number of modules that are compared: includes the bar behind the pattern, but nothing before it, which
    /// may be the edge of the image.
    static let window = width + 1

    /// The best match for some samples.
    struct Match {
        /// The number of the pattern, 1 to 52.
        var number: Int
        /// The correlation with the pattern, at most 1.
        var score: Float
    }

    /// The patterns at the left and at the right of a symbol.
    static let side = RowAddressPatterns(
        """
        3223A23B233237237A33A3BA39A3DA3CA38A30A31A3123923D23D63D43943B43A43A63AE3AC3A832832C32E3263363B6396316314334\
        37436436636E36C36834835835C35E34E34C344346342362
        """)
    /// The patterns between the columns.
    static let center = RowAddressPatterns(
        """
        2CE24E26E22E22623621621221A23A23222226227227A2FA2F22F62762742642662462422C22E22E62E42EC26C22C2282682E82C82CC\
        2C42C628628E28C29C2982B82B02902D025025825C2DC2DE
        """)

    /// The share of a module that blurs into each of its neighbors.
    private static let blur: Float = 0.15

    /// The modules of each pattern, the first in bit 9; 1 is dark.
    let patterns: [Int]
    /// The patterns, blurred and normalized to mean 0 and length 1.
    private let templates: [[Float]]

    /// - Parameter table: three hexadecimal digits for each pattern.
    private init(_ table: String) {
        let digits = table.utf8.map { Int($0) - ($0 < 0x41 ? 0x30 : 0x37) }
        patterns = stride(from: 0, to: digits.count - 2, by: 3).map { (index: Int) -> Int in
            digits[index] << 8 | digits[index + 1] << 4 | digits[index + 2]
        }
        templates = patterns.map { pattern in
            let inside = (0..<Self.width).map { Float(pattern >> (Self.width - 1 - $0) & 1) }
            let modules = [0] + inside + [1, 0.5]
            let seen = (0..<Self.window).map { (index: Int) -> Float in
                (1 - 2 * Self.blur) * modules[index + 1] + Self.blur * (modules[index] + modules[index + 2])
            }
            let mean = seen.reduce(0, +) / Float(Self.window)
            let length = seen.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
            return seen.map { ($0 - mean) / length }
        }
    }

    /// Returns the best match for eleven levels of darkness.
    func match(_ samples: [Float]) -> Match {
        var best = Match(number: 1, score: 0)
        guard samples.count == Self.window else { return best }
        let mean = samples.reduce(0, +) / Float(Self.window)
        let squares = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        guard squares > 1 else { return best }
        for (index, template) in templates.enumerated() {
            var sum: Float = 0
            for place in 0..<Self.window { sum += template[place] * samples[place] }
            if sum > best.score { best = Match(number: index + 1, score: sum) }
        }
        // The templates have mean 0, so the mean of the samples need not be subtracted.
        best.score /= squares.squareRoot()
        return best
    }
}
