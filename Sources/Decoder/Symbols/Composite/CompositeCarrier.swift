public import BarcodeCore

/// A kind of linear symbol, and where above it a composite component stands (ISO/IEC 24723, table 1 and 12.3).
public struct CompositeCarrier: Sendable {
    /// How many modules a symbol is long, from the left of its corners to the right.
    enum Length: Sendable {
        case fixed(Double)
        /// As long as the bars.
        static func retail(_ bars: SymbologyTraits.RetailBars) -> Length { .fixed(Double(bars.modules)) }
        /// 13 modules and 11 more for each three bars.
        case code128
        /// Without its guards 49 modules for each two characters and finder pattern, or 32 for the last of these.
        case expanded
    }

    let length: Length
    /// The part of a symbol's height from which on its upper corners may be those of the component: the rows of EAN and
    /// UPC are told from others, and of rows that are not as high the corners are those of all.
    let beginning: Double
    /// Whether a symbol carries a component only if it says that its message is GS1 element strings.
    public let isMarkedGS1: Bool
    /// The forms of component, and where their known row address pattern begins, in modules to the right of the corners.
    let layouts: [Layout]

    /// A form of component.
    struct Layout: Sendable {
        /// The sizes that it may be of; known by the same patterns.
        var candidates: [MicroPDF417Size]
        /// Where the pattern begins; nil where the component may stand anywhere above the symbol.
        var start: Double?

        /// Modules of the component.
        var width: Int { candidates.first?.width ?? 0 }
        /// Modules from the component's left edge to the pattern.
        var before: Int { candidates.first?.partsBefore.reduce(0) { $0 + $1.width } ?? 0 }

        init(columns: Int, start: Double?) {
            candidates = (MicroPDF417Size.compositeA + MicroPDF417Size.all).filter {
                $0.columns == columns && !$0.isOpen
            }
            self.start = start
        }

        /// The CC-A of three columns, whose rows begin with a codeword.
        init(openStart: Double) {
            candidates = MicroPDF417Size.compositeA.filter(\.isOpen)
            start = openStart
        }
    }

    private init(length: Length, beginning: Double, isMarkedGS1: Bool = false, layouts: [Layout]) {
        self.length = length
        self.beginning = beginning
        self.isMarkedGS1 = isMarkedGS1
        self.layouts = layouts
    }

    /// What symbols of a symbology may be, as carriers.
    public static let bySymbology: [Symbology: [CompositeCarrier]] = {
        var carriers: [Symbology: [CompositeCarrier]] = [
            .dataBar: [.dataBar, .dataBarStacked], .dataBarLimited: [.dataBarLimited],
            .dataBarExpanded: [.dataBarExpanded], .code128: [.code128],
        ]
        let retail: [Symbology: CompositeCarrier] = [.ean13: .ean13, .ean8: .ean8, .upcE: .upcE]
        for symbology in Symbology.retail {
            guard let bars = symbology.traits.retailBars, let carrier = retail[bars.symbology] else { continue }
            carriers[symbology] = [carrier]
        }
        return carriers
    }()

    /// About how many modules a symbol has across, rather too many than too few; the shortest of fixed length have half of it.
    public static func greatestModules(of symbology: Symbology, characters: Int) -> Double {
        switch bySymbology[symbology]?.first?.length {
        case .code128: Double(11 * (characters + 4))
        // Twelve bits a character, which are three or four digits.
        case .expanded: 24.5 * (Double(characters) * 5 / 12 + 2)
        case .fixed, nil: 100
        }
    }

    /// EAN-13 and UPC-A.
    public static let ean13 = CompositeCarrier(
        length: .retail(.ean13), beginning: 0.85, layouts: [Layout(columns: 4, start: -3)])
    /// EAN-8.
    public static let ean8 = CompositeCarrier(
        length: .retail(.ean8), beginning: 0.85, layouts: [Layout(openStart: 13), Layout(columns: 3, start: -14)])
    /// UPC-E.
    public static let upcE = CompositeCarrier(
        length: .retail(.upcE), beginning: 0.85, layouts: [Layout(columns: 2, start: -3)])
    /// GS1 DataBar and DataBar truncated, whose corners are those of what is between the guards.
    public static let dataBar = CompositeCarrier(
        length: .fixed(92), beginning: 0.4, layouts: [Layout(columns: 4, start: -6)])
    /// GS1 DataBar stacked.
    public static let dataBarStacked = CompositeCarrier(
        length: .fixed(46), beginning: 0.4, layouts: [Layout(columns: 2, start: -1)])
    /// GS1 DataBar Limited.
    public static let dataBarLimited = CompositeCarrier(
        length: .fixed(73), beginning: 0.4, layouts: [Layout(openStart: 17), Layout(columns: 3, start: -10)])
    /// GS1 DataBar Expanded, stacked too.
    public static let dataBarExpanded = CompositeCarrier(
        length: .expanded, beginning: 0.4, layouts: [Layout(columns: 4, start: 0)])
    /// GS1-128.
    public static let code128 = CompositeCarrier(
        length: .code128, beginning: 0.4, isMarkedGS1: true, layouts: [Layout(columns: 4, start: nil)])

    /// The modules of a symbol that shows so many bars; nil where none has as many.
    func modules(bars: Int) -> Double? {
        switch length {
        case .fixed(let modules): return modules
        case .code128:
            // The least are start, one character, check and stop.
            let characters = (bars - 1) / 3
            return characters >= 4 ? Double(11 * characters + 2) : nil
        case .expanded:
            // Two characters and a finder pattern between them are 21 bars and spaces, one with it 13.
            let elements = 2 * bars
            let pairs = (elements + 3) / 21
            guard pairs >= 1 else { return nil }
            return Double(49 * pairs + (elements - 21 * pairs >= 8 ? 32 : 0))
        }
    }
}
