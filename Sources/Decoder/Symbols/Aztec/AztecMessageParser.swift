import BarcodeCore

/// Turns the bits of an Aztec symbol's data codewords into its message.
///
/// A state machine over five sets of characters, with latches and shifts between them, and stretches of bytes. A shift
/// returns to the set from which it was called, even where that was shifted to itself.
/// Source: ISO/IEC 24778, "Message encoding" and "Structured append".
struct AztecMessageParser {
    /// What breaks the rules of the encoding: a clause for people.
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
    /// The set that follows the next character.
    private var base = AztecCharacterSet.upper
    /// Where in ``bytes`` an ECI begins to be in force.
    private var ecis: [(start: Int, number: Int)] = []
    /// Where in ``bytes`` FNC1 stands, which is a GS there.
    private var marks: [Int] = []

    /// Parses the bits of a message.
    ///
    /// - Parameter codewordBits: bits of a codeword: as many but one at the most are padding.
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

    /// The stretches of the bytes, one for each character set.
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
                // In a shifted set it returns to that set.
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
        // A latch to the mixed set and back at once says nothing, and marks a header.
        if latches == 29 << 5 | 29 { removeHeader() }
        interpretMarks()
    }

    /// Whether nothing is left but the ones that fill the last codeword.
    private var isPadding: Bool {
        guard bits.remaining < codewordBits else { return false }
        var rest = bits
        let count = rest.remaining
        return (try? rest.read(count)) == 1 << count - 1
    }

    private mutating func readBytes() throws {
        var count = try bits.read(5)
        if count == 0 { count = try bits.read(11) + 31 }
        // Checked first, so that a wild count takes no time.
        guard count * 8 <= bits.remaining else {
            throw Failure(message: "\(count) bytes are announced in \(bits.remaining) bits")
        }
        for _ in 0..<count { bytes.append(UInt8(truncatingIfNeeded: try bits.read(8))) }
    }

    /// FNC1, or an ECI of so many digits.
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
                    throw Failure(message: "the number of an ECI has the code \(code)")
                }
                number = number * 10 + code - 2
            }
            ecis.append((bytes.count, number))
        default: throw Failure(message: "there is no flag \(count)")
        }
    }

    /// Takes the header of a structured append off: a name between spaces, if there is one, and two capitals that tell
    /// place and number.
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

    /// FNC1 before all data, and behind one letter or two digits, says what the message is; elsewhere it is a
    /// separator.
    private mutating func interpretMarks() {
        guard let first = marks.first else { return }
        let beginning = bytes.prefix(first)
        func isLetter(_ byte: UInt8) -> Bool {
            // Clearing the bit makes a small letter a capital.
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
