/// A kind of symbol, named as the W3C Barcode Detection API names it, or in its style.
///
/// A struct and not an enum, so that a symbology can be added without breaking a `switch` in someone's code.
public struct Symbology: RawRepresentable, Hashable, Sendable {
    /// The name: lower case, words joined by an underscore.
    public let rawValue: String

    /// The symbology of that name; any name can be made, ``all`` lists those that can be read.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// QR Code, model 2.
    public static let qrCode = Symbology(rawValue: "qr_code")
    /// SQ Code.
    public static let sqCode = Symbology(rawValue: "sq_code")
    /// EAN-13.
    public static let ean13 = Symbology(rawValue: "ean_13")
    /// EAN-8.
    public static let ean8 = Symbology(rawValue: "ean_8")
    /// UPC-A: an EAN-13 whose first digit is zero, reported with twelve digits.
    public static let upcA = Symbology(rawValue: "upc_a")
    /// UPC-E, reported with the twelve digits of the number that its eight stand for.
    public static let upcE = Symbology(rawValue: "upc_e")
    /// The two-digit add-on as a symbol of its own.
    public static let ean2 = Symbology(rawValue: "ean_2")
    /// The five-digit add-on as a symbol of its own.
    public static let ean5 = Symbology(rawValue: "ean_5")
    /// An EAN-13 of a book, reported as the ten characters of its older ISBN.
    public static let isbn10 = Symbology(rawValue: "isbn_10")
    /// An EAN-13 of a book, reported as the thirteen digits of its ISBN.
    public static let isbn13 = Symbology(rawValue: "isbn_13")
    /// Code 128, GS1-128 among them.
    public static let code128 = Symbology(rawValue: "code_128")
    /// Code 93.
    public static let code93 = Symbology(rawValue: "code_93")
    /// Code 39.
    public static let code39 = Symbology(rawValue: "code_39")
    /// Codabar, with its start and stop characters.
    public static let codabar = Symbology(rawValue: "codabar")
    /// Interleaved 2 of 5.
    public static let itf = Symbology(rawValue: "itf")
    /// GS1 DataBar: omnidirectional, truncated, stacked.
    public static let dataBar = Symbology(rawValue: "databar")
    /// GS1 DataBar Expanded, stacked too.
    public static let dataBarExpanded = Symbology(rawValue: "databar_expanded")

    /// Every symbology that can be read.
    public static let all: [Symbology] = [
        .qrCode, .sqCode, .ean13, .ean8, .upcA, .upcE, .ean2, .ean5, .isbn10, .isbn13,
        .code128, .code93, .code39, .codabar, .itf, .dataBar, .dataBarExpanded,
    ]

    /// What is read when nothing is chosen: all but those that would hide another.
    ///
    /// An ISBN is an EAN-13, which stays one unless the ISBN is asked for; and a lone add-on is too short to be
    /// believed, so that add-ons are read as part of the symbol that they stand beside.
    public static let standard: Set<Symbology> = Set(all).subtracting([.ean2, .ean5, .isbn10, .isbn13])

    /// EAN, UPC and ISBN: the symbologies that can carry an add-on.
    public static let retail: Set<Symbology> = [.ean13, .ean8, .upcA, .upcE, .isbn10, .isbn13]
}

extension Symbology: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
