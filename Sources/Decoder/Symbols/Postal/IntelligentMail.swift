/// Intelligent Mail of the United States Postal Service: 65 bars of four states.
///
/// Ten characters have thirteen bits each, five or two of which are ones, or zeros if a bit of the check is set. The
/// bits are spread over all bars. Source: USPS-B-3200, 3.2 and appendices C to E.
enum IntelligentMail {
    private static let barCount = 65
    private static let characterBits = 13
    /// The bits of the characters, beginning with the lowest of the first: 1 to 65 is the descender of a bar, 66 to
    /// 130 the ascender (appendix D, table IV).
    private static let places: [UInt8] = [
        67, 6, 78, 16, 86, 95, 34, 40, 45, 113, 117, 121, 62, 87, 18, 104, 41, 76, 57, 119, 115, 72, 97, 2, 127, 26,
        105,
        35, 122, 52, 114, 7, 24, 82, 68, 63, 94, 44, 77, 112, 70, 100, 39, 30, 107, 15, 125, 85, 10, 65, 54, 88, 20,
        106,
        46, 66, 8, 116, 29, 61, 99, 80, 90, 37, 123, 51, 25, 84, 129, 56, 4, 109, 96, 28, 36, 47, 11, 71, 33, 102, 21,
        9,
        17, 49, 124, 79, 64, 91, 42, 69, 53, 60, 14, 1, 27, 103, 126, 75, 89, 50, 120, 19, 32, 110, 92, 111, 130, 59,
        31,
        12, 81, 43, 55, 5, 74, 22, 101, 128, 58, 118, 48, 108, 38, 98, 93, 23, 83, 13, 73, 3,
    ]

    static func decode(_ bars: [PostalBar]) -> [UInt8]? {
        guard bars.count == barCount else { return nil }
        let bits = bars.map(\.hasDescender) + bars.map(\.hasAscender)
        var check = 0
        var codewords: [Int] = []
        for character in 0..<10 {
            var value = 0
            for bit in 0..<characterBits where bits[Int(places[characterBits * character + bit]) - 1] {
                value |= 1 << bit
            }
            if value.nonzeroBitCount > 6 {
                value ^= 1 << characterBits - 1
                check |= 1 << character
            }
            guard let codeword = codewordOfCharacter[value] else { return nil }
            codewords.append(codeword)
        }
        if codewords[0] >= 659 {
            codewords[0] -= 659
            check |= 1 << 10
        }
        guard codewords[0] < 659, codewords[9] % 2 == 0, codewords[9] / 2 < 636 else { return nil }
        var number = UInt128(codewords[0])
        for codeword in codewords[1...8] { number = number * 1365 + UInt128(codeword) }
        number = number * 636 + UInt128(codewords[9] / 2)
        guard number >> 102 == 0, remainder(number) == check else { return nil }
        return digits(number)
    }

    /// Returns the routing code and the twenty tracking digits, the second of which is below five; `nil` if the
    /// number is too large.
    private static func digits(_ value: UInt128) -> [UInt8]? {
        var number = value
        var tracking: [UInt8] = []
        for place in 0..<20 {
            let base: UInt128 = place == 18 ? 5 : 10
            tracking.append(UInt8(ascii: "0") + UInt8(number % base))
            number /= base
        }
        // Codes with zero, five, nine and eleven digits are numbered consecutively.
        var count = 0
        for (next, size) in [(5, UInt128(1)), (9, 100_000), (11, 1_000_000_000)] where number >= size {
            number -= size
            count = next
        }
        guard count < 11 || number < 100_000_000_000 else { return nil }
        var routing: [UInt8] = []
        for _ in 0..<count {
            routing.append(UInt8(ascii: "0") + UInt8(number % 10))
            number /= 10
        }
        return Array(tracking.reversed()) + Array(routing.reversed())
    }

    /// Returns the check of eleven bits of the 102 bits of the number (appendix C).
    private static func remainder(_ number: UInt128) -> Int {
        var check = 0x7FF
        for bit in stride(from: 101, through: 0, by: -1) {
            let isSet = (check >> 10 & 1 == 1) != (number >> UInt128(bit) & 1 == 1)
            check = (check << 1 ^ (isSet ? 0xF35 : 0)) & 0x7FF
        }
        return check
    }

    /// The codewords of all characters: first those of five ones, then those of two.
    ///
    /// In each table a character and its mirror image are neighbors, filled from the beginning; symmetric characters
    /// are filled from the end (appendix C).
    private static let codewordOfCharacter: [Int: Int] = {
        var codewords: [Int: Int] = [:]
        for (ones, first, count) in [(5, 0, 1287), (2, 1287, 78)] {
            var (low, high) = (first, first + count - 1)
            for character in 0..<1 << characterBits where character.nonzeroBitCount == ones {
                let mirrored = (0..<characterBits).reduce(0) { $0 << 1 | character >> $1 & 1 }
                if mirrored == character {
                    codewords[character] = high
                    high -= 1
                } else if mirrored > character {
                    codewords[character] = low
                    codewords[mirrored] = low + 1
                    low += 2
                }
            }
        }
        return codewords
    }()
}
