internal import BarcodeCore

/// Parses the data codewords of a MaxiCode symbol, after the structured carrier message, into bytes.
///
/// Source: ISO/IEC 16023, 4.4 to 4.9 and annex A.
struct MaxiCodeMessageParser {
    /// A violation of the encoding rules.
    struct Failure: Error {
        var message: String
    }

    private(set) var bytes: [UInt8] = []
    private(set) var segments: [Reading.Segment] = []
    private(set) var structuredAppend: StructuredAppend?
    private(set) var hasECI = false

    private let data: [UInt8]
    private var position = 0
    private var eci: Int?
    /// The start in ``bytes`` of the stretch that is not yet in a segment.
    private var open = 0
    /// The latched set, and the set of the next characters.
    private var latched = MaxiCodeCodeSet.a
    private var current = MaxiCodeCodeSet.a
    /// The number of characters left of a shift.
    private var shifted = 0

    private init(data: [UInt8]) {
        self.data = data
    }

    /// Parses codewords of six bits.
    ///
    /// - Throws: ``Failure`` for a length greater than the number of codewords left, an ECI out of range, and a
    ///   number of more than nine digits.
    static func parse(_ data: [UInt8]) throws(Failure) -> MaxiCodeMessageParser {
        var parser = MaxiCodeMessageParser(data: data)
        parser.readStructuredAppend()
        while parser.position < data.count { try parser.readNext() }
        parser.close()
        return parser
    }

    private mutating func next() throws(Failure) -> Int {
        guard position < data.count else {
            throw Failure(message: "the message is longer than its \(data.count) codewords")
        }
        position += 1
        return Int(data[position - 1] & 63)
    }

    private mutating func readNext() throws(Failure) {
        let isShifted = shifted > 0
        switch current.symbol(UInt8(try next())) {
        case .byte(let byte): bytes.append(byte)
        case .shift(let set):
            current = set
            shifted = 1
            return
        case .shiftA(let count):
            current = .a
            shifted = count
            return
        case .latch(let set):
            latched = set
            current = set
            shifted = 0
        case .lockIn:
            latched = current
            shifted = 0
        case .eci: try readECI()
        case .number: try readNumber()
        case .pad: break
        }
        if isShifted, shifted > 0 { shifted -= 1 }
        if shifted == 0 { current = latched }
    }

    /// Reads the index in a structured append, which a pad at the very beginning announces (4.9.1).
    private mutating func readStructuredAppend() {
        guard data.count >= 2, case .pad = MaxiCodeCodeSet.a.symbol(data[0] & 63) else { return }
        let (index, count) = (Int(data[1] >> 3 & 7), Int(data[1] & 7) + 1)
        // Two pads, at the start of a symbol without a message, would be the fifth symbol of two.
        guard count > 1, index < count else { return }
        structuredAppend = StructuredAppend(index: index, count: count)
        position = 2
    }

    /// Reads an ECI number of one to four codewords; the leading one bits of the first determine how many (4.6, table
    /// 3).
    private mutating func readECI() throws(Failure) {
        let first = try next()
        var value: Int
        let more: Int
        switch first {
        case 0..<0x20: (value, more) = (first, 0)
        case 0x20..<0x30: (value, more) = (first & 0x0F, 1)
        case 0x30..<0x38: (value, more) = (first & 0x07, 2)
        default: (value, more) = (first & 0x03, 3)
        }
        for _ in 0..<more { value = value << 6 | (try next()) }
        guard value <= 999_999 else { throw Failure(message: "the ECI \(value) is not valid") }
        close()
        eci = value
        hasECI = true
    }

    private mutating func readNumber() throws(Failure) {
        var value = 0
        for _ in 0..<5 { value = value << 6 | (try next()) }
        guard value <= 999_999_999 else { throw Failure(message: "\(value) has more than nine digits") }
        bytes += MaxiCodeCarrierMessage.digits(value, count: 9)
    }

    /// Puts the unassigned bytes into a segment.
    ///
    /// With an ECI, ASCII may be any bytes, such as the halves of a character.
    private mutating func close() {
        guard bytes.count > open else { return }
        let mode: Reading.Segment.Mode = eci != nil || bytes[open...].contains { $0 > 127 } ? .bytes : .ascii
        segments.append(Reading.Segment(range: open..<bytes.count, mode: mode, eci: eci))
        open = bytes.count
    }

    /// Inserts the fields of a carrier message as the standard has them transmitted: after the header if the message
    /// begins with one, otherwise first (4.5.1 and annex B).
    mutating func insert(_ carrier: MaxiCodeCarrierMessage) {
        let header = Array("[)>\u{1E}01\u{1D}".utf8)
        // The year of the format follows the header.
        let place = bytes.starts(with: header) && bytes.count >= header.count + 2 ? header.count + 2 : 0
        let fields = carrier.bytes
        bytes.insert(contentsOf: fields, at: place)
        segments = segments.map { segment in
            var segment = segment
            let lower = segment.range.lowerBound + (segment.range.lowerBound >= place ? fields.count : 0)
            let upper = segment.range.upperBound + (segment.range.upperBound >= place ? fields.count : 0)
            segment.range = lower..<upper
            return segment
        }
        if place == 0 { segments.insert(Reading.Segment(range: 0..<fields.count, mode: .ascii, eci: nil), at: 0) }
    }
}
