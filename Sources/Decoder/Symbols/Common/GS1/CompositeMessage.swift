/// The message of a composite component: GS1 element strings from the bits of its codewords.
///
/// The first bits select the start: a date or a lot number, an element string of AI 90, or neither. The rest is in
/// the general form of ``GeneralField``. Source: ISO/IEC 24723, 5.
package struct CompositeMessage: Sendable, Hashable {
    /// The element strings, with U+001D after a field of variable length that another one follows.
    package private(set) var bytes: [UInt8] = []

    private static let separator: UInt8 = 0x1D
    /// The letters after the number of an AI 90 that have a short code (table 3).
    private static let letters = Array("BDHIJKLNPQRSTVWZ".utf8)

    /// Parses the bits; `nil` if they are not a valid message.
    package init?(_ bits: BitRow) {
        guard let first = bits.number(0, 1), bits.count > 2 else { return nil }
        let isRead =
            if first == 0 {
                appendGeneral(bits, at: 1)
            } else if bits[1] {
                appendInternal(bits)
            } else {
                appendDateAndLot(bits)
            }
        guard isRead, !bytes.isEmpty else { return nil }
    }

    private mutating func appendGeneral(
        _ bits: BitRow, at place: Int, beginsWithLetters: Bool = false, omitsIdentifier: Bool = false
    ) -> Bool {
        var field = GeneralField(
            bits, at: place, beginsWithLetters: beginsWithLetters, omitsIdentifier: omitsIdentifier)
        guard field.read() else { return false }
        bytes += field.bytes
        return true
    }

    /// Appends a date of production or of expiry, a lot number, or both (5.3.1).
    private mutating func appendDateAndLot(_ bits: BitRow) -> Bool {
        var place = 4
        if bits.number(2, 2) != 3 {
            guard let number = bits.number(2, 16), let date = CompressedDate.digits(number),
                let isExpiry = bits.number(18, 1)
            else { return false }
            bytes = Array((isExpiry == 1 ? "17" : "11").utf8) + date
            place = 19
        }
        var field = GeneralField(bits, at: place)
        guard field.read() else { return false }
        // FNC1 after a date means that no lot number follows.
        if field.bytes.first == Self.separator {
            bytes += field.bytes.dropFirst()
        } else if !field.bytes.isEmpty {
            bytes += Array("10".utf8) + field.bytes
        }
        return true
    }

    /// Appends an element string of AI 90 that begins with up to three digits and a capital (5.3.2).
    private mutating func appendInternal(_ bits: BitRow) -> Bool {
        var place = 2
        var isLetters = false
        var isCapitals = false
        if !bits[place] {
            isLetters = true
            place += 1
        } else {
            isCapitals = bits[place + 1]
            place += 2
        }
        // The identifier of the next element string, if it is one of two.
        var next = ""
        if !bits[place] {
            place += 1
        } else {
            next = bits[place + 1] ? "8004" : "21"
            place += 2
        }
        guard let short = bits.number(place, 5) else { return false }
        let number: Int
        let letter: UInt8
        if short < 31 {
            guard let index = bits.number(place + 5, 4) else { return false }
            (number, letter) = (short, Self.letters[index])
            place += 9
        } else {
            guard let long = bits.number(place + 5, 10), long < 1000, let index = bits.number(place + 15, 5), index < 26
            else { return false }
            (number, letter) = (long, UInt8(0x41 + index))
            place += 20
        }
        bytes = Array("90".utf8) + (number > 0 ? Array(String(number).utf8) : []) + [letter]
        if isCapitals {
            guard appendCapitals(bits, &place) else { return false }
        } else {
            guard appendGeneral(bits, at: place, beginsWithLetters: isLetters, omitsIdentifier: !next.isEmpty) else {
                return false
            }
        }
        guard !next.isEmpty else { return true }
        guard let end = bytes.firstIndex(of: Self.separator) else { return false }
        bytes.insert(contentsOf: next.utf8, at: end + 1)
        return true
    }

    /// Appends capitals in five bits and digits in six up to FNC1, after which the general form follows (5.3.3).
    private mutating func appendCapitals(_ bits: BitRow, _ place: inout Int) -> Bool {
        while let five = bits.number(place, 5) {
            switch five {
            case 0..<26:
                bytes.append(UInt8(0x41 + five))
                place += 5
            case 31:
                var rest = GeneralField(bits, at: place + 5)
                guard rest.read() else { return false }
                if !rest.bytes.isEmpty { bytes += [Self.separator] + rest.bytes }
                return true
            default:
                guard let six = bits.number(place, 6), (52..<62).contains(six) else { return false }
                bytes.append(UInt8(0x30 + six - 52))
                place += 6
            }
        }
        return true
    }
}
