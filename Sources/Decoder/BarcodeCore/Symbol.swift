/// A symbol that was read: what it says, exactly, and where it is.
public struct Symbol: Sendable, Hashable {
    /// The kind of symbol.
    public var symbology: Symbology
    /// The AIM symbology identifier of ISO/IEC 15424, such as `]Q1`.
    public var symbologyIdentifier: String
    /// The message, byte for byte as the symbol holds it.
    ///
    /// For EAN, UPC and ISBN this is the data packet of the symbology identifier: the number in its full form of 13
    /// digits (8 for EAN-8), then the digits of an add-on.
    public var bytes: [UInt8]
    /// The message as text, which is ``bytes`` decoded by ``charset``.
    ///
    /// For an EAN or UPC these are the digits as they are printed, without an add-on: 12 for
    /// UPC-A, and for UPC-E the 12 that its 8 stand for.
    public var text: String
    /// The character set that ``text`` was decoded by, and how it was chosen.
    public var charset: Charset
    /// The two or five digits of an EAN or UPC add-on, where one stands beside the symbol.
    public var addOn: String?
    /// The four corners, in pixels of the stored picture.
    public var corners: Quadrilateral
    /// How far the symbol is turned clockwise in the stored picture, in degrees from 0 up to 360; nil where unknown.
    public var orientation: Double?
    /// Whether the symbol is light on dark.
    public var isInverted: Bool
    /// Whether the picture shows the symbol mirrored; nil where unknown, and for bars, which read both ways.
    public var isMirrored: Bool?
    /// Whether the message is GS1 element strings: FNC1 stands first, or the symbology holds nothing else.
    public var isGS1: Bool
    /// What tells that the symbol was read rightly.
    public var check: Check
    /// The error correction level, as the symbology's standard names it: `L`, `M`, `Q` or `H` for QR.
    ///
    /// Nil where the symbology has none, or where it is unknown.
    public var errorCorrectionLevel: String?
    /// The version, where the symbology numbers its sizes: 1 to 40 for QR; nil where unknown.
    public var version: Int?
    /// The size of a matrix symbol in modules; nil for other symbols, and where unknown.
    public var modules: ModuleCount?
    /// The symbol's place in a message that is spread over several; nil for a message of its own.
    public var structuredAppend: StructuredAppend?
    /// Whether the message is for the reader itself, to set it up, rather than data.
    public var isReaderProgramming: Bool
    /// The characters that stand in the symbol, where ``text`` is what they stand for: the six of a Code 32, the pairs of
    /// a Code 39 in full ASCII, a check character that is not part of the message; nil where the text says it all.
    public var symbolCharacters: String?
    /// The two-dimensional part of a GS1 composite symbol, where one was read above this linear one.
    ///
    /// Its element strings and those of ``bytes`` are one message.
    public var composite: CompositeComponent?
    /// What the search weighs readings in one place by; it says nothing across symbologies.
    package var weight = 1

    /// A symbol with all that is known of it.
    public init(
        symbology: Symbology, symbologyIdentifier: String, bytes: [UInt8], text: String, charset: Charset,
        addOn: String? = nil, corners: Quadrilateral, orientation: Double? = nil, isInverted: Bool = false,
        isMirrored: Bool? = nil, isGS1: Bool = false, check: Check = .none, errorCorrectionLevel: String? = nil,
        version: Int? = nil, modules: ModuleCount? = nil, structuredAppend: StructuredAppend? = nil,
        isReaderProgramming: Bool = false, symbolCharacters: String? = nil, composite: CompositeComponent? = nil
    ) {
        self.symbology = symbology
        self.symbologyIdentifier = symbologyIdentifier
        self.bytes = bytes
        self.text = text
        self.charset = charset
        self.addOn = addOn
        self.corners = corners
        self.orientation = orientation
        self.isInverted = isInverted
        self.isMirrored = isMirrored
        self.isGS1 = isGS1
        self.check = check
        self.errorCorrectionLevel = errorCorrectionLevel
        self.version = version
        self.modules = modules
        self.structuredAppend = structuredAppend
        self.isReaderProgramming = isReaderProgramming
        self.symbolCharacters = symbolCharacters
        self.composite = composite
    }
}

/// The size of a matrix symbol in modules, without its quiet zone.
public struct ModuleCount: Sendable, Hashable {
    /// Modules in a row.
    public var columns: Int
    /// Modules in a column.
    public var rows: Int

    /// A symbol of `columns` by `rows` modules.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

extension ModuleCount: CustomStringConvertible {
    /// Such as `16 by 48 modules`: columns by rows.
    public var description: String { "\(columns) by \(rows) modules" }
}

/// The place of a symbol in a message that is spread over several symbols.
public struct StructuredAppend: Sendable, Hashable {
    /// The place, counted from 0.
    public var index: Int
    /// How many symbols hold the message, 2 to 16 for QR; nil where unknown.
    public var count: Int?
    /// What the symbols of one message share: for QR the XOR of all bytes of the whole message.
    public var parity: UInt8?
    /// What the symbols of one message share where it is no parity: the file identifier of Data Matrix or PDF417, the
    /// message identifier of Aztec; nil where there is none.
    public var identifier: String?

    /// The place `index` of `count`.
    public init(index: Int, count: Int?, parity: UInt8? = nil, identifier: String? = nil) {
        self.index = index
        self.count = count
        self.parity = parity
        self.identifier = identifier
    }
}
