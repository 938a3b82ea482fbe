/// A value of the Concise Binary Object Representation (RFC 8949), as far as certificates need it.
indirect enum CBOR {
    case integer(Int)
    case bytes([UInt8])
    case text(String)
    case list([CBOR])
    case map([(key: CBOR, value: CBOR)])
    /// A number with a fraction, true, false or nothing, which no certificate needs.
    case other

    /// The largest depth of nested values; a certificate has six levels.
    private static let deepest = 16

    /// Parses one value that fills the whole message; `nil` if it is damaged.
    init?(_ message: [UInt8]) {
        var rest = message[...]
        guard let value = Self.parse(&rest, 0), rest.isEmpty else { return nil }
        self = value
    }

    /// The value of a key of a map; `nil` if there is none.
    subscript(name: String) -> CBOR? { first { if case .text(name) = $0 { true } else { false } } }

    /// The value of a key of a map; `nil` if there is none.
    subscript(number: Int) -> CBOR? { first { if case .integer(number) = $0 { true } else { false } } }

    private func first(_ isKey: (CBOR) -> Bool) -> CBOR? {
        guard case .map(let pairs) = self else { return nil }
        return pairs.first { isKey($0.key) }?.value
    }

    /// The text; `nil` for any other value.
    var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The integer; `nil` for any other value.
    var integer: Int? { if case .integer(let number) = self { number } else { nil } }

    /// Encodes at most 65,535 bytes as a value.
    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        let count = bytes.count
        let size: [UInt8] =
            count < 24
            ? [0x40 + UInt8(count)]
            : count < 256 ? [0x58, UInt8(count)] : [0x59, UInt8(truncatingIfNeeded: count >> 8), UInt8(count & 0xFF)]
        return size + bytes
    }

    private static func parse(_ rest: inout ArraySlice<UInt8>, _ depth: Int) -> CBOR? {
        guard depth < deepest, let first = rest.popFirst() else { return nil }
        let isEndless = first & 0x1F == 31
        // What has no length ends with a byte of its own.
        guard let number = isEndless ? UInt64.max : number(first & 0x1F, &rest) else { return nil }
        // The number of a simple or floating-point value is its bits.
        if first >> 5 == 7 { return isEndless ? nil : .other }
        guard let size = isEndless ? Int.max : Int(exactly: number) else { return nil }
        switch first >> 5 {
        case 0: return isEndless ? nil : .integer(size)
        case 1: return isEndless ? nil : .integer(-1 - size)
        case 2, 3:
            guard size <= rest.count else { return nil }
            let part = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            return first >> 5 == 2 ? .bytes(part) : String(validating: part, as: UTF8.self).map(CBOR.text)
        case 4:
            return values(size, isEndless, &rest, depth).map(CBOR.list)
        case 5:
            guard isEndless || size <= rest.count,
                let values = values(isEndless ? size : 2 * size, isEndless, &rest, depth), values.count % 2 == 0
            else { return nil }
            return .map(stride(from: 0, to: values.count, by: 2).map { (values[$0], values[$0 + 1]) })
        // A tag says of which kind the next value is.
        default: return isEndless ? nil : parse(&rest, depth + 1)
        }
    }

    /// Parses so many values, or as many as there are until the end.
    private static func values(
        _ count: Int, _ isEndless: Bool, _ rest: inout ArraySlice<UInt8>, _ depth: Int
    ) -> [CBOR]? {
        // Each value has a byte at least.
        guard isEndless || count <= rest.count else { return nil }
        var found: [CBOR] = []
        while found.count < count {
            if isEndless, rest.first == 0xFF {
                rest.removeFirst()
                return found
            }
            guard let value = parse(&rest, depth + 1) else { return nil }
            found.append(value)
        }
        return found
    }

    /// Parses the number in the last five bits of the first byte, or in the bytes after it.
    private static func number(_ bits: UInt8, _ rest: inout ArraySlice<UInt8>) -> UInt64? {
        guard bits >= 24 else { return UInt64(bits) }
        guard bits <= 27, rest.count >= 1 << (bits - 24) else { return nil }
        let size = 1 << Int(bits - 24)
        let value = rest.prefix(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(size)
        return value
    }
}
