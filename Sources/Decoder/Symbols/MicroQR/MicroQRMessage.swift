public import BarcodeCore

/// The exact message of a Micro QR or rMQR symbol and its properties.
public struct MicroQRMessage: Sendable, Hashable {
    /// The message, byte for byte, as in ``QRMessage/bytes``.
    public var bytes: [UInt8]
    /// The segments of ``bytes``, in order and without gaps.
    public var segments: [Reading.Segment]
    /// True for an rMQR symbol.
    public var isRectangular: Bool
    /// The version: 1 to 4 for Micro QR, the index of the size in the standard's list (1 to 32) for rMQR.
    public var version: Int
    /// The size of the upright symbol, in modules.
    public var size: ModuleCount
    /// The error correction level; `nil` for M1, which has none.
    public var errorCorrectionLevel: QRErrorCorrectionLevel?
    /// The number of the mask among the eight of QR Code.
    public var mask: Int
    /// True if FNC1 is in the first position: the message is GS1 element strings.
    public var isGS1: Bool
    /// True if FNC1 is in the second position: the message has an industry-specific format.
    public var isAIM: Bool
    /// The AIM application indicator, a letter or two digits; `nil` unless ``isAIM``.
    public var applicationIndicator: String?
    /// True if the symbol specifies a character set with an ECI header.
    public var hasECI: Bool
    /// The number of wrong codewords that were corrected.
    public var correctedCodewords: Int
    /// The share of the error correction capacity that was used, 0 to 1; `nil` if there is none or it is unknown.
    public var correctionUsed: Double? = nil
    /// True if the grid was mirrored along its diagonal.
    public var isMirrored: Bool

    /// The symbology identifier, from the same list as that of QR Code.
    public var symbologyIdentifier: String {
        QRMessage.symbologyIdentifier(isGS1: isGS1, isAIM: isAIM, hasECI: hasECI)
    }
}
