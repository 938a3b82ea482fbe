import BarcodeCore

/// Parses the bits of an Aztec symbol's data codewords into its message.
///
/// A state machine over five character sets, with latches and shifts between them, and runs of bytes. A shift returns
/// to the previous set, even if that set was itself the result of a shift.
/// Source: ISO/IEC 24778, "Message encoding" and "Structured append".
struct AztecMessageParser {
    /// A violation of the encoding rules, described in a clause for people.
    struct Failure: Error {
        var message: String
    }

    private(set) var bytes: [UInt8] = []
    private(set) var structuredAppend: StructuredAppend?
    private(set) var isGS1 = false
    private(set) var isAIM = false
    private(set) var applicationIndicator: String?
    var hasECI: Bool { !ecis.isEmpty }

    private var bits: BitStream
    private let codewordBits: Int
    private var set = AztecCharacterSet.upper
    /// The set to which a shift returns.
    private var base = AztecCharacterSet.upper
    /// The ECIs, each with its start index in ``bytes``.
    private var ecis: [(start: Int, number: Int)] = []
    /// The indices in ``bytes`` of FNC1, each stored as a GS.
    private var marks: [Int] = []

    /// Parses the bits of a message.
    ///
    /// - Parameter codewordBits: the number of bits in a codeword. The padding has at most one bit less.
    static func parse(_ bits: BitStream, codewordBits: Int) throws(Failure) -> AztecMessageParser {
        var parser = AztecMessageParser(bits: bits, codewordBits: codewordBits)
        do {
            try parser.parseAll()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(message: "the message ends within a character")
        }
        return parser
    }

    private init(bits: BitStream, codewordBits: Int) {
        self.bits = bits
        self.codewordBits = codewordBits
    }

    /// The segments of the bytes, one for each character encoding.
    var segments: [Reading.Segment] {
        var starts: [(start: Int, eci: Int?)] = [(0, nil)]
        for eci in ecis {
            if starts.last?.start == eci.start { starts.removeLast() }
            if starts.last?.eci != eci.number { starts.append((eci.start, eci.number)) }
        }
        return starts.indices.compactMap { index in
            let (start, eci) = starts[index]
            let end = index + 1 < starts.count ? starts[index + 1].start : bytes.count
            guard start < end else { return nil }
            let isPlain = eci == nil && bytes[start..<end].allSatisfy { $0 < 128 }
            return Reading.Segment(range: start..<end, mode: isPlain ? .ascii : .bytes, eci: eci)
        }
    }

    private mutating func parseAll() throws {
        var beginning = bits
        let latches = (try? beginning.read(10)) ?? 0
        while bits.remaining >= set.codeBits, !isPadding {
            let code = try bits.read(set.codeBits)
            switch set.meaning(of: code) {
            case .latch(let next):
                set = next
                base = next
            case .shift(let next):
                base = set
                set = next
            case .binaryShift:
                // After a binary shift within a shifted set, that set stays in force.
                base = set
                try readBytes()
            case .characters(let characters):
                bytes += characters
                set = base
            case .flag:
                try readFlag()
                set = base
            }
        }
        // A latch to the mixed set and straight back has no effect on the text; it marks a structured append header.
        if latches == 29 << 5 | 29 { removeHeader() }
        interpretMarks()
    }

    /// Indicates whether only padding is left: ones that fill the last codeword.
    private var isPadding: Bool {
        guard bits.remaining < codewordBits else { return false }
        var rest = bits
        let count = rest.remaining
        return (try? rest.read(count)) == 1 << count - 1
    }

    private mutating func readBytes() throws {
        var count = try bits.read(5)
        if count == 0 { count = try bits.read(11) + 31 }
        // This check comes first, so that an absurd count costs no time.
        guard count * 8 <= bits.remaining else {
            throw Failure(message: "\(count) bytes are announced, but \(bits.remaining) bits are left")
        }
        for _ in 0..<count { bytes.append(UInt8(truncatingIfNeeded: try bits.read(8))) }
    }

    /// Reads FNC1 or the digits of an ECI.
    private mutating func readFlag() throws {
        let count = try bits.read(3)
        switch count {
        case 0:
            marks.append(bytes.count)
            bytes.append(0x1D)
        case 1...6:
            var number = 0
            for _ in 0..<count {
                let code = try bits.read(4)
                guard (2...11).contains(code) else {
                    throw Failure(message: "the number of an ECI contains the code \(code)")
                }
                number = number * 10 + code - 2
            }
            ecis.append((bytes.count, number))
        default: throw Failure(message: "the flag \(count) is not defined")
        }
    }

    /// Removes the header of a structured append: an optional name between spaces, then two capital letters for index
    /// and count.
    private mutating func removeHeader() {
        var start = 0
        var name: String?
        if bytes.first == UInt8(ascii: " "), let end = bytes.dropFirst().firstIndex(of: UInt8(ascii: " ")) {
            name = String(decoding: bytes[1..<end], as: UTF8.self)
            start = end + 1
        }
        guard start + 2 <= bytes.count else { return }
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard capitals.contains(bytes[start]), capitals.contains(bytes[start + 1]) else { return }
        let index = Int(bytes[start] - capitals.lowerBound)
        let count = Int(bytes[start + 1] - capitals.lowerBound) + 1
        guard count >= 2, index < count else { return }
        structuredAppend = StructuredAppend(index: index, count: count, parity: nil, identifier: name)
        remove(0..<start + 2)
    }

    /// Interprets FNC1.
    ///
    /// Before all data, or after one letter or two digits, it marks the format of the message. Elsewhere it is a
    /// separator.
    private mutating func interpretMarks() {
        guard let first = marks.first else { return }
        let beginning = bytes.prefix(first)
        func isLetter(_ byte: UInt8) -> Bool {
            // Clearing this bit turns a lowercase letter into a capital.
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
        }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        if beginning.isEmpty {
            isGS1 = true
        } else if first == 1 && beginning.allSatisfy(isLetter) || first == 2 && beginning.allSatisfy(isDigit) {
            isAIM = true
            applicationIndicator = String(decoding: beginning, as: UTF8.self)
        } else {
            return
        }
        remove(first..<first + 1)
    }

    private mutating func remove(_ range: Range<Int>) {
        bytes.removeSubrange(range)
        func moved(_ place: Int) -> Int {
            place <= range.lowerBound ? place : max(range.lowerBound, place - range.count)
        }
        for index in ecis.indices { ecis[index].start = moved(ecis[index].start) }
        marks = marks.filter { !range.contains($0) }.map(moved)
    }
}
