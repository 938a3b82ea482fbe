import BarcodeCore

/// Parses the data codewords of a symbol into its message.
///
/// It is a state machine over the segments of the bit stream. Source: ISO/IEC 18004, "Data encodation" and "Modes";
/// the Hanzi mode is that of GB/T 18284.
struct QRMessageParser {
    /// A violation of the rules of the bit stream, described in a clause for people.
    struct Failure: Error {
        var message: String
    }

    private(set) var bytes: [UInt8] = []
    private(set) var segments: [Reading.Segment] = []
    private(set) var structuredAppend: StructuredAppend?
    private(set) var isGS1 = false
    private(set) var isAIM = false
    private(set) var applicationIndicator: String?
    private(set) var hasECI = false
    /// True if the codewords after the terminator are the padding of the standard.
    private(set) var isPaddingRegular = true

    private let data: [UInt8]
    private var bits: BitStream
    private let format: QRSegmentFormat
    private var eci: Int?

    private init(data: [UInt8], bitCount: Int?, format: QRSegmentFormat) {
        self.data = data
        bits = BitStream(data, count: bitCount)
        self.format = format
    }

    /// Parses the data codewords of a QR Code symbol.
    ///
    /// - Throws: as ``parse(_:bitCount:format:)``.
    static func parse(_ data: [UInt8], version: Int) throws(Failure) -> QRMessageParser {
        try parse(data, format: .qrCode(version: version))
    }

    /// Parses the data codewords of a symbol.
    ///
    /// - Parameters:
    ///   - data: the data codewords.
    ///   - bitCount: the number of valid bits if the last codeword is short; `nil` for all.
    ///   - format: the format of the segment headers.
    /// - Throws: ``Failure`` for an unknown mode, an invalid value in a mode, or a segment longer than the remaining
    ///   bits.
    static func parse(_ data: [UInt8], bitCount: Int? = nil, format: QRSegmentFormat) throws(Failure) -> QRMessageParser
    {
        var parser = QRMessageParser(data: data, bitCount: bitCount, format: format)
        do {
            try parser.parseAll()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(message: "a segment is longer than the \(parser.bits.count) bits of the symbol")
        }
        return parser
    }

    private mutating func parseAll() throws {
        _ = try bits.read(format.unusedBits)
        // Fewer bits at the end than a terminator has are a shortened one.
        while bits.remaining >= format.terminatorBits {
            if bits.isZero(next: format.terminatorBits) {
                _ = try bits.read(format.terminatorBits)
                checkPadding()
                return
            }
            let indicator = try bits.read(format.indicatorBits)
            guard format.modes.indices.contains(indicator), let mode = format.modes[indicator] else {
                throw Failure(message: "the mode \(indicator) is not defined")
            }
            try readSegment(mode)
        }
        if !bits.isZero(next: bits.remaining) { isPaddingRegular = false }
    }

    private mutating func readSegment(_ mode: QRSegmentFormat.Mode) throws {
        let start = bytes.count
        switch mode {
        case .numeric:
            try readNumeric()
            close(from: start, .ascii)
        case .alphanumeric:
            try readAlphanumeric()
            close(from: start, .ascii)
        case .bytes:
            try readBytes()
            close(from: start, .bytes)
        case .kanji:
            try readKanji()
            close(from: start, .kanji)
        case .hanzi:
            try readHanzi()
            close(from: start, .bytes, eci: 29)
        case .eci:
            eci = try readECI()
            hasECI = true
        case .structuredAppend:
            let index = try bits.read(4)
            let count = try bits.read(4) + 1
            structuredAppend = StructuredAppend(index: index, count: count, parity: UInt8(try bits.read(8)))
        case .firstFNC1:
            // FNC1 has a meaning only before all data; elsewhere the standard leaves it undefined.
            if start == 0 { isGS1 = true }
        case .secondFNC1:
            try readApplicationIndicator()
        }
    }

    private mutating func close(from start: Int, _ mode: Reading.Segment.Mode, eci explicit: Int? = nil) {
        guard bytes.count > start else { return }
        segments.append(Reading.Segment(range: start..<bytes.count, mode: mode, eci: explicit ?? eci))
    }

    private mutating func readNumeric() throws {
        var left = try bits.read(format.numericCount)
        while left > 0 {
            let digits = min(left, 3)
            let value = try bits.read([4, 7, 10][digits - 1])
            guard value < [10, 100, 1000][digits - 1] else {
                throw Failure(message: "a group of \(digits) digits has the value \(value)")
            }
            if digits == 3 { bytes.append(0x30 + UInt8(value / 100)) }
            if digits >= 2 { bytes.append(0x30 + UInt8(value / 10 % 10)) }
            bytes.append(0x30 + UInt8(value % 10))
            left -= digits
        }
    }

