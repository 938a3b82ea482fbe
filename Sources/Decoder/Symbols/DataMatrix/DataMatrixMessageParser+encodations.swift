/// The encodations that ASCII latches to. Each ends with an unlatch or near the end of the symbol, and returns to
/// ASCII.
///
/// Source: ISO/IEC 16022, "C40 encodation" to "Base 256 encodation".
extension DataMatrixMessageParser {
    private static let unlatch: UInt8 = 254

    /// The difference between C40 and Text: the case of the letters in the basic set.
    ///
    /// The other case takes a shift.
    enum CharacterSet {
        case c40
        case text

        /// Returns the character of a value of the basic set, 3 and above.
        func basic(_ value: UInt8) -> UInt8 {
            switch value {
            case 3: UInt8(ascii: " ")
            case 4...13: UInt8(ascii: "0") + value - 4
            default: (self == .c40 ? UInt8(ascii: "A") : UInt8(ascii: "a")) + value - 14
            }
        }

        /// Returns the character of a value below 32 of shift set 3.
        func third(_ value: UInt8) -> UInt8 {
            self == .text && (1...26).contains(value) ? UInt8(ascii: "A") + value - 1 : 96 + value
        }
    }

    /// Reads triples of values below 40 until the encodation ends.
    private mutating func readTriples(
        _ use: (UInt8, inout DataMatrixMessageParser) throws(Failure) -> Void
    ) throws(Failure) {
        // A single codeword at the end is in ASCII, with or without an unlatch before it.
        while remaining >= 2 {
            let first = try next()
            if first == Self.unlatch { return }
            let second = try next()
            let value = Int(first) << 8 + Int(second) - 1
            guard (0..<64000).contains(value) else {
                throw Failure(message: "the codewords \(first), \(second) are not a triple of values")
            }
            try use(UInt8(value / 1600), &self)
            try use(UInt8(value / 40 % 40), &self)
            try use(UInt8(value % 40), &self)
        }
    }

    mutating func readC40(_ set: CharacterSet) throws(Failure) {
        var shift: UInt8 = 0
        var isUpper = false
        try readTriples { value, parser throws(Failure) in
            let character: UInt8
            switch (shift, value) {
            case (0, 0...2):
                shift = value + 1
                return
            case (0, _): character = set.basic(value)
            case (1, 0...31): character = value
            case (2, 0...14): character = 33 + value
            case (2, 15...21): character = 58 + value - 15
            case (2, 22...26): character = 91 + value - 22
            case (2, 27):
                // FNC1 is a separator here.
                shift = 0
                isUpper = false
                parser.append(0x1D)
                return
            case (2, 30):
                shift = 0
                isUpper = true
                return
            case (3, 0...31): character = set.third(value)
            default: throw Failure(message: "shift set \(shift) has no value \(value)")
            }
            parser.append(isUpper ? character + 128 : character)
            shift = 0
            isUpper = false
        }
    }

    mutating func readX12() throws(Failure) {
        try readTriples { value, parser throws(Failure) in
            switch value {
            case 0: parser.append(0x0D)
            case 1: parser.append(UInt8(ascii: "*"))
            case 2: parser.append(UInt8(ascii: ">"))
            default: parser.append(CharacterSet.c40.basic(value))
            }
        }
    }

    /// Reads EDIFACT: four characters of six bits in three codewords.
    ///
    /// The value 31 is the unlatch; ASCII goes on with the next whole codeword.
    mutating func readEDIFACT() throws(Failure) {
        // One or two codewords at the end are in ASCII.
        while remaining >= 3 {
            let start = position
            let bits = Int(data[start]) << 16 | Int(data[start + 1]) << 8 | Int(data[start + 2])
            for index in 0..<4 {
                let value = UInt8(bits >> (18 - 6 * index) & 63)
                if value == 31 {
                    position = start + min(index + 1, 3)
                    return
                }
                append(value & 32 == 0 ? value | 64 : value)
            }
            position = start + 3
        }
    }

    mutating func readBase256() throws(Failure) {
        let first = Int(try nextUnrandomized())
        let count =
            switch first {
            case 0: remaining
            case 1...249: first
            default: (first - 249) * 250 + Int(try nextUnrandomized())
            }
        // Checked first, so that a corrupt count takes no time.
        guard count <= remaining else {
            throw Failure(message: "\(count) bytes are announced, but \(remaining) codewords are left")
        }
        for _ in 0..<count { append(try nextUnrandomized()) }
    }

    /// Returns the next codeword less the pseudo-random number, 1 to 255, of its position (255-state algorithm).
    private mutating func nextUnrandomized() throws(Failure) -> UInt8 {
        let codeword = try next()
        return codeword &- UInt8(149 * position % 255 + 1)
    }
}
