/// Escapes in which a mark and two hexadecimal digits stand for a byte, such as `%20` in a URL.
package enum HexadecimalEscapes {
    /// Returns the byte that two hexadecimal digits stand for; `nil` for anything else, such as a sign and a digit.
    package static func byte(_ digits: some Collection<UInt8>) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// Returns the bytes that a text stands for; what is not an escape stands for itself.
    ///
    /// - Parameters:
    ///   - mark: the byte that begins an escape: `%` of URLs (RFC 3986, 2.1), `=` of quoted-printable (RFC 2045, 6.7).
    ///   - plus: the byte for a `+`, which is a space in forms only.
    package static func decoded(
        _ text: some Sequence<UInt8>, mark: UInt8 = UInt8(ascii: "%"), plus: UInt8 = UInt8(ascii: "+")
    ) -> [UInt8] {
        decoded(text, mark, plus) { $0 } ?? []
    }

    /// Returns the bytes that a text stands for; `nil` if two hexadecimal digits do not follow each `%`.
    package static func strictlyDecoded(
        _ text: some Sequence<UInt8>, plus: UInt8 = UInt8(ascii: "+")
    ) -> [UInt8]? {
        decoded(text, UInt8(ascii: "%"), plus) { _ in nil }
    }

    /// Decodes a text; `invalid` gives the byte for a mark without digits, or `nil` to give up.
    private static func decoded(
        _ text: some Sequence<UInt8>, _ mark: UInt8, _ plus: UInt8, invalid: (UInt8) -> UInt8?
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let first = rest.popFirst() {
            if first == mark, let byte = byte(rest.prefix(2)) {
                bytes.append(byte)
                rest = rest.dropFirst(2)
            } else if first == mark {
                guard let byte = invalid(first) else { return nil }
                bytes.append(byte)
            } else {
                bytes.append(first == UInt8(ascii: "+") ? plus : first)
            }
        }
        return bytes
    }
}