    private static let alphanumeric = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    private mutating func readAlphanumeric() throws {
        let start = bytes.count
        var left = try bits.read(format.alphanumericCount)
        while left > 0 {
            let characters = min(left, 2)
            let value = try bits.read(characters == 2 ? 11 : 6)
            guard value < (characters == 2 ? 45 * 45 : 45) else {
                throw Failure(message: "\(characters) alphanumeric characters have the value \(value)")
            }
            if characters == 2 { bytes.append(Self.alphanumeric[value / 45]) }
            bytes.append(Self.alphanumeric[value % 45])
            left -= characters
        }
        if isGS1 || isAIM { unescapeSeparators(from: start) }
    }

    /// Converts `%` in alphanumeric mode to GS, and `%%` to `%`, in a symbol with FNC1.
    private mutating func unescapeSeparators(from start: Int) {
        let percent = UInt8(ascii: "%")
        var source = start
        var target = start
        while source < bytes.count {
            if bytes[source] != percent {
                bytes[target] = bytes[source]
            } else if source + 1 < bytes.count, bytes[source + 1] == percent {
                bytes[target] = percent
                source += 1
            } else {
                bytes[target] = 0x1D
            }
            source += 1
            target += 1
        }
        bytes.removeSubrange(target...)
    }

    private mutating func readBytes() throws {
        let count = try bits.read(format.byteCount)
        // Checked first, so that an invalid count allocates no memory.
        guard count * 8 <= bits.remaining else { throw BitStream.EndOfBits() }
        bytes.reserveCapacity(bytes.count + count)
        for _ in 0..<count {
            bytes.append(UInt8(try bits.read(8)))
        }
    }

    private mutating func readKanji() throws {
        for _ in 0..<(try bits.read(format.kanjiCount)) {
            let value = try bits.read(13)
            let compact = (value / 0xC0) << 8 | value % 0xC0
            appendPair(compact + (compact < 0x1F00 ? 0x8140 : 0xC140))
        }
    }

    private mutating func readHanzi() throws {
        let subset = try bits.read(4)
        guard subset == 1 else { throw Failure(message: "the Hanzi subset \(subset) is not defined") }
        for _ in 0..<(try bits.read(format.kanjiCount)) {
            let value = try bits.read(13)
            let compact = (value / 0x60) << 8 | value % 0x60
            appendPair(compact + (compact < 0x0A00 ? 0xA1A1 : 0xA6A1))
        }
    }

    private mutating func appendPair(_ value: Int) {
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    /// Reads an ECI designator of one, two or three bytes; the leading one bits of the first byte give the length.
    private mutating func readECI() throws -> Int {
        let first = try bits.read(8)
        if first & 0x80 == 0 { return first }
        if first & 0xC0 == 0x80 { return (first & 0x3F) << 8 | (try bits.read(8)) }
        guard first & 0xE0 == 0xC0 else { throw Failure(message: "an ECI designator begins with the byte \(first)") }
        let value = (first & 0x1F) << 16 | (try bits.read(16))
        guard value <= 999_999 else { throw Failure(message: "the ECI \(value) is not valid") }
        return value
    }

    /// Reads the indicator of FNC1 in the second position: two digits as their value, or a letter as its ASCII code
    /// plus 100.
    private mutating func readApplicationIndicator() throws {
        let value = try bits.read(8)
        guard bytes.isEmpty, !isAIM else { return }
        let indicator: [UInt8]
        switch value {
        case 0...99: indicator = [0x30 + UInt8(value / 10), 0x30 + UInt8(value % 10)]
        case 165...190, 197...222: indicator = [UInt8(value - 100)]
        default: throw Failure(message: "invalid application indicator \(value)")
        }
        isAIM = true
        applicationIndicator = String(decoding: indicator, as: UTF8.self)
        bytes += indicator
        segments.append(Reading.Segment(range: 0..<indicator.count, mode: .ascii, eci: eci))
    }

    /// Checks the padding after the terminator: zero bits to the end of the codeword, then 0xEC and 0x11
    /// alternately, and zero bits in a short last codeword.
    private mutating func checkPadding() {
        let first = (bits.position + 7) / 8
        let gap = first * 8 - bits.position
        if gap > 0, data[first - 1] & (UInt8(1 << gap) - 1) != 0 { isPaddingRegular = false }
        let whole = bits.count / 8
        for (index, codeword) in data[min(first, whole)..<whole].enumerated()
        where codeword != (index % 2 == 0 ? 0xEC : 0x11) {
            isPaddingRegular = false
        }
        if first <= whole, whole < data.count, data[whole] != 0 { isPaddingRegular = false }
    }
}
