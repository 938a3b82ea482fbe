/// A decoded symbol with its exact message and its location.
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
    /// The message as text, which is ``bytes`` decoded with ``charset``.
    ///
    /// For EAN and UPC, these are the digits as printed, without an add-on: 12 for UPC-A, and for UPC-E the 12 that
    /// its 8 stand for.
    public var text: String
    /// The character set of ``text``, and the reason for its choice.
    public var charset: Charset
    /// The two or five digits of an EAN or UPC add-on; `nil` if there is none beside the symbol.
    public var addOn: String?
    /// The four corners, in pixels of the stored image.
    public var corners: Quadrilateral
    /// The clockwise rotation in the stored image in degrees, from 0 up to 360; `nil` if unknown.
    public var orientation: Double?
    /// Indicates whether the symbol is light on dark.
    public var isInverted: Bool
    /// Indicates whether the image shows the symbol mirrored; `nil` if unknown, and for bars, which read both ways.
    public var isMirrored: Bool?
    /// Indicates whether the message is GS1 element strings: FNC1 comes first, or the symbology holds nothing else.
    public var isGS1: Bool
    /// The check that confirms the message.
    public var check: Check
    /// The error correction level, as the symbology's standard names it: `L`, `M`, `Q` or `H` for QR.
    ///
    /// `nil` if the symbology has none, or if it is unknown.
    public var errorCorrectionLevel: String?
    /// The share of the error correction capacity that was used, 0 to 1, in the block in which it is largest.
    ///
    /// At 1, one more wrong codeword would have made the symbol unreadable. ISO/IEC 15415 calls 1 minus it the unused
    /// error correction. `nil` if the symbology has no error correction, or if it is unknown.
    public var correctionUsed: Double?
    /// The version, if the symbology numbers its sizes: 1 to 40 for QR; `nil` if unknown.
    public var version: Int?
    /// The size of a matrix symbol in modules; `nil` for other symbols, and if unknown.
    public var modules: ModuleCount?
    /// The symbol's position in a structured append message, which is split over several symbols; `nil` for a
    /// single symbol.
    public var structuredAppend: StructuredAppend?
    /// Indicates whether the message configures the reader (reader programming) instead of holding data.
    public var isReaderProgramming: Bool
    /// The encoded characters, if they differ from ``text``; `nil` otherwise.
    ///
    /// Examples are the six characters of a Code 32, the pairs of a full ASCII Code 39, and a check character that
    /// is not a part of the message.
    public var symbolCharacters: String?
    /// The two-dimensional component of a GS1 Composite symbol, if one was found above this linear symbol.
    ///
    /// Its element strings and those of ``bytes`` form one message.
    public var composite: CompositeComponent?
    /// The width of a module in pixels of the stored image, in the direction in which it is smaller.
    ///
    /// `nil` if the number of modules is unknown, as in linear symbols of narrow and wide elements.
    public var moduleSize: Double?
    /// The contrast between ink and paper, 0 to 1: the difference of their gray levels, of 255.
    ///
    /// This is the symbol contrast of ISO/IEC 15415 as far as a picture shows it. A picture has no calibrated
    /// reflectance, so it is not a grade. `nil` if it was not measured.
    public var contrast: Double?
    /// The estimated probability that the message is right, 0 to 1: a lower bound, calibrated on drawn pictures.
    ///
    /// Of the symbols with 0.99, at most one in a hundred was wrong, among drawn scenes and drawn symbols that were
    /// damaged. It depends on the check of the symbology, on the number of rows that agree, and on
    /// ``correctionUsed``. `nil` if it was not estimated, as for a code of a scan gun.
    public var confidence: Double?
    /// The width of a linear or stacked symbol in modules; `nil` if unknown.
    package var modulesAcross: Int?
    /// The weight for choosing between results at the same location; not comparable across symbologies.
    package var weight = 1

    /// Creates a symbol.
    public init(
        symbology: Symbology, symbologyIdentifier: String, bytes: [UInt8], text: String, charset: Charset,
        addOn: String? = nil, corners: Quadrilateral, orientation: Double? = nil, isInverted: Bool = false,
        isMirrored: Bool? = nil, isGS1: Bool = false, check: Check = .none, errorCorrectionLevel: String? = nil,
        correctionUsed: Double? = nil, version: Int? = nil, modules: ModuleCount? = nil,
        structuredAppend: StructuredAppend? = nil,
        isReaderProgramming: Bool = false, symbolCharacters: String? = nil, composite: CompositeComponent? = nil,
        moduleSize: Double? = nil, contrast: Double? = nil, confidence: Double? = nil
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
        self.correctionUsed = correctionUsed
        self.version = version
        self.modules = modules
        self.structuredAppend = structuredAppend
        self.isReaderProgramming = isReaderProgramming
        self.symbolCharacters = symbolCharacters
        self.composite = composite
        self.moduleSize = moduleSize
        self.contrast = contrast
        self.confidence = confidence
    }
}

/// The size of a matrix symbol in modules, without its quiet zone.
public struct ModuleCount: Sendable, Hashable {
    /// The number of modules in a row.
    public var columns: Int
    /// The number of modules in a column.
    public var rows: Int

    /// Creates a size.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

extension ModuleCount: CustomStringConvertible {
    /// A description such as `16 by 48 modules`: columns by rows.
    public var description: String { "\(columns) by \(rows) modules" }
}

/// The position of a symbol in a structured append message, which is split over several symbols.
public struct StructuredAppend: Sendable, Hashable {
    /// The index of the symbol, counted from 0.
    public var index: Int
    /// The number of symbols in the message, 2 to 16 for QR; `nil` if unknown.
    public var count: Int?
    /// The parity that all symbols of the message share: for QR the XOR of all bytes of the whole message.
    public var parity: UInt8?
    /// The identifier that all symbols of the message share, if it is not a parity; `nil` if there is none.
    ///
    /// It is the file identifier of Data Matrix or PDF417, or the message identifier of Aztec.
    public var identifier: String?

    /// Creates the position `index` of `count`.
    public init(index: Int, count: Int?, parity: UInt8? = nil, identifier: String? = nil) {
        self.index = index
        self.count = count
        self.parity = parity
        self.identifier = identifier
    }
}
