import BarcodeCore

/// Parses the data codewords of a Data Matrix symbol into its message.
///
/// A state machine over the encodations: ASCII, which holds all control codewords, and those that it latches to.
/// Source: ISO/IEC 16022, "Data encodation", "Symbol structure" and its annexes on randomizing.
struct DataMatrixMessageParser {
    /// A violation of the encoding rules.
    struct Failure: Error {
        var message: String
    }

    private(set) var bytes: [UInt8] = []
    private(set) var segments: [Reading.Segment] = []
    private(set) var structuredAppend: StructuredAppend?
    private(set) var isGS1 = false
    private(set) var isAIM = false
    private(set) var applicationIndicator: String?
    private(set) var isReaderProgramming = false
    private(set) var hasECI = false
    /// True if the codewords after the message are the padding of the standard.
    private(set) var isPaddingRegular = true

    let data: [UInt8]
    /// The number of codewords read so far.
    var position = 0
    private var eci: Int?
    private var hasMacro = false
    /// The start in ``bytes`` of the stretch that is not yet in a segment.
    private var open = 0
    /// The number of ASCII data codewords so far, a latch counting as two.
    ///
    /// FNC1 is a flag if it follows none or one.
    private var leadingCodewords = 0

    private init(data: [UInt8]) {
        self.data = data
    }

    /// The number of codewords left.
    var remaining: Int { data.count - position }

    /// Parses the data codewords of a symbol.
    ///
    /// - Throws: ``Failure`` for a codeword or a value that its encodation does not define, or a length greater than
    ///   the number of codewords left.
    static func parse(_ data: [UInt8]) throws(Failure) -> DataMatrixMessageParser {
        var parser = DataMatrixMessageParser(data: data)
        try parser.parseAll()
        parser.close(isBinary: false)
        return parser
    }

    /// Reads the next codeword.
    mutating func next() throws(Failure) -> UInt8 {
        guard position < data.count else {
            throw Failure(message: "the message is longer than the \(data.count) codewords of the symbol")
        }
        position += 1
        return data[position - 1]
    }

    /// Appends a byte to the message.
    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    private mutating func parseAll() throws(Failure) {
        while remaining > 0 {
            let codeword = try next()
            switch codeword {
            case 1...128:
                append(codeword - 1)
                leadingCodewords += 1
            case 129:
                checkPadding()
                position = data.count
            case 130...229:
                appendPair(Int(codeword) - 130)
                leadingCodewords += 1
            case 230, 231, 238...240: try readEncodation(codeword)
            case 232: readFNC1()
            case 233: try readStructuredAppend()
            case 234:
                try requireFirst(codeword)
                isReaderProgramming = true
            case 235: try readUpperShift()
            case 236: try readMacro("05", codeword)
            case 237: try readMacro("06", codeword)
            case 241:
                close(isBinary: false)
                eci = try readECI()
                hasECI = true
            case 254 where remaining == 0:
                // Some encoders return to ASCII with the last codeword, although nothing follows.
                break
            default:
                throw Failure(message: "ASCII encodation has no codeword \(codeword)")
            }
        }
        if hasMacro { bytes += [0x1E, 0x04] }
    }

    private mutating func readEncodation(_ latch: UInt8) throws(Failure) {
        // After a latch, FNC1 is not a flag.
        leadingCodewords += 2
        switch latch {
        case 230: try readC40(.c40)
        case 238: try readX12()
        case 239: try readC40(.text)
        case 240: try readEDIFACT()
        default:
            close(isBinary: false)
            try readBase256()
            close(isBinary: true)
        }
    }

    /// Puts the unassigned bytes into a segment; merges it with the previous one if mode and ECI are the same.
    ///
    /// With an ECI, ASCII may be any bytes, such as the halves of a character.
    private mutating func close(isBinary: Bool) {
        guard bytes.count > open else { return }
        let mode: Reading.Segment.Mode =
            isBinary || eci != nil || bytes[open...].contains { $0 > 127 } ? .bytes : .ascii
        if let last = segments.last, last.mode == mode, last.eci == eci {
            segments[segments.count - 1].range = last.range.lowerBound..<bytes.count
        } else {
            segments.append(Reading.Segment(range: open..<bytes.count, mode: mode, eci: eci))
        }
        open = bytes.count
    }

