/// A size of Aztec symbol: a bull's-eye and layers of two modules around it.
///
/// Source: ISO/IEC 24778, "Symbol structure".
package struct AztecSize: Sendable, Hashable {
    /// True if the bull's-eye has two dark rings around its center.
    ///
    /// That of a full symbol has three.
    package let isCompact: Bool
    /// The number of data layers: 1 to 4 for a compact symbol, 1 to 32 for a full one, 0 for a rune.
    package let layers: Int

    /// A rune: a compact symbol without data layers.
    ///
    /// Its mode message is its only content.
    static let rune = AztecSize(isCompact: true, layers: 0)
    /// All sizes that hold data, compact ones first.
    package static let all: [AztecSize] =
        (1...4).map { AztecSize(isCompact: true, layers: $0) }
        + (1...32).map { AztecSize(isCompact: false, layers: $0) }

    /// The distance between lines of the reference grid, in modules.
    static let gridPitch = 16

    /// The number of modules along a side.
    package var side: Int {
        if isCompact { return 11 + 4 * layers }
        // The middle line of the reference grid and the lines on either side of it add to the modules of core and
        // data.
        let bare = 14 + 4 * layers
        return bare + 1 + 2 * gridLines
    }

    /// The number of reference grid lines on either side of the middle one.
    var gridLines: Int { isCompact ? 0 : (6 + 2 * layers) / (Self.gridPitch - 1) }

    /// The distance from the center to the ring of the orientation marks and the mode message, in modules.
    var modeRadius: Int { isCompact ? 5 : Self.largestModeRadius }
    static let largestModeRadius = 7

    /// The number of bits in the layers.
    package var bitCount: Int { ((isCompact ? 88 : 112) + 16 * layers) * layers }

    /// The number of bits in a codeword.
    package var codewordBits: Int {
        switch layers {
        case ...2: 6
        case 3...8: 8
        case 9...22: 10
        default: 12
        }
    }

    /// The number of data and check codewords together.
    package var codewordCount: Int { bitCount / codewordBits }

    /// The Galois field of the codewords.
    package var field: GaloisField {
        switch codewordBits {
        case 6: .aztec6
        case 8: .aztec8
        case 10: .aztec10
        default: .aztec12
        }
    }
}

extension GaloisField {
    /// The field of the mode message: x^4 + x + 1 (ISO/IEC 24778, "Error correction").
    package static let aztecMode = GaloisField(bits: 4, polynomial: 0x13)
    /// The field of 6-bit codewords: x^6 + x + 1.
    package static let aztec6 = GaloisField(bits: 6, polynomial: 0x43)
    /// The field of 8-bit codewords, the same as that of Data Matrix.
    package static let aztec8 = dataMatrix
    /// The field of 10-bit codewords: x^10 + x^3 + 1.
    package static let aztec10 = GaloisField(bits: 10, polynomial: 0x409)
    /// The field of 12-bit codewords: x^12 + x^6 + x^5 + x^3 + 1.
    package static let aztec12 = GaloisField(bits: 12, polynomial: 0x1069)
}
