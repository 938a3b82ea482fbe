/// A size of Aztec symbol: a bull's-eye and layers of two modules around it.
///
/// Source: ISO/IEC 24778, "Symbol structure".
package struct AztecSize: Sendable, Hashable {
    /// Whether the bull's-eye has two dark rings around its centre; that of a full symbol has three.
    package let isCompact: Bool
    /// Layers of data: 1 to 4 of a compact symbol, 1 to 32 of a full one; 0 of a rune.
    package let layers: Int

    /// A rune: a compact symbol without data, whose mode message is all that it says.
    static let rune = AztecSize(isCompact: true, layers: 0)
    /// The sizes that hold data, compact ones first.
    package static let all: [AztecSize] =
        (1...4).map { AztecSize(isCompact: true, layers: $0) }
        + (1...32).map { AztecSize(isCompact: false, layers: $0) }

    /// Modules from one line of the reference grid to the next.
    static let gridPitch = 16

    /// Modules along a side.
    package var side: Int {
        if isCompact { return 11 + 4 * layers }
        // The middle line of the reference grid, and those to either side of it, beside the modules of core and data.
        let bare = 14 + 4 * layers
        return bare + 1 + 2 * gridLines
    }

    /// Lines of the reference grid to either side of the middle one.
    var gridLines: Int { isCompact ? 0 : (6 + 2 * layers) / (Self.gridPitch - 1) }

    /// Modules from the centre to the ring of the orientation marks and the mode message.
    var modeRadius: Int { isCompact ? 5 : Self.largestModeRadius }
    static let largestModeRadius = 7

    /// Bits that the layers hold.
    package var bitCount: Int { ((isCompact ? 88 : 112) + 16 * layers) * layers }

    /// Bits of a codeword.
    package var codewordBits: Int {
        switch layers {
        case ...2: 6
        case 3...8: 8
        case 9...22: 10
        default: 12
        }
    }

    /// Codewords of data and check together.
    package var codewordCount: Int { bitCount / codewordBits }

    /// The field of the codewords.
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
    /// The mode message of Aztec: x^4 + x + 1 (ISO/IEC 24778, "Error correction").
    package static let aztecMode = GaloisField(bits: 4, polynomial: 0x13)
    /// Codewords of six bits: x^6 + x + 1.
    package static let aztec6 = GaloisField(bits: 6, polynomial: 0x43)
    /// Codewords of eight bits: the field of Data Matrix.
    package static let aztec8 = dataMatrix
    /// Codewords of ten bits: x^10 + x^3 + 1.
    package static let aztec10 = GaloisField(bits: 10, polynomial: 0x409)
    /// Codewords of twelve bits: x^12 + x^6 + x^5 + x^3 + 1.
    package static let aztec12 = GaloisField(bits: 12, polynomial: 0x1069)
}
