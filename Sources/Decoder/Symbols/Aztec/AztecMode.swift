/// The properties of a symbol that its core gives: the orientation marks and the mode message.
///
/// Source: ISO/IEC 24778, "Mode message", "Core symbol" and annex A for runes.
struct AztecMode: Hashable {
    var size: AztecSize
    /// The number of data codewords; the others are check codewords.
    var dataCount: Int
    /// True if the message configures the reader (reader programming).
    var isReaderProgramming = false
    /// The value of a rune.
    ///
    /// `nil` for a symbol with data.
    var rune: UInt8?
    var orientation: AztecOrientation
    /// The number of errors: modules of the wrong color in the bull's-eye and the orientation marks, plus corrected
    /// codewords of the mode message.
    var wrong: Int

    /// Indicates whether two modes differ at most in their number of errors.
    func isSame(as other: AztecMode) -> Bool {
        var other = other
        other.wrong = wrong
        return self == other
    }

    /// The largest accepted number of errors in the twelve modules of the orientation marks.
    ///
    /// With three errors, two orientations can fit equally well.
    private static let maximumWrongMarks = 2
    /// The largest accepted share of wrong modules in the bull's-eye.
    private static let maximumWrongRings = 0.2

    /// Returns the modes of the core in the middle of a grid, for each possible orientation and kind, fewest errors
    /// first.
    ///
    /// - Parameter grid: a square grid with an odd side: at least 11 modules for a compact symbol, 15 for a full one.
    static func candidates(_ grid: ModuleGrid) -> [AztecMode] {
        guard grid.width == grid.height, grid.width % 2 == 1 else { return [] }
        let reader = AztecCoreReader(grid: grid, middle: grid.width / 2)
        var found: [AztecMode] = []
        for isCompact in [false, true] {
            let radius = AztecSize(isCompact: isCompact, layers: 1).modeRadius - 1
            guard grid.width >= 2 * radius + 3 else { continue }
            let wrong = reader.wrongInRings(radius: radius)
            guard Double(wrong) <= maximumWrongRings * Double((2 * radius + 1) * (2 * radius + 1)) else { continue }
            for orientation in AztecOrientation.all {
                let wrongMarks = reader.wrongInMarks(radius: radius + 1, orientation)
                guard wrongMarks <= maximumWrongMarks else { continue }
                let words = reader.modeWords(isCompact: isCompact, orientation)
                if var mode = AztecMode(words, isCompact: isCompact, orientation: orientation) {
                    mode.wrong += wrong + wrongMarks
                    found.append(mode)
                }
                if isCompact, wrong + wrongMarks == 0, let mode = AztecMode(rune: words, orientation: orientation) {
                    found.append(mode)
                }
            }
        }
        return found.sorted { $0.wrong < $1.wrong }
    }

}

extension AztecMode {
    /// The mode message of a symbol with data; `nil` if it cannot be corrected or describes an impossible symbol.
    private init?(_ words: [UInt16], isCompact: Bool, orientation: AztecOrientation) {
        var words = words
        let dataWords = isCompact ? 2 : 4
        var code = ReedSolomon(.aztecMode, firstRoot: 1)
        guard let corrected = try? code.correct(&words, checkCount: words.count - dataWords) else { return nil }
        let value = words.prefix(dataWords).reduce(0) { $0 << 4 | Int($1) }
        let countBits = isCompact ? 6 : 11
        let size = AztecSize(isCompact: isCompact, layers: value >> countBits + 1)
        var dataCount = value & (1 << countBits - 1) + 1
        // In these sizes no valid codeword count uses this bit. It marks reader programming.
        let mark = 1 << (countBits - 1)
        if size.layers <= (isCompact ? 1 : 22), dataCount > mark {
            isReaderProgramming = true
            dataCount -= mark
        }
        guard dataCount < size.codewordCount else { return nil }
        self.size = size
        self.dataCount = dataCount
        self.orientation = orientation
        wrong = corrected
    }

    /// A rune: every second bit of its mode message is inverted.
    ///
    /// It has no other data to confirm it, so few errors are corrected.
    private init?(rune words: [UInt16], orientation: AztecOrientation) {
        var words = words.map { $0 ^ 0b1010 }
        var code = ReedSolomon(.aztecMode, firstRoot: 1)
        guard let corrected = try? code.correct(&words, checkCount: 5, reserve: 3) else { return nil }
        size = .rune
        dataCount = 0
        rune = UInt8(truncatingIfNeeded: words[0] << 4 | words[1])
        self.orientation = orientation
        wrong = corrected
    }
}

/// Examines the modules around the middle of a grid.
struct AztecCoreReader {
    let grid: ModuleGrid
    let middle: Int

    /// The number of modules with the wrong color in the square rings up to a distance from the center.
    func wrongInRings(radius: Int) -> Int {
        var wrong = 0
        for y in -radius...radius {
            for x in -radius...radius where grid[middle + x, middle + y] != (max(abs(x), abs(y)) % 2 == 0) {
                wrong += 1
            }
        }
        return wrong
    }

    private func isDark(_ x: Int, _ y: Int, _ orientation: AztecOrientation) -> Bool {
        let place = orientation.place(x, y)
        return grid[middle + place.x, middle + place.y]
    }

    /// The number of errors in the three modules at each corner of the ring, for a given orientation.
    ///
    /// All three are dark at the top left. At the top right, the corner and the module below it are dark. At the
    /// bottom right, the module above the corner is dark; at the bottom left, none.
    func wrongInMarks(radius: Int, _ orientation: AztecOrientation) -> Int {
        let (far, near) = (radius, radius - 1)
        let marks: [(x: Int, y: Int, isDark: Bool)] = [
            (-far, -near, true), (-far, -far, true), (-near, -far, true),
            (near, -far, false), (far, -far, true), (far, -near, true),
            (far, near, true), (far, far, false), (near, far, false),
            (-near, far, false), (-far, far, false), (-far, near, false),
        ]
        return marks.count { isDark($0.x, $0.y, orientation) != $0.isDark }
    }

    /// The 4-bit words between the orientation marks, clockwise from the top left, without the reference grid.
    func modeWords(isCompact: Bool, _ orientation: AztecOrientation) -> [UInt16] {
        let radius = AztecSize(isCompact: isCompact, layers: 1).modeRadius
        var bits: [UInt16] = []
        for side in 0..<4 {
            for along in (2 - radius)...(radius - 2) where isCompact || along != 0 {
                let (x, y) = AztecOrientation(quarters: side, isMirrored: false).place(along, -radius)
                bits.append(isDark(x, y, orientation) ? 1 : 0)
            }
        }
        return stride(from: 0, to: bits.count, by: 4).map { start in
            bits[start..<start + 4].reduce(0) { $0 << 1 | $1 }
        }
    }
}
