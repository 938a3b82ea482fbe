/// The message of a DataBar Expanded symbol: GS1 element strings from the bits of its characters.
///
/// Source: ISO/IEC 24724, 7.2.5. The encodation method field selects one of several compact forms of the first
/// application identifiers; the rest is in the general form of ``GeneralField``.
struct ExpandedMessage {
    /// The element strings, with U+001D after a field of variable length that another one follows.
    private(set) var bytes: [UInt8] = []
    /// The linkage flag, in the first bit: true if the symbol has a composite component.
    let isLinked: Bool

    /// Parses the bits; `nil` if they are not a valid message.
    ///
    /// - Parameter values: the characters after the check character, 12 bits each.
    init?(_ values: [Int]) {
        guard values.allSatisfy({ $0 < 4096 }) else { return nil }
        let bits = BitRow(values)
        isLinked = bits[0]
        guard let method = Self.method(bits) else { return nil }
        switch method {
        case .anyNumber:
            guard let first = bits.number(4, 4), first < 10, appendNumber(first, bits, at: 8),
                appendGeneral(bits, at: 48)
            else { return nil }
        case .general:
            guard appendGeneral(bits, at: 5) else { return nil }
        case .kilograms:
            guard appendNumber(9, bits, at: 5), let weight = bits.number(45, 15) else { return nil }
            append("3103", weight, digits: 6)
        case .pounds:
            guard appendNumber(9, bits, at: 5), let weight = bits.number(45, 15) else { return nil }
            // Values from 10,000 are pounds with three decimals.
            if weight < 10_000 { append("3202", weight, digits: 6) } else { append("3203", weight - 10_000, digits: 6) }
        case .price:
            guard appendNumber(9, bits, at: 8), let point = bits.number(48, 2) else { return nil }
            append("392", point, digits: 1)
            guard appendGeneral(bits, at: 50) else { return nil }
        case .priceWithCurrency:
            guard appendNumber(9, bits, at: 8), let point = bits.number(48, 2), let currency = bits.number(50, 10),
                currency < 1000
            else { return nil }
            append("393", point, digits: 1)
            append("", currency, digits: 3)
            guard appendGeneral(bits, at: 60) else { return nil }
        case .weightAndDate(let weightIdentifier, let dateIdentifier):
            guard appendNumber(9, bits, at: 8), let weight = bits.number(48, 20), let date = bits.number(68, 16),
                weight < 1_000_000
            else { return nil }
            append(weightIdentifier, weight / 100_000, digits: 1)
            append("", weight % 100_000, digits: 6)
            guard appendDate(date, dateIdentifier) else { return nil }
        }
    }

    private enum Method {
        case anyNumber, general, kilograms, pounds, price, priceWithCurrency
        case weightAndDate(weight: String, date: String)
    }

    /// Returns the encodation method after the first bit.
    private static func method(_ bits: BitRow) -> Method? {
        if bits.number(1, 1) == 1 { return .anyNumber }
        if bits.number(1, 2) == 0b00 { return .general }
        switch bits.number(1, 4) {
        case 0b0100: return .kilograms
        case 0b0101: return .pounds
        default: break
        }
        switch bits.number(1, 5) {
        case 0b01100: return .price
        case 0b01101: return .priceWithCurrency
        default: break
        }
        guard let number = bits.number(1, 7), (0b0111000...0b0111111).contains(number) else { return nil }
        let dates = ["11", "13", "15", "17"]
        return .weightAndDate(weight: number % 2 == 0 ? "310" : "320", date: dates[(number - 0b0111000) / 2])
    }

    /// Appends application identifier 01: a digit, twelve more in groups of three per ten bits, and the check digit.
    private mutating func appendNumber(_ first: Int, _ bits: BitRow, at place: Int) -> Bool {
        var digits = [UInt8(0x30 + first)]
        for group in 0..<4 {
            guard let number = bits.number(place + 10 * group, 10), number < 1000 else { return false }
            digits += [number / 100, number / 10 % 10, number % 10].map { UInt8(0x30 + $0) }
        }
        bytes += Array("01".utf8) + DataBarNumber.checked(digits)
        return true
    }

    private mutating func append(_ identifier: String, _ number: Int, digits: Int) {
        let text = String(number)
        bytes += Array(identifier.utf8) + Array(repeating: 0x30, count: max(0, digits - text.utf8.count)) + text.utf8
    }

    /// Appends a date of year, month and day in one number; the value after the last date means that there is none.
    private mutating func appendDate(_ number: Int, _ identifier: String) -> Bool {
        guard number != CompressedDate.count else { return true }
        guard let date = CompressedDate.digits(number) else { return false }
        bytes += Array(identifier.utf8) + date
        return true
    }

    private mutating func appendGeneral(_ bits: BitRow, at place: Int) -> Bool {
        var field = GeneralField(bits, at: place)
        guard field.read() else { return false }
        bytes += field.bytes
        return true
    }
}
