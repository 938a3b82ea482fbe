internal import BarcodeCore

/// The sequence of the elements of an EAN or UPC symbol (ISO/IEC 15420, tables 1 to 6).
///
/// UPC-A is an EAN-13 whose first digit is zero.
struct EANLayout: Sendable {
    /// A part of the symbol with one or several known patterns.
    struct Element: Sendable, Hashable {
        /// The patterns, as modules from left to right; 1 is dark.
        var patterns: [[Float]]
        /// The module before and the module after.
        var before: Float
        var after: Float

        var modules: Int { patterns[0].count }
        var isDigit: Bool { patterns.count > 1 }
    }

    let symbology: Symbology
    let elements: [Element]
    /// The number of modules from the first bar to the last.
    let modules: Int
    /// The offset of the center of the middle guard from the first bar, in modules; `nil` if there is none.
    let middle: Double?

    static let ean13 = EANLayout(
        .ean13, [start] + repeated(leftDigit, 6) + [center] + repeated(rightDigit, 6) + [end], modules: 95, middle: 47.5
    )
    static let ean8 = EANLayout(
        .ean8, [start] + repeated(leftDigitA, 4) + [center] + repeated(rightDigit, 4) + [end], modules: 67, middle: 33.5
    )
    static let upcE = EANLayout(.upcE, [start] + repeated(leftDigit, 6) + [endOfUPCE], modules: 51, middle: nil)

    static let all = [ean13, ean8, upcE]

    /// The last guard and the light modules behind it.
    var endGuard: [Float] { symbology == .upcE ? [0, 1, 0, 1, 0, 1, 0, 0, 0] : [1, 0, 1, 0, 0, 0] }

    /// The number of edges between dark and light: four a digit, and those of the guards.
    var edges: Int {
        switch symbology {
        case .ean13: 60
        case .ean8: 44
        default: 34
        }
    }

    /// The number of modules of the quiet zone that belong to the first and to the last element.
    static let quietModules = 2

    private init(_ symbology: Symbology, _ elements: [Element], modules: Int, middle: Double?) {
        self.symbology = symbology
        self.elements = elements
        self.modules = modules
        self.middle = middle
    }

    // The ten digits with an odd number of dark modules.
    private static let setA = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
    ].map(modules)
    /// Set C is set A with light and dark exchanged; set B is set C reversed.
    private static let setC = setA.map { $0.map { 1 - $0 } }
    private static let setB = setC.map { Array($0.reversed()) }

    private static let start = Element(patterns: [modules("00101")], before: 0, after: 0)
    private static let center = Element(patterns: [modules("01010")], before: 1, after: 1)
    private static let end = Element(patterns: [modules("10100")], before: 0, after: 0)
    private static let endOfUPCE = Element(patterns: [modules("01010100")], before: 1, after: 0)
    /// A left digit begins light and ends dark, a right one the reverse.
    private static let leftDigit = Element(patterns: setA + setB, before: 1, after: 0)
    private static let leftDigitA = Element(patterns: setA, before: 1, after: 0)
    private static let rightDigit = Element(patterns: setC, before: 0, after: 1)

    private static func modules(_ text: String) -> [Float] { text.map { $0 == "1" ? 1 : 0 } }

    private static func repeated(_ element: Element, _ count: Int) -> [Element] {
        [Element](repeating: element, count: count)
    }

    /// The left digits of set B for each first digit of an EAN-13, the leftmost in the highest of six bits.
    static let parities: [Int] = [
        0b000000, 0b001011, 0b001101, 0b001110, 0b010011, 0b011001, 0b011100, 0b010101, 0b010110, 0b011010,
    ]

    /// The digits of set B in a UPC-E of number system 1 for each check digit, the leftmost in the highest of six
    /// bits; system 0 has the complement.
    static let upceParities: [Int] = [
        0b000111, 0b001011, 0b001101, 0b001110, 0b010011, 0b011001, 0b011100, 0b010101, 0b010110, 0b011010,
    ]

    /// Returns the index of the pattern of each element with digits, for a number with its check digit.
    func patterns(of digits: [Int]) -> [Int] {
        // The digits of set B as bits, the leftmost in the highest of six.
        let setB: Int
        switch symbology {
        case .ean13: setB = Self.parities[digits[0]]
        case .ean8: return digits
        default:
            // Only number system 0 is assigned.
            setB = ~Self.upceParities[digits[7]] & 63
        }
        let count = symbology == .ean13 ? 12 : 6
        return (0..<count).map { $0 < 6 && setB >> (5 - $0) & 1 == 1 ? 10 + digits[$0 + 1] : digits[$0 + 1] }
    }
}
