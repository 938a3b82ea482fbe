import BarcodeCore

/// Parses the codewords of a DotCode symbol into its message.
///
/// Source: AIM DotCode 4.0, 5.2: code sets A, B and C as in Code 128, and a binary mode.
struct DotCodeMessageParser {
    /// A violation of the encoding rules.
    struct Failure: Error {
        var message: String
    }

    /// The code sets and the binary mode.
    private enum CodeSet {
        case a, b, c, bytes
    }

    private(set) var bytes: [UInt8] = []
    private(set) var structuredAppend: StructuredAppend?
    private(set) var isGS1 = false
    private(set) var isAIM = false
    private(set) var isReaderProgramming = false
    var hasECI: Bool { !ecis.isEmpty }

    private let codewords: [Int]
    private var next = 0
    private var set = CodeSet.c
    /// The codewords of the current group; six of them encode five values of base 259.
    private var group: [Int] = []
    /// The number of bytes of an ECI number still to come, and the number so far.
    private var number: (left: Int, value: Int) = (0, 0)
    private var ecis: [(start: Int, number: Int)] = []
    /// The offsets in ``bytes`` of FNC1, which is a GS there.
    private var marks: [Int] = []
    private var trailer: [UInt8] = []

    /// Parses the codewords of a message.
    static func parse(_ codewords: [Int]) throws(Failure) -> DotCodeMessageParser {
        var parser = DotCodeMessageParser(codewords)
        try parser.parseAll()
        return parser
    }

    private init(_ codewords: [Int]) { self.codewords = codewords }

    /// The segments of the bytes, one for each character encoding.
    var segments: [Reading.Segment] {
        let starts = [(start: 0, eci: nil as Int?)] + ecis.map { ($0.start, $0.number) }
        return starts.indices.compactMap { index in
            let (start, eci) = starts[index]
            let end = index + 1 < starts.count ? starts[index + 1].start : bytes.count
            guard start < end else { return nil }
            let isPlain = eci == nil && bytes[start..<end].allSatisfy { $0 < 128 }
            return Reading.Segment(range: start..<end, mode: isPlain ? .ascii : .bytes, eci: eci)
        }
    }

    private mutating func parseAll() throws(Failure) {
        isGS1 = codewords.first.map { $0 <= 100 } ?? false
        while next < codewords.count {
            switch set {
            case .bytes: try readInBytes()
            case .a: try readInA()
            case .b: try readInB()
            case .c: try readInC()
            }
        }
        try endGroup()
        guard number.left == 0 else { throw Failure(message: "the number of an ECI is incomplete") }
        bytes += trailer
        interpretMarks()
    }

    private mutating func take() throws(Failure) -> Int {
        guard next < codewords.count else { throw Failure(message: "the message ends within a character") }
        next += 1
        return codewords[next - 1]
    }

    private mutating func readInA() throws(Failure) {
        let codeword = try take()
        switch codeword {
        case 0..<96: bytes.append(Self.characterOfA(codeword))
        case 96...101: try readB(codeword - 95)
        case 102: set = .b
        default: try readCommon(codeword)
        }
    }

    private mutating func readInB() throws(Failure) {
        let codeword = try take()
        switch codeword {
        case 97...100 where bytes.isEmpty && next == 2: try readMacro(codeword)
        case 0...100: try appendB(codeword)
        case 101:
            let shifted = try take()
            guard shifted < 96 else { throw Failure(message: "code set A has no character \(shifted)") }
            bytes.append(Self.characterOfA(shifted))
        case 102: set = .a
        default: try readCommon(codeword)
        }
    }

    private mutating func readInC() throws(Failure) {
        let codeword = try take()
        switch codeword {
        case 0..<100: appendPair(codeword)
        case 100:
            // An expiry date followed by a batch number.
            appendPair(17)
            try readPairs(3)
            appendPair(10)
        case 101: set = .a
        case 102...105: try readB(codeword - 101)
        case 106: set = .b
        default: try readCommon(codeword)
        }
    }

    /// Handles the codewords from 103 on, which the code sets share.
    private mutating func readCommon(_ codeword: Int) throws(Failure) {
        switch codeword {
        case 103...105: try readPairs(codeword - 101)
        case 106: set = .c
        case 107:
            // Before all data it only means that leading digits are not a GS1 message.
            guard next > 1 else { return }
            marks.append(bytes.count)
            bytes.append(0x1D)
        case 108:
            if next == codewords.count { return try endStructuredAppend() }
            let first = try take()
            guard first >= 40 else { return ecis.append((bytes.count, first)) }
            let (second, third) = (try take(), try take())
            ecis.append((bytes.count, (first - 40) * 12769 + second * 113 + third + 40))
        case 109:
            guard next == 1 else { throw Failure(message: "FNC3 is in the middle of the message") }
            isReaderProgramming = true
        case 110, 111:
            let shifted = try take()
            guard shifted < 96 else { throw Failure(message: "\(shifted) has no upper character") }
            bytes.append(128 + (codeword == 110 ? Self.characterOfA(shifted) : UInt8(shifted + 32)))
        default: set = .bytes
        }
    }

