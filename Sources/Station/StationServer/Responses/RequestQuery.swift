internal import BarcodeCore

/// The query of a URL in form encoding: percent-encoded, with `+` for a space.
struct RequestQuery: Sendable, Hashable {
    private var values: [String: String] = [:]

    /// Parses a query without its question mark.
    ///
    /// If a name occurs twice, the first value counts.
    init(_ text: String) {
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decoded(parts[0])
            if values[name] == nil { values[name] = parts.count > 1 ? Self.decoded(parts[1]) : "" }
        }
    }

    /// The value of a name; `nil` if the name does not occur.
    subscript(name: String) -> String? { values[name] }

    /// Decodes the percent-encoding of a text.
    ///
    /// - Parameter plus: the byte for a `+`, which is a space in forms only.
    static func decoded(_ text: some Collection<UInt8>, plus: UInt8 = 0x20) -> String {
        String(decoding: HexadecimalEscapes.decoded(text, plus: plus), as: UTF8.self)
    }
}
