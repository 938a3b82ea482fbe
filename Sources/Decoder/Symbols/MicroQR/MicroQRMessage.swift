public import BarcodeCore

/// What a Micro QR or rMQR symbol says, exactly, and what was learnt of the symbol on the way.
public struct MicroQRMessage: Sendable, Hashable {
    /// The message, byte for byte, as ``QRMessage/bytes``.
    public var bytes: [UInt8]
    /// The stretches of ``bytes``, in order and without gaps.
    public var segments: [Reading.Segment]
    /// Whether it is an rMQR symbol.
    public var isRectangular: Bool
    /// The version of Micro QR, 1 to 4; of rMQR the place of its size in the standard's list, 1 to 32.
    public var version: Int
    /// The modules of the symbol, upright.
    public var size: ModuleCount
    /// The error correction level; nil for M1, which has none.
    public var errorCorrectionLevel: QRErrorCorrectionLevel?
    /// The number of the mask among the eight of QR Code.
    public var mask: Int
    /// Whether FNC1 stands in the first position: the message is GS1 element strings.
    public var isGS1: Bool
    /// Whether FNC1 stands in the second position: the message is of an industry's own format.
    public var isAIM: Bool
    /// The AIM application indicator, a letter or two digits; nil unless ``isAIM``.
    public var applicationIndicator: String?
    /// Whether the symbol names a character set with an ECI header.
    public var hasECI: Bool
    /// Codewords that were wrong and have been corrected.
    public var correctedCodewords: Int
    /// Whether the grid was mirrored along its diagonal.
    public var isMirrored: Bool

    /// The symbology identifier, of the same list as that of QR Code.
    public var symbologyIdentifier: String {
        QRMessage.symbologyIdentifier(isGS1: isGS1, isAIM: isAIM, hasECI: hasECI)
    }
}
