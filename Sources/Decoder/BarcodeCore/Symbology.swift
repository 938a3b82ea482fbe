/// A kind of symbol, named as the W3C Barcode Detection API names it, or in its style.
///
/// A struct and not an enum, so that a symbology can be added without breaking a `switch` in someone's code. The
/// symbologies that are known, and what is known of each, stand in `SymbologyTraits+table.swift`.
public struct Symbology: RawRepresentable, Hashable, Sendable {
    /// The name: lower case, words joined by an underscore.
    public let rawValue: String

    /// The symbology of that name.
    ///
    /// Any name can be made; ``all`` lists those that can be read, and ``traits`` says what is known of each.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Symbology: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
