/// What is known of a symbology: a row of ``SymbologyTraits/all``, which everything that differs by symbology asks.
public struct SymbologyTraits: Sendable {
    /// How a symbol is built.
    public enum Family: Sendable, Hashable {
        /// One row of bars.
        case linear
        /// One row of bars, or several above each other that make one message.
        case stacked
        /// A field of modules.
        case matrix
    }

    /// What tells a right reading from a wrong one.
    public enum Check: Sendable, Hashable {
        /// Nothing: any row of bars of two widths can be taken for one.
        case none
        /// A check digit or character: one wrong reading in ten, or in a hundred, passes it.
        case checkDigit
        /// Check characters over the whole message.
        case checksum
        /// Code words that correct errors.
        case errorCorrection
    }

    /// The bars that a retail symbol is printed with, which several symbologies share (ISO/IEC 15420, 4.3).
    public struct RetailBars: Sendable, Hashable {
        /// The symbology that they are named after.
        public let symbology: Symbology
        /// Modules from the first bar to the last.
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
    /// How its symbols are built.
    public let family: Family
    /// What tells a right reading from a wrong one.
    public let check: Check
    /// Whether it is read when nothing is chosen.
    public let isStandard: Bool
    /// The bars of an EAN, UPC or ISBN, which can carry an add-on; nil for all others.
    public let retailBars: RetailBars?
    /// The number of bars and spaces of a symbol whose message has so many bytes, at most; `nil` for a symbology of which
    /// nobody reads a part as a whole.
    public let mostElements: (@Sendable (_ bytes: Int) -> Int)?
    /// Whether every message of it is GS1 element strings.
    public let isGS1: Bool
    /// zbarimg's name in its XML.
    public let zbarName: String
    /// The name in a page's Barcode Detection API: the W3C's, or one in its style; nil where there is none.
    public let webName: String?
    /// WeChat's `scanType`.
    public let weChatName: String
    /// The AIM symbology identifier of a reading (ISO/IEC 15424): `]`, a letter for the symbology, a modifier.
    public let symbologyIdentifier: @Sendable (Reading) -> String

    /// A row.
    ///
    /// - Parameters:
    ///   - webName: nil where the Barcode Detection API has no name.
    ///   - weChatName: nil for our own name in capitals.
    ///   - symbologyIdentifier: `]X0` is for what the standard does not name.
    public init(
        _ symbology: Symbology, title: String, family: Family, check: Check, isStandard: Bool = true,
        retailBars: RetailBars? = nil, mostElements: (@Sendable (_ bytes: Int) -> Int)? = nil, isGS1: Bool = false,
        zbarName: String? = nil, webName: String? = nil,
        weChatName: String? = nil,
        symbologyIdentifier: @escaping @Sendable (Reading) -> String
    ) {
        self.symbology = symbology
        self.title = title
        self.family = family
        self.check = check
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
    /// What is known of the symbology; of one that cannot be read no more than its name.
    public var traits: SymbologyTraits {
        Self.traitsByName[rawValue]
            ?? SymbologyTraits(self, title: rawValue, family: .matrix, check: .none, isStandard: false) { _ in "]X0" }
    }

    private static let traitsByName = Dictionary(
        uniqueKeysWithValues: SymbologyTraits.all.map { ($0.symbology.rawValue, $0) })

    /// Every symbology that can be read.
    public static let all: [Symbology] = SymbologyTraits.all.map(\.symbology)

    /// What is read when nothing is chosen: all but those that would hide another.
    ///
    /// An ISBN is an EAN-13, which stays one unless the ISBN is asked for; and a lone add-on is too short to be
    /// believed, so that add-ons are read as part of the symbol that they stand beside.
    public static let standard: Set<Symbology> = Set(SymbologyTraits.all.filter(\.isStandard).map(\.symbology))

    /// EAN, UPC and ISBN: the symbologies that can carry an add-on.
    public static let retail: Set<Symbology> = Set(SymbologyTraits.all.filter { $0.retailBars != nil }.map(\.symbology))
}