    private mutating func readInBytes() throws(Failure) {
        let codeword = try take()
        switch codeword {
        case 0..<103:
            group.append(codeword)
            if group.count == 6 { try endGroup() }
        case 103...108:
            try endGroup()
            try readPairs(codeword - 101)
        case 109...111:
            try endGroup()
            set = [.a, .b, .c][codeword - 109]
        default: throw Failure(message: "the codeword \(codeword) is not allowed among bytes")
        }
    }

    /// Converts a group of base 103 codewords into values of base 259, one fewer.
    private mutating func endGroup() throws(Failure) {
        guard !group.isEmpty else { return }
        var value = group.reduce(0) { $0 * 103 + $1 }
        let count = group.count - 1
        group = []
        var values: [Int] = []
        for _ in 0..<count {
            values.append(value % 259)
            value /= 259
        }
        guard count > 0, value == 0 else { throw Failure(message: "a group of bytes is out of range") }
        for value in values.reversed() {
            if number.left > 0 {
                guard value < 256 else { throw Failure(message: "the number of an ECI is incomplete") }
                number = (number.left - 1, number.value << 8 | value)
                if number.left == 0 {
                    guard number.value <= 999_999 else { throw Failure(message: "there is no ECI \(number.value)") }
                    ecis.append((bytes.count, number.value))
                }
            } else if value < 256 {
                bytes.append(UInt8(value))
            } else {
                number = (value - 255, 0)
            }
        }
    }

    private mutating func readB(_ count: Int) throws(Failure) {
        for _ in 0..<count { try appendB(take()) }
    }

    private mutating func readPairs(_ count: Int) throws(Failure) {
        for _ in 0..<count {
            let pair = try take()
            guard pair < 100 else { throw Failure(message: "\(pair) is not a pair of digits") }
            appendPair(pair)
        }
    }

    private mutating func appendPair(_ pair: Int) {
        bytes += [UInt8(48 + pair / 10), UInt8(48 + pair % 10)]
    }

    private mutating func appendB(_ codeword: Int) throws(Failure) {
        switch codeword {
        case 0..<96: bytes.append(UInt8(codeword + 32))
        case 96: bytes += [13, 10]
        case 97...100: bytes.append([9, 0x1C, 0x1D, 0x1E][codeword - 97])
        default: throw Failure(message: "code set B has no character \(codeword)")
        }
    }

    private static func characterOfA(_ codeword: Int) -> UInt8 { UInt8(codeword < 64 ? codeword + 32 : codeword - 64) }

    /// Reads the header of a message in the format of ISO/IEC 15434, and sets its trailer.
    private mutating func readMacro(_ codeword: Int) throws(Failure) {
        bytes += Array("[)>\u{1E}".utf8)
        if codeword == 100 {
            try readB(2)
            trailer = [4]
        } else {
            bytes += Array(["05", "06", "12"][codeword - 97].utf8) + [0x1D]
            trailer = [0x1E, 4]
        }
    }
}

extension DotCodeMessageParser {
    /// Removes the two characters before the last FNC2: the index in a structured append, and the number of symbols.
    private mutating func endStructuredAppend() throws(Failure) {
        func value(_ byte: UInt8) -> Int? {
            switch byte {
            case UInt8(ascii: "1")...UInt8(ascii: "9"): Int(byte) - 48
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 55
            default: nil
            }
        }
        guard
            let (index, count) = bytes.count >= 2
                ? (value(bytes[bytes.count - 2]), value(bytes[bytes.count - 1])) : nil,
            let index, let count, index <= count, ecis.last.map({ $0.start <= bytes.count - 2 }) ?? true
        else { throw Failure(message: "the position among several symbols is not valid") }
        bytes.removeLast(2)
        structuredAppend = StructuredAppend(index: index - 1, count: count, parity: nil)
    }

    /// Handles FNC1 after one letter or two digits: the message has an industry-specific format.
    private mutating func interpretMarks() {
        guard let first = marks.first, !isGS1, first == 1 || first == 2 else { return }
        let beginning = bytes.prefix(first)
        guard
            first == 1
                ? beginning.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xDF) })
                : beginning.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return }
        isAIM = true
        bytes.remove(at: first)
        for index in ecis.indices where ecis[index].start > first { ecis[index].start -= 1 }
    }
}
