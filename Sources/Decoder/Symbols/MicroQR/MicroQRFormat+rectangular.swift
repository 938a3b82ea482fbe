/// The format information of rMQR, a BCH (18, 6) code with distance 8 that encodes the size and the level.
///
/// Source: ISO/IEC 23941, "Format information" and annex C.
extension MicroQRFormat {
    /// The XOR mask of the copy beside the finder pattern.
    static let finderMask: UInt32 = 0x1FAB2
    /// The XOR mask of the copy beside the finder sub-pattern.
    static let subMask: UInt32 = 0x20A7B

    /// Returns the indices of the 18 modules beside the finder pattern, the most significant bit first.
    static func finderModules(width: Int) -> [Int] {
        (1...3).reversed().map { $0 * width + 11 }
            + (8...10).reversed().flatMap { x in (1...5).reversed().map { $0 * width + x } }
    }

    /// Returns the indices of the 18 modules beside the finder sub-pattern, the most significant bit first.
    static func subPatternModules(width: Int, height: Int) -> [Int] {
        (3...5).map { (height - 6) * width + width - $0 }
            + (6...8).flatMap { x in (2...6).map { (height - $0) * width + width - x } }
    }

    /// All 64 words without a mask, indexed by their six data bits.
    static let rectangularWords: [UInt32] = (0..<64).map {
        BCH.encode(UInt32($0), checkBits: 12, generator: 0x1F25)
    }

    /// Returns the format of six data bits: the level, then five bits of the size.
    ///
    /// There is only one mask.
    static func rectangular(_ data: Int) -> MicroQRFormat {
        MicroQRFormat(
            kind: .rectangular, number: (data & 31) + 1, level: data & 32 == 0 ? .medium : .high, mask: 4, distance: 0)
    }
}
