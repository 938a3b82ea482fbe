/// A symbology, named as in the W3C Barcode Detection API, or in its style.
///
/// It is a struct instead of an enum, so that a new symbology does not break a `switch` in client code.
/// `SymbologyTraits+table.swift` has the known symbologies and their properties.
public struct Symbology: RawRepresentable, Hashable, Sendable {
    /// The name: lower case, words joined by an underscore.
    public let rawValue: String

    /// Creates a symbology with a name.
    ///
    /// Any name is possible; ``all`` lists the supported symbologies, and ``traits`` has their properties.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Symbology: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
