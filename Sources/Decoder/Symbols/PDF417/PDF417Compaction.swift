/// The state of text compaction: the current one of its four alphabets; a codeword has two values (ISO/IEC 15438,
/// 5.4.2).
struct PDF417TextCompaction {
    private enum Alphabet: Int {
        case capitals
        case small
        case mixed
        case punctuation
    }

    private var alphabet: Alphabet
    /// The alphabet of the next value only.
    private var shifted: Alphabet?

    /// Starts in the uppercase or the mixed alphabet.
    init(isMixed: Bool = false) {
        alphabet = isMixed ? .mixed : .capitals
    }

    private static let mixed = Array("0123456789&\r\t,:#-.$/+%*=^".utf8)
    private static let punctuation = Array(";<>@[\\]_`~!\r\t,:\n-.$/\"|*()?{}'".utf8)

    /// Cancels a shift without a following value.
    mutating func endShift() { shifted = nil }

    /// Decodes a value from 0 to 29.
    mutating func append(_ value: Int, to bytes: inout [UInt8]) {
        let current = shifted ?? alphabet
        shifted = nil
        switch (current, value) {
        case (.capitals, 0..<26): bytes.append(0x41 + UInt8(value))
        case (.small, 0..<26): bytes.append(0x61 + UInt8(value))
        case (.mixed, 0..<25): bytes.append(Self.mixed[value])
        case (.punctuation, 0..<29): bytes.append(Self.punctuation[value])
        case (.punctuation, _): alphabet = .capitals
        case (_, 26): bytes.append(0x20)
        case (.capitals, 27), (.mixed, 27): alphabet = .small
        case (.small, 27): shifted = .capitals
        case (.capitals, 28), (.small, 28): alphabet = .mixed
        case (.mixed, 25): alphabet = .punctuation
        case (.mixed, 28): alphabet = .capitals
        default: shifted = .punctuation
        }
    }
}

/// Byte compaction: six bytes in five codewords (ISO/IEC 15438, 5.4.3).
enum PDF417ByteCompaction {
    /// Returns the bytes of a run of codewords; `nil` if a codeword for a single byte exceeds 255.
    ///
    /// - Parameter isWhole: true if the last five codewords are also six bytes, not five.
    static func bytes(_ run: ArraySlice<Int>, isWhole: Bool) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(run.count * 6 / 5)
        var rest = run
        while rest.count > 5 || rest.count == 5 && isWhole {
            var value = rest.prefix(5).reduce(0) { $0 * 900 + $1 }
            var group: [UInt8] = []
            for _ in 0..<6 {
                group.append(UInt8(truncatingIfNeeded: value))
                value >>= 8
            }
            guard value == 0 else { return nil }
            bytes += group.reversed()
            rest = rest.dropFirst(5)
        }
        for codeword in rest {
            guard let byte = UInt8(exactly: codeword) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}

/// Numeric compaction: up to 44 digits behind a 1 as a number of up to 15 codewords (ISO/IEC 15438, 5.4.4).
enum PDF417NumericCompaction {
    private static let groupLength = 15

    /// Returns the digits of a run of codewords; `nil` if a group does not begin with the digit 1.
    static func digits(_ run: ArraySlice<Int>) -> [UInt8]? {
        var digits: [UInt8] = []
        var rest = run
        while !rest.isEmpty {
            // The last digit comes first.
            var number: [Int] = []
            for codeword in rest.prefix(groupLength) {
                var carry = codeword
                for place in number.indices {
                    let value = number[place] * 900 + carry
                    number[place] = value % 10
                    carry = value / 10
                }
                while carry > 0 {
                    number.append(carry % 10)
                    carry /= 10
                }
            }
            guard number.last == 1 else { return nil }
            digits += number.dropLast().reversed().map { 0x30 + UInt8($0) }
            rest = rest.dropFirst(groupLength)
        }
        return digits
    }

    /// Returns the number encoded by a run of codewords; `nil` if it is invalid or has more than 18 digits.
    static func number(_ run: [Int]) -> Int? {
        guard let digits = digits(run[...]), !digits.isEmpty, digits.count <= 18 else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
