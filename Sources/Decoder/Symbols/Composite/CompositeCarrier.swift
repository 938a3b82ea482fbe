public import BarcodeCore

/// A kind of linear symbol, and the location of a composite component above it (ISO/IEC 24723, table 1 and 12.3).
public struct CompositeCarrier: Sendable {
    /// The length of a symbol in modules, between its left and right corners.
    enum Length: Sendable {
        case fixed(Double)
        /// The length of the bars of a retail symbol.
        static func retail(_ bars: SymbologyTraits.RetailBars) -> Length { .fixed(Double(bars.modules)) }
        /// 13 modules and 11 more for every three bars.
        case code128
        /// Without the guards, 49 modules for two characters and their finder pattern, or 32 for the last of these.
        case expanded
    }

    let length: Length
    /// The share of the height between a symbol's corners above which the bars may be the component's.
    ///
    /// EAN and UPC rows are distinguished from other rows. For symbols with lower rows, the corners include the
    /// component.
    let beginning: Double
    /// True if a symbol carries a component only if its message is GS1 element strings.
    public let isMarkedGS1: Bool
    /// The layouts of components, and the start of their known row address pattern in modules to the right of the
    /// corners.
    let layouts: [Layout]

    /// A layout of a component.
    struct Layout: Sendable {
        /// The possible sizes, which have the same patterns.
        var candidates: [MicroPDF417Size]
        /// The start of the pattern; `nil` if the component may be anywhere above the symbol.
        var start: Double?

        /// The width of the component in modules.
        var width: Int { candidates.first?.width ?? 0 }
        /// The modules from the component's left edge to the pattern.
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

    /// The possible carriers of each symbology.
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

    /// Returns an upper estimate of a symbol's length in modules: about twice the shortest for symbols of fixed length.
    public static func greatestModules(of symbology: Symbology, characters: Int) -> Double {
        switch bySymbology[symbology]?.first?.length {
        case .code128: Double(11 * (characters + 4))
        // A character has twelve bits, which are three or four digits.
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
    /// GS1 DataBar and DataBar Truncated, whose corners exclude the guards.
    public static let dataBar = CompositeCarrier(
        length: .fixed(92), beginning: 0.4, layouts: [Layout(columns: 4, start: -6)])
    /// GS1 DataBar Stacked.
    public static let dataBarStacked = CompositeCarrier(
        length: .fixed(46), beginning: 0.4, layouts: [Layout(columns: 2, start: -1)])
    /// GS1 DataBar Limited.
    public static let dataBarLimited = CompositeCarrier(
        length: .fixed(73), beginning: 0.4, layouts: [Layout(openStart: 17), Layout(columns: 3, start: -10)])
    /// GS1 DataBar Expanded and Expanded Stacked.
    public static let dataBarExpanded = CompositeCarrier(
        length: .expanded, beginning: 0.4, layouts: [Layout(columns: 4, start: 0)])
    /// GS1-128.
    public static let code128 = CompositeCarrier(
        length: .code128, beginning: 0.4, isMarkedGS1: true, layouts: [Layout(columns: 4, start: nil)])

    /// Returns the length in modules of a symbol with the given number of bars; `nil` if there is no such symbol.
    func modules(bars: Int) -> Double? {
        switch length {
        case .fixed(let modules): return modules
        case .code128:
            // The shortest symbol has start, one character, check and stop.
            let characters = (bars - 1) / 3
            return characters >= 4 ? Double(11 * characters + 2) : nil
        case .expanded:
            // Two characters with a finder pattern between them are 21 bars and spaces, one with it 13.
            let elements = 2 * bars
            let pairs = (elements + 3) / 21
            guard pairs >= 1 else { return nil }
            return Double(49 * pairs + (elements - 21 * pairs >= 8 ? 32 : 0))
        }
    }
}