    private mutating func appendPair(_ value: Int) {
        append(0x30 + UInt8(value / 10))
        append(0x30 + UInt8(value % 10))
    }

    private mutating func readUpperShift() throws(Failure) {
        let codeword = try next()
        guard (1...128).contains(codeword) else {
            throw Failure(message: "an upper shift is followed by the codeword \(codeword)")
        }
        append(codeword + 127)
        leadingCodewords += 1
    }

    /// Handles FNC1: a flag before all data, or after one codeword of one letter or two digits; elsewhere a
    /// separator.
    private mutating func readFNC1() {
        if leadingCodewords == 0, !isGS1, !hasMacro {
            isGS1 = true
        } else if leadingCodewords == 1, !isGS1, !isAIM, !hasMacro, isApplicationIndicator {
            isAIM = true
            applicationIndicator = String(decoding: bytes, as: UTF8.self)
        } else {
            append(0x1D)
        }
    }

    private var isApplicationIndicator: Bool {
        // Clearing the bit makes a lowercase letter uppercase.
        bytes.count == 2 || bytes.count == 1 && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[0] & 0xDF)
    }

    private func requireFirst(_ codeword: UInt8) throws(Failure) {
        guard bytes.isEmpty, leadingCodewords == 0 else {
            throw Failure(message: "the codeword \(codeword) is not at the beginning")
        }
    }

    private mutating func readMacro(_ number: String, _ codeword: UInt8) throws(Failure) {
        try requireFirst(codeword)
        guard !isGS1 else { throw Failure(message: "a macro follows FNC1") }
        hasMacro = true
        bytes += Array("[)>\u{1E}\(number)\u{1D}".utf8)
    }

    /// Reads a codeword with the index and the number of symbols, and two with the file identifier.
    private mutating func readStructuredAppend() throws(Failure) {
        guard position == 1 else { throw Failure(message: "the codeword 233 is not at the beginning") }
        let sequence = Int(try next())
        let index = sequence >> 4
        let count = 17 - sequence & 15
        guard (2...16).contains(count), index < count else {
            throw Failure(message: "symbol \(index + 1) of \(count) is not a valid position")
        }
        let first = try next()
        let second = try next()
        guard (1...254).contains(first), (1...254).contains(second) else {
            throw Failure(message: "\(first), \(second) is not a valid file identifier")
        }
        structuredAppend = StructuredAppend(
            index: index, count: count, identifier: String(Int(first) << 8 | Int(second)))
    }

    /// Reads an ECI number of one, two or three codewords; the first determines how many.
    private mutating func readECI() throws(Failure) -> Int {
        let first = Int(try next())
        let value: Int
        switch first {
        case 1...127: value = first - 1
        case 128...191: value = (first - 128) * 254 + (try readECIDigit()) + 127
        case 192...207:
            let second = try readECIDigit()
            value = (first - 192) * 64516 + second * 254 + (try readECIDigit()) + 16383
        default: throw Failure(message: "an ECI begins with the codeword \(first)")
        }
        guard value <= 999_999 else { throw Failure(message: "the ECI \(value) is not valid") }
        return value
    }

    private mutating func readECIDigit() throws(Failure) -> Int {
        let codeword = try next()
        guard (1...254).contains(codeword) else { throw Failure(message: "an ECI has the codeword \(codeword)") }
        return Int(codeword) - 1
    }

    /// Checks the padding: each pad after the first is 129 plus a pseudo-random number, 1 to 253, of its position,
    /// wrapped at 254.
    private mutating func checkPadding() {
        for place in position..<data.count {
            let sum = 129 + 149 * (place + 1) % 253 + 1
            if Int(data[place]) != (sum > 254 ? sum - 254 : sum) { isPaddingRegular = false }
        }
    }
}
