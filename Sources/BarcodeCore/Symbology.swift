/// A kind of symbol, named as the W3C Barcode Detection API names it, or in its style.
///
/// A struct and not an enum, so that a symbology can be added without breaking a `switch` in someone's code.
public struct Symbology: RawRepresentable, Hashable, Sendable {
    /// The name: lower case, words joined by an underscore.
    public let rawValue: String

    /// The symbology of that name.
    ///
    /// Any name can be made; ``all`` lists those that can be read, and ``traits`` says what is known of each.
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
}

extension Symbology: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
