/// What a reader read: a symbol before its bytes became text.
///
/// A reader hands out the bytes as the symbol holds them and knows nothing of characters, which are the decoder's affair.
/// The same picture gives the same reading, whatever was read before.
public struct Reading: Sendable, Hashable {
    /// The kind of symbol.
    public var symbology: Symbology
    /// The message, byte for byte.
    public var bytes: [UInt8]
    /// The four corners, in pixels of the picture that was read.
    public var corners: Quadrilateral
    /// How far the symbol is turned clockwise, in degrees from 0 up to 360; nil where unknown.
    public var orientation: Double?
    /// A weight: how many scan lines agreed or, of a number that was fitted, by how much it fits better than the next.
    public var quality: Int
    /// The digits of an add-on that the reader joined to the symbol.
    public var addOn: [UInt8]?
    /// Whether the message begins with FNC1, which makes it GS1 element strings.
    public var isGS1: Bool
    /// Whether the message has FNC1 in second position, an AIM application indicator.
    public var isAIM: Bool
    /// Whether the symbol is light on dark.
    public var isInverted: Bool
    /// Whether the picture shows the symbol mirrored; nil where unknown.
    public var isMirrored: Bool?
    /// Whether the message is for the reader itself, to set it up, rather than data.
    public var isReaderProgramming: Bool
    /// The error correction level, as the symbology's standard names it; nil where there is none, or it is unknown.
    public var errorCorrectionLevel: String?
    /// The version, where the symbology numbers its sizes; nil where unknown.
    public var version: Int?
    /// The size of a matrix symbol in modules; nil where unknown.
    public var modules: ModuleCount?
    /// The symbol's place in a message that is spread over several.
    public var structuredAppend: StructuredAppend?
    /// The characters that stand in the symbol, where ``bytes`` is what they stand for: the six of a Code 32.
    public var symbolCharacters: [UInt8]?
    /// The modifier of the symbology identifier, where the reader knows more of it than the other properties say.
    public var modifier: Int?
    /// What the symbol says of a composite component above it; nil where it says nothing or the reader does not know.
    package var linkage: CompositeLinkage?
    /// The stretches of ``bytes`` and the character sets that the symbol itself names for them.
    public var segments: [Segment]

    /// A reading with all that the reader knows of it.
    public init(
        symbology: Symbology, bytes: [UInt8], corners: Quadrilateral, orientation: Double? = nil, quality: Int = 1,
        addOn: [UInt8]? = nil, isGS1: Bool = false, isAIM: Bool = false, isInverted: Bool = false,
        isMirrored: Bool? = nil, isReaderProgramming: Bool = false, errorCorrectionLevel: String? = nil,
        version: Int? = nil, modules: ModuleCount? = nil, structuredAppend: StructuredAppend? = nil,
        symbolCharacters: [UInt8]? = nil, modifier: Int? = nil, segments: [Segment] = []
    ) {
        self.symbology = symbology
        self.bytes = bytes
        self.corners = corners
        self.orientation = orientation
        self.quality = quality
        self.addOn = addOn
        self.isGS1 = isGS1
        self.isAIM = isAIM
        self.isInverted = isInverted
        self.isMirrored = isMirrored
        self.isReaderProgramming = isReaderProgramming
        self.errorCorrectionLevel = errorCorrectionLevel
        self.version = version
        self.modules = modules
        self.structuredAppend = structuredAppend
        self.symbolCharacters = symbolCharacters
        self.modifier = modifier
        self.segments = segments
    }

    /// A stretch of the message that was encoded in one mode.
    public struct Segment: Sendable, Hashable {
        /// How the stretch was encoded.
        public enum Mode: Sendable, Hashable {
            /// Digits, or QR's alphanumeric characters: ASCII by definition.
            case ascii
            /// Bytes of some character set.
            case bytes
            /// QR's Kanji mode: two bytes of Shift_JIS a character.
            case kanji
        }

        /// The places in ``Reading/bytes``.
        public var range: Range<Int>
        /// How the stretch was encoded.
        public var mode: Mode
        /// The number of the ECI that is in force, nil where the symbol names none.
        public var eci: Int?

        /// A stretch of the message.
        public init(range: Range<Int>, mode: Mode, eci: Int?) {
            self.range = range
            self.mode = mode
            self.eci = eci
        }
    }
}
