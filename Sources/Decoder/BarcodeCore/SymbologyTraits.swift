/// The properties of a symbology: a row of ``SymbologyTraits/all``, which all code that depends on the symbology
/// uses.
public struct SymbologyTraits: Sendable {
    /// The structure of a symbol.
    public enum Family: Sendable, Hashable {
        /// One row of bars.
        case linear
        /// One row of bars, or several stacked rows that form one message.
        case stacked
        /// A matrix of modules.
        case matrix
    }

    /// The strength of the check against misreads.
    public enum Check: Sendable, Hashable {
        /// No check: any row of bars of two widths can be mistaken for a symbol.
        case none
        /// A check digit or character: one misread in ten, or in a hundred, passes it.
        case checkDigit
        /// Check characters over the whole message.
        case checksum
        /// Codewords that correct errors.
        case errorCorrection
    }

    /// The bar pattern of a retail symbol, which several symbologies share (ISO/IEC 15420, 4.3).
    public struct RetailBars: Sendable, Hashable {
        /// The symbology that the pattern is named after.
        public let symbology: Symbology
        /// The number of modules from the first bar to the last.
        public let modules: Int

        /// EAN-13, UPC-A and the ISBNs.
        public static let ean13 = RetailBars(symbology: .ean13, modules: 95)
        /// EAN-8.
        public static let ean8 = RetailBars(symbology: .ean8, modules: 67)
        /// UPC-E.
        public static let upcE = RetailBars(symbology: .upcE, modules: 51)
    }

    /// The symbology.
    public let symbology: Symbology
    /// Its name for people, such as `EAN-13`.
    public let title: String
    /// The structure of its symbols.
    public let family: Family
    /// The strength of its check against misreads.
    public let check: Check
    /// True if a wrong or missing bar often makes another valid message.
    public let isEasilyMisread: Bool
    /// Indicates whether it is decoded by default.
    public let isStandard: Bool
    /// The bar pattern of an EAN, UPC or ISBN, which can have an add-on; `nil` for all others.
    public let retailBars: RetailBars?
    /// Returns the most bars and spaces of a symbol for a message length in bytes.
    ///
    /// `nil` for a symbology in which a part of a symbol is never read as a whole one.
    public let mostElements: (@Sendable (_ bytes: Int) -> Int)?
    /// Indicates whether every message is GS1 element strings.
    public let isGS1: Bool
    /// The name in the XML output of zbarimg.
    public let zbarName: String
    /// The name in the Barcode Detection API: the W3C's, or one in its style; `nil` if there is none.
    public let webName: String?
    /// The `scanType` of WeChat.
    public let weChatName: String
    /// Returns the AIM symbology identifier of a reading (ISO/IEC 15424): `]`, a letter for the symbology, a
    /// modifier.
    public let symbologyIdentifier: @Sendable (Reading) -> String

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - webName: `nil` if the Barcode Detection API has no name.
    ///   - weChatName: `nil` for the raw value in capitals.
    ///   - symbologyIdentifier: `]X0` stands for symbologies that the standard does not name.
    public init(
        _ symbology: Symbology, title: String, family: Family, check: Check, isEasilyMisread: Bool = false,
        isStandard: Bool = true,
        retailBars: RetailBars? = nil, mostElements: (@Sendable (_ bytes: Int) -> Int)? = nil, isGS1: Bool = false,
        zbarName: String? = nil, webName: String? = nil,
        weChatName: String? = nil,
        symbologyIdentifier: @escaping @Sendable (Reading) -> String
    ) {
        self.symbology = symbology
        self.title = title
        self.family = family
        self.check = check
        self.isEasilyMisread = isEasilyMisread
        self.isStandard = isStandard
        self.retailBars = retailBars
        self.mostElements = mostElements
        self.isGS1 = isGS1
        self.zbarName = zbarName ?? symbology.rawValue
        self.webName = webName
        self.weChatName = weChatName ?? symbology.rawValue.uppercased()
        self.symbologyIdentifier = symbologyIdentifier
    }
}

extension Symbology {
    /// The properties of the symbology; an unsupported one only has its name.
    public var traits: SymbologyTraits {
        Self.traitsByName[rawValue]
            ?? SymbologyTraits(self, title: rawValue, family: .matrix, check: .none, isStandard: false) { _ in "]X0" }
    }

    private static let traitsByName = Dictionary(
        uniqueKeysWithValues: SymbologyTraits.all.map { ($0.symbology.rawValue, $0) })

    /// All supported symbologies.
    public static let all: [Symbology] = SymbologyTraits.all.map(\.symbology)

    /// The default symbologies: all except those that are rare, easily misread, or would hide another one.
    ///
    /// An ISBN is an EAN-13, and is reported as an ISBN only on request. A lone add-on is too short to be reliable,
    /// so add-ons are only decoded beside their symbol.
    public static let standard: Set<Symbology> = Set(SymbologyTraits.all.filter(\.isStandard).map(\.symbology))

    /// EAN, UPC and ISBN: the symbologies that can have an add-on.
    public static let retail: Set<Symbology> = Set(SymbologyTraits.all.filter { $0.retailBars != nil }.map(\.symbology))
}
