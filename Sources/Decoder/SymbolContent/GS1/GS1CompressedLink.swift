/// Decodes a compressed GS1 Digital Link, which packs bits into base64url letters.
///
/// Each element is its identifier, four bits per digit, and the components of its value; frequent pairs of
/// identifiers have a code of eight bits. Digits are one binary number, other characters use the smallest of five
/// encodings.
///
/// Source: GS1 Digital Link Standard, Compression 1.0, and GS1's own GS1DigitalLinkToolkit.js, which its tests were
/// made with.
struct GS1CompressedLink {
    private let table = ApplicationIdentifierTable.standard
    private let bits: [Bool]
    private var place = 0
    /// Indicates whether to use the standard's table for the two codes whose order differs in GS1's toolkit.
    private let ordersByTable: Bool

    /// Returns the elements in the last part of a path; `nil` if it is not a compressed link.
    static func elements(_ part: ArraySlice<UInt8>) -> [GS1Element]? {
        for ordersByTable in [false, true] {
            guard var reader = GS1CompressedLink(part, ordersByTable: ordersByTable) else { return nil }
            if let elements = reader.elements() { return elements }
        }
        return nil
    }

    /// Creates a reader of the bits; `nil` if a character is not in base64url, or the length is out of range.
    private init?(_ part: ArraySlice<UInt8>, ordersByTable: Bool) {
        guard part.count > 2, part.count <= 1024 else { return nil }
        var bits: [Bool] = []
        bits.reserveCapacity(part.count * 6)
        for byte in part {
            guard let value = Self.alphabet.firstIndex(of: byte) else { return nil }
            for shift in stride(from: 5, through: 0, by: -1) { bits.append(value >> shift & 1 == 1) }
        }
        self.bits = bits
        self.ordersByTable = ordersByTable
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The codes of eight bits, as two hexadecimal digits, for sequences of identifiers.
    private static let sequences: [String: [String]] = {
        var sequences: [String: [String]] = [
            "0a": ["01", "22"], "0b": ["01", "10"], "0c": ["01", "21"], "0d": ["01", "17"], "0e": ["01", "7003"],
            "0f": ["01", "30"], "1a": ["01", "10", "17", "21"], "1b": ["01", "15"], "1c": ["01", "11"],
            "1d": ["01", "16"], "1e": ["01", "91"], "1f": ["01", "10", "15"], "9a": ["8010", "8011"],
            "9b": ["8017", "8019"], "9c": ["8018", "8019"], "9d": ["254", "414"],
        ]
        for last in 0..<6 {
            let letter = String(10 + last, radix: 16)
            sequences["2" + letter] = ["01", "310\(last)"]
            sequences["3" + letter] = ["01", "320\(last)"]
        }
        for last in 0..<10 {
            sequences["a\(last)"] = ["01", "392\(last)"]
            sequences["c\(last)"] = ["255", "390\(last)"]
        }
        for last in 0..<4 { sequences["c" + String(10 + last, radix: 16)] = ["255", "394\(last)"] }
        return sequences
    }()

    private static let sequencesByTable = ["1a": ["01", "10", "21", "17"], "9d": ["414", "254"]]

    private mutating func elements() -> [GS1Element]? {
        var elements: [GS1Element] = []
        // The bits after the last element are padding.
        while bits.count - place >= 8 {
            guard let code = number(8), elements.count < GS1Message.maximumElements else { return nil }
            let digits = String(code >> 4, radix: 16) + String(code & 15, radix: 16)
            if code >> 4 == 15 {
                guard skipPair(code & 15) else { return nil }
            } else if let sequence = (ordersByTable ? Self.sequencesByTable[digits] : nil) ?? Self.sequences[digits] {
                for identifier in sequence {
                    guard let element = element(identifier) else { return nil }
                    elements.append(element)
                }
            } else {
                guard let identifier = identifier(digits), let element = element(identifier) else { return nil }
                elements.append(element)
            }
        }
        guard bits.count - place < 6, !bits[place...].contains(true), !elements.isEmpty else { return nil }
        return elements
    }

    /// Reads a number of `count` bits; `nil` if there are fewer, or for more than 31.
    private mutating func number(_ count: Int) -> Int? {
        guard count < 32, bits.count - place >= count else { return nil }
        defer { place += count }
        return bits[place..<(place + count)].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }

    /// Reads the identifier that begins with two digits; `nil` if there is none.
    private mutating func identifier(_ start: String) -> String? {
        var digits = start
        while table[digits] == nil {
            guard digits.utf8.count < 4, let digit = number(4), digit < 10 else { return nil }
            digits += String(digit)
        }
        return digits
    }

    private mutating func element(_ identifier: String) -> GS1Element? {
        guard let components = table[identifier]?.compressedComponents else { return nil }
        var value = ""
        for component in components {
            guard let text = text(component) else { return nil }
            value += text
        }
        let bytes = Array(value.utf8)
        guard !bytes.isEmpty, (try? table[identifier]?.check(bytes[...], digits: identifier)) != nil else { return nil }
        return GS1Element(identifier, value)
    }

    private mutating func text(_ component: ApplicationIdentifier.CompressedComponent) -> String? {
        let encoding = component.isNumeric ? 0 : number(3)
        var length = component.length
        if component.isVariable {
            // As many bits as the largest length needs.
            guard let coded = number(component.length.bitWidth - component.length.leadingZeroBitCount),
                coded <= component.length
            else { return nil }
            length = coded
        }
        return encoding.flatMap { text(length, encoding: $0) }
    }

    private mutating func text(_ length: Int, encoding: Int) -> String? {
        switch encoding {
        case 0: return digits(length)
        case 1, 2:
            var text = ""
            for _ in 0..<length {
                guard let digit = number(4) else { return nil }
                text += String(digit, radix: 16, uppercase: encoding == 2)
            }
            return text
        case 3, 4:
            var text: [UInt8] = []
            for _ in 0..<length {
                guard let code = number(encoding == 3 ? 6 : 7) else { return nil }
                text.append(encoding == 3 ? Self.alphabet[code] : UInt8(code))
            }
            return String(decoding: text, as: UTF8.self)
        default: return nil
        }
    }

    /// Reads a number of `length` digits, in as many bits as the largest such number needs.
    private mutating func digits(_ length: Int) -> String? {
        // log2(10) bits per digit and one hundredth of a bit, rounded up, in billionths.
        let count = (length * 3_321_928_095 + 1_009_999_999) / 1_000_000_000
        guard bits.count - place >= count else { return nil }
        // The number exceeds a machine word, so it is doubled digit by digit.
        var decimal = [UInt8](repeating: 0, count: length)
        for bit in bits[place..<(place + count)] {
            var carry: UInt8 = bit ? 1 : 0
            for index in decimal.indices.reversed() {
                let doubled = decimal[index] * 2 + carry
                decimal[index] = doubled % 10
                carry = doubled / 10
            }
            guard carry == 0 else { return nil }
        }
        place += count
        return String(decoding: decimal.map { 0x30 + $0 }, as: UTF8.self)
    }

    /// Skips a key and a value that are not GS1's; the length of the key has seven bits, four of which are read
    /// already.
    private mutating func skipPair(_ start: Int) -> Bool {
        guard let rest = number(3) else { return false }
        guard text(start << 3 | rest, encoding: 3) != nil, let encoding = number(3), let length = number(7) else {
            return false
        }
        return text(length, encoding: encoding) != nil
    }
}

extension ApplicationIdentifier {
    /// A component of a value in a compressed link.
    struct CompressedComponent {
        var isNumeric: Bool
        var isVariable: Bool
        /// The exact or the largest number of characters.
        var length: Int
    }

    /// The components of the value, with adjacent ones of the same kind merged.
    var compressedComponents: [CompressedComponent] {
        var result: [CompressedComponent] = []
        for component in components {
            let isNumeric = component.characters == .numeric
            let isVariable = component.isOptional || component.length.count > 1
            // For letters, a fixed part is merged with the variable part after it.
            if let last = result.last, last.isNumeric == isNumeric, !isNumeric || last.isVariable == isVariable {
                result[result.count - 1].length += component.length.upperBound
                result[result.count - 1].isVariable = last.isVariable || isVariable
            } else {
                result.append(
                    CompressedComponent(
                        isNumeric: isNumeric, isVariable: isVariable, length: component.length.upperBound))
            }
        }
        return result
    }
}
