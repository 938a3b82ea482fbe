/// The result of a symbol reader, before its bytes are decoded to text.
///
/// A reader returns the bytes of the symbol; the decoder converts them to characters. The same image always gives
/// the same result, regardless of earlier ones.
public struct Reading: Sendable, Hashable {
    /// The kind of symbol.
    public var symbology: Symbology
    /// The message, byte for byte.
    public var bytes: [UInt8]
    /// The four corners, in pixels of the image that was searched.
    public var corners: Quadrilateral
    /// The clockwise rotation of the symbol in degrees, from 0 up to 360; `nil` if unknown.
    public var orientation: Double?
    /// A weight: the number of scan lines that agree or, for a fitted number, its margin over the second-best fit.
    public var quality: Int
    /// The digits of an add-on that the reader has joined to the symbol.
    public var addOn: [UInt8]?
    /// Indicates whether the message begins with FNC1, which makes it GS1 element strings.
    public var isGS1: Bool
    /// Indicates whether the message has FNC1 in second position, with an AIM application indicator.
    public var isAIM: Bool
    /// Indicates whether the symbol is light on dark.
    public var isInverted: Bool
    /// Indicates whether the image shows the symbol mirrored; `nil` if unknown.
    public var isMirrored: Bool?
    /// Indicates whether the message configures the reader (reader programming) instead of holding data.
    public var isReaderProgramming: Bool
    /// The error correction level, as the symbology's standard names it; `nil` if there is none or it is unknown.
    public var errorCorrectionLevel: String?
    /// The share of the error correction capacity that was used, 0 to 1; `nil` if there is none or it is unknown.
    public var correctionUsed: Double?
    /// The version, if the symbology numbers its sizes; `nil` if unknown.
    public var version: Int?
    /// The size of a matrix symbol in modules; `nil` if unknown.
    public var modules: ModuleCount?
    /// The symbol's position in a structured append message, which is split over several symbols.
    public var structuredAppend: StructuredAppend?
    /// The encoded characters, if ``bytes`` is their interpretation: for example the six of a Code 32.
    public var symbolCharacters: [UInt8]?
    /// The modifier of the symbology identifier, if the reader knows more than the other properties say.
    public var modifier: Int?
    /// The linkage flag for a composite component; `nil` if the symbol has none or the reader does not know.
    package var linkage: CompositeLinkage?
    /// The width of a linear or stacked symbol in modules; `nil` if unknown.
    package var modulesAcross: Int?
    /// The segments of ``bytes``, with the character sets that the symbol declares for them.
    public var segments: [Segment]

    /// Creates a reading.
    public init(
        symbology: Symbology, bytes: [UInt8], corners: Quadrilateral, orientation: Double? = nil, quality: Int = 1,
        addOn: [UInt8]? = nil, isGS1: Bool = false, isAIM: Bool = false, isInverted: Bool = false,
        isMirrored: Bool? = nil, isReaderProgramming: Bool = false, errorCorrectionLevel: String? = nil,
        correctionUsed: Double? = nil, version: Int? = nil, modules: ModuleCount? = nil,
        structuredAppend: StructuredAppend? = nil,
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
        self.correctionUsed = correctionUsed
        self.version = version
        self.modules = modules
        self.structuredAppend = structuredAppend
        self.symbolCharacters = symbolCharacters
        self.modifier = modifier
        self.segments = segments
    }

    /// A segment of the message in one encoding mode.
    public struct Segment: Sendable, Hashable {
        /// An encoding mode.
        public enum Mode: Sendable, Hashable {
            /// Digits, or QR's alphanumeric characters: ASCII by definition.
            case ascii
            /// Bytes of some character set.
            case bytes
            /// QR's Kanji mode: two bytes of Shift_JIS per character.
            case kanji
        }

        /// The range of indices in ``Reading/bytes``.
        public var range: Range<Int>
        /// The encoding mode.
        public var mode: Mode
        /// The ECI assignment number in force; `nil` if the symbol declares none.
        public var eci: Int?

        /// Creates a segment.
        public init(range: Range<Int>, mode: Mode, eci: Int?) {
            self.range = range
            self.mode = mode
            self.eci = eci
        }
    }
}
