import BarcodeCore

/// Parses the bits of a Han Xin symbol's data codewords into its message.
///
/// Source: ISO/IEC 20830, 4.4 (modes). The modes for GS1, for URIs and for Unicode are not supported.
struct HanXinMessageParser {
    /// A violation of the encoding rules.
    struct Failure: Error {
        var message: String
    }

    /// The ECI of GB 18030, the encoding of the Chinese modes.
    private static let chinese = 32

    private(set) var bytes: [UInt8] = []
    private(set) var hasECI = false
    private var bits: BitStream
    /// The starts of the stretches in ``bytes``, and the ECI in force there.
    private var starts: [(start: Int, eci: Int?)] = [(0, nil)]
    /// True if the message uses a Chinese mode before any ECI.
    private var hasChinese = false

    /// Parses the bits of a message.
    static func parse(_ bits: BitStream) throws(Failure) -> HanXinMessageParser {
        var parser = HanXinMessageParser(bits: bits)
        do {
            try parser.parseAll()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(message: "the message ends within a character")
        }
        return parser
    }

    private init(bits: BitStream) { self.bits = bits }

    /// The segments of the bytes.
    ///
    /// If no ECI is in force and Chinese modes are used, all bytes are GB 18030: encoders use the binary mode for
    /// characters for which it is shorter.
    var segments: [Reading.Segment] {
        starts.indices.compactMap { index in
            let (start, named) = starts[index]
            let end = index + 1 < starts.count ? starts[index + 1].start : bytes.count
            guard start < end else { return nil }
            let eci = named ?? (hasChinese ? Self.chinese : nil)
            let isPlain = eci == nil && bytes[start..<end].allSatisfy { $0 < 128 }
            return Reading.Segment(range: start..<end, mode: isPlain ? .ascii : .bytes, eci: eci)
        }
    }

    private mutating func parseAll() throws {
        while bits.remaining >= 4 {
            let mode = try bits.read(4)
            switch mode {
            case 0: return
            case 1: try readNumeric()
            case 2: try readText()
            case 3: try readBytes()
            case 4: try readRegions(first: 1)
            case 5: try readRegions(first: 2)
            case 6: try readPairs()
            case 7: try readFour()
            case 8: try readECI()
            default: throw Failure(message: "the mode \(mode) is not supported")
            }
            if (4...7).contains(mode), starts.last?.eci == nil { hasChinese = true }
        }
    }

    /// Reads numbers of three digits in ten bits; the end code gives the number of digits in the last one.
    private mutating func readNumeric() throws {
        var last: Int?
        while true {
            let value = try bits.read(10)
            if value > 1020 {
                guard let last else { throw Failure(message: "a numeric segment has no digits") }
                return try append(digits: last, count: value - 1020)
            }
            guard value < 1000 else { throw Failure(message: "\(value) is not a group of three digits") }
            if let last { try append(digits: last, count: 3) }
            last = value
        }
    }

    private mutating func append(digits value: Int, count: Int) throws {
        var left = value
        var digits: [UInt8] = []
        for _ in 0..<count {
            digits.append(UInt8(ascii: "0") + UInt8(left % 10))
            left /= 10
        }
        guard left == 0 else { throw Failure(message: "\(value) has more than \(count) digits") }
        bytes += digits.reversed()
    }

    /// Reads text: letters and digits in one set, the rest of ASCII in the other.
    private mutating func readText() throws {
        var isSecond = false
        while true {
            let value = try bits.read(6)
            switch value {
            case 63: return
            case 62: isSecond.toggle()
            default: bytes.append((isSecond ? Self.secondText : Self.firstText)[value])
            }
        }
    }

    private static let firstText = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let secondText: [UInt8] =
        Array(0...27) + Array(32...47) + Array(58...64) + Array(91...96) + Array(123...127)

    private mutating func readBytes() throws {
        let count = try bits.read(13)
        // Checked first, so that a corrupt count takes no time.
        guard count * 8 <= bits.remaining else {
            throw Failure(message: "\(count) bytes are announced, but \(bits.remaining) bits are left")
        }
        for _ in 0..<count { bytes.append(UInt8(truncatingIfNeeded: try bits.read(8))) }
    }

    /// Reads two-byte characters of two regions of GB 18030; a code switches between the regions.
    private mutating func readRegions(first: Int) throws {
        var isFirst = first == 1
        while true {
            let value = try bits.read(12)
            switch value {
            case 4095: return
            case 4094: isFirst.toggle()
            case ..<0xEB0 where isFirst: append(pair: value, from: 0xB0)
            case ..<0xFCA where isFirst: append(pair: value - 0xEB0, from: 0xA1)
            case ..<0xFEA where isFirst: append(pair: value - 0xFCA, from: 0xA8)
            case ..<0xBC0 where !isFirst: append(pair: value, from: 0xD8)
            default: throw Failure(message: "the character \(value) is not in region \(isFirst ? "one" : "two")")
            }
        }
    }

    /// Appends a two-byte character of a region with rows of 94.
    private mutating func append(pair value: Int, from first: Int) {
        bytes += [UInt8(truncatingIfNeeded: first + value / 94), UInt8(truncatingIfNeeded: 0xA1 + value % 94)]
    }

    /// Reads any two-byte characters, in rows of 190.
    private mutating func readPairs() throws {
        while true {
            let value = try bits.read(15)
            if value == 32767 { return }
            guard value < 126 * 190 else { throw Failure(message: "\(value) is not a character of two bytes") }
            let second = 0x40 + value % 190
            // The second byte skips 0x7F.
            bytes += [
                UInt8(truncatingIfNeeded: 0x81 + value / 190),
                UInt8(truncatingIfNeeded: second + (second >= 0x7F ? 1 : 0)),
            ]
        }
    }

    /// Reads a four-byte character.
    private mutating func readFour() throws {
        let value = try bits.read(21)
        guard value < 126 * 12600 else { throw Failure(message: "\(value) is not a character of four bytes") }
        for part in [0x81 + value / 12600, 0x30 + value / 1260 % 10, 0x81 + value / 10 % 126, 0x30 + value % 10] {
            bytes.append(UInt8(truncatingIfNeeded: part))
        }
    }

    /// Reads an ECI number of one, two or three bytes; the leading one bits of the first determine how many.
    private mutating func readECI() throws {
        let number =
            if try bits.read(1) == 0 { try bits.read(7) } else if try bits.read(1) == 0 { try bits.read(14) } else {
                try bits.read(1) == 0 ? try bits.read(21) : Int.max
            }
        guard number <= 999_999 else { throw Failure(message: "the number of an ECI is not valid") }
        hasECI = true
        if starts.last?.start == bytes.count { starts.removeLast() }
        if starts.isEmpty || starts.last?.eci != number { starts.append((bytes.count, number)) }
    }
}
