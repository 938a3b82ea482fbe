/// The general-purpose field of a DataBar Expanded symbol or a composite component: digits, letters and punctuation.
///
/// It has three modes. Source: ISO/IEC 24724, 7.2.5.5; ISO/IEC 24723, 5.4.
package struct GeneralField {
    private enum Mode { case numeric, alphanumeric, iso646 }

    /// The decoded bytes; U+001D for FNC1.
    package private(set) var bytes: [UInt8] = []

    private let bits: BitRow
    private var place: Int
    private var mode: Mode
    /// True if the next FNC1 precedes the digits of an application identifier.
    private var isIdentifierNext: Bool

    private static let separator: UInt8 = 0x1D
    private static let signs = Array("*,-./".utf8)
    private static let moreSigns = Array("!\"%&'()*+,-./:;<=>?_ ".utf8)

    /// Creates the field that begins at an index, with digits or with letters, and takes all bits after it.
    ///
    /// - Parameter omitsIdentifier: true if the bits lack the application identifier after the first FNC1.
    package init(_ bits: BitRow, at place: Int, beginsWithLetters: Bool = false, omitsIdentifier: Bool = false) {
        self.bits = bits
        self.place = place
        isIdentifierNext = !omitsIdentifier
        mode = beginsWithLetters ? .alphanumeric : .numeric
    }

    /// Reads to the end; returns false for invalid bits.
    package mutating func read() -> Bool {
        while place < bits.count {
            let isGood: Bool
            switch mode {
            case .numeric: isGood = readDigits()
            case .alphanumeric: isGood = readCharacter(isWide: false)
            case .iso646: isGood = readCharacter(isWide: true)
            }
            guard isGood else { return false }
        }
        // FNC1 after the last field is padding.
        while bytes.last == Self.separator { bytes.removeLast() }
        return true
    }

    /// Reads two digits in seven bits, either of which may be FNC1; a last digit in four.
    private mutating func readDigits() -> Bool {
        if let latch = bits.number(place, 4), latch == 0 {
            mode = .alphanumeric
            place += 4
            return true
        }
        if let pair = bits.number(place, 7) {
            guard pair >= 8 else { return false }
            for value in [(pair - 8) / 11, (pair - 8) % 11] {
                bytes.append(value == 10 ? Self.separator : UInt8(0x30 + value))
                if value == 10 { isIdentifierNext = true }
            }
            place += 7
        } else if let last = bits.number(place, 4) {
            // One more than the digit; the bits after it are padding.
            guard last <= 10 else { return false }
            bytes.append(UInt8(0x30 + last - 1))
            place = bits.count
        } else {
            place = bits.count
        }
        return true
    }

    private mutating func readCharacter(isWide: Bool) -> Bool {
        if bits.number(place, 3) == 0 {
            mode = .numeric
            place += 3
            return true
        }
        guard let five = bits.number(place, 5) else {
            // Fewer bits than a character are the beginning of padding.
            place = bits.count
            return true
        }
        switch five {
        case 4:
            mode = isWide ? .alphanumeric : .iso646
            place += 5
        case 5..<15:
            bytes.append(UInt8(0x30 + five - 5))
            place += 5
        case 15:
            // FNC1 also latches to numeric.
            bytes.append(Self.separator)
            mode = .numeric
            place += 5
            // Some generators add the latch that FNC1 already implies. Taken literally, it would latch back to
            // letters at the two digits of an application identifier.
            if isIdentifierNext, let next = bits.number(place, 7), next < 8, !isPadding { place += 3 }
            isIdentifierNext = true
        default:
            return isWide ? readWide() : readNarrow()
        }
        return true
    }

    /// True if the rest is padding: a latch to letters, then alternating latches.
    private var isPadding: Bool {
        (place..<bits.count).allSatisfy { bits[$0] == ($0 - place >= 4 && ($0 - place - 4) % 5 == 2) }
    }

    /// Reads a capital or one of five punctuation marks in six bits.
    private mutating func readNarrow() -> Bool {
        guard let six = bits.number(place, 6) else {
            place = bits.count
            return true
        }
        switch six {
        case 32..<58: bytes.append(UInt8(six + 33))
        case 58..<63: bytes.append(Self.signs[six - 58])
        default: return false
        }
        place += 6
        return true
    }

    /// Reads a letter in seven bits, or a punctuation mark in eight.
    private mutating func readWide() -> Bool {
        guard let seven = bits.number(place, 7) else {
            place = bits.count
            return true
        }
        switch seven {
        case 64..<90: bytes.append(UInt8(seven + 1))
        case 90..<116: bytes.append(UInt8(seven + 7))
        default:
            guard let eight = bits.number(place, 8) else {
                place = bits.count
                return true
            }
            guard (232..<253).contains(eight) else { return false }
            bytes.append(Self.moreSigns[eight - 232])
            place += 1
        }
        place += 7
        return true
    }
}
