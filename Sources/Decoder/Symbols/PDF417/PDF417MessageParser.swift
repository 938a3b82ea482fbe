import BarcodeCore

/// Parses the data codewords of a PDF417 symbol into its message.
///
/// Codewords from 900 on tell how to read those that follow; until then the mode is text. MicroPDF417 has the same
/// codewords and some more, and begins in byte compaction.
/// Source: ISO/IEC 15438, 5.4 (encodation), 5.5 (ECI), annex H (Macro PDF417); ISO/IEC 24728, 5.4.
struct PDF417MessageParser {
    /// A violation of the encoding rules, described in a clause for people.
    struct Failure: Error {
        var message: String
        /// True if the codewords belong to a composite component.
        var isPartOfComposite = false

        var code: MatrixDecodeFailure.Code { isPartOfComposite ? .partOfComposite : .badBitStream }
    }

    /// The function codewords.
    enum Function {
        static let textLatch = 900
        static let byteLatch = 901
        static let numericLatch = 902
        /// Only at the beginning of MicroPDF417: the emulated start of a Code 128 message.
        static let emulations = 903...915
        static let byteShift = 913
        static let macro05 = 916
        static let macro06 = 917
        static let otherLinkageFlag = 918
        static let linkageFlag = 920
        static let readerProgramming = 921
        static let macroTerminator = 922
        static let macroField = 923
        static let sixByteLatch = 924
        static let userECI = 925
        static let generalECI = 926
        static let characterECI = 927
        static let macroBlock = 928
    }

    private(set) var bytes: [UInt8] = []
    private(set) var segments: [Reading.Segment] = []
    private(set) var macro: PDF417Message.Macro?
    private(set) var isReaderProgramming = false
    /// The kind of Code 128 symbol that the message emulates; `nil` for none.
    private(set) var emulation: MicroPDF417Message.Emulation?

    private let data: [Int]
    private let isMicro: Bool
    private let isComposite: Bool
    private(set) var position = 0
    private var mode: Mode
    private var text = PDF417TextCompaction()
    private var eci: Int?
    /// True if a codeword stands for the header and the trailer of ISO/IEC 15434.
    private var hasEnvelope = false
    /// The index in ``bytes`` from which on they are not in a segment yet.
    private var open = 0

    private init(_ data: [Int], isMicro: Bool, isComposite: Bool) {
        self.data = data
        self.isMicro = isMicro
        self.isComposite = isComposite
        mode = isMicro ? .bytes : .text
    }

    /// Parses data codewords, without the length descriptor and the check codewords.
    ///
    /// - Parameters:
    ///   - data: the data codewords.
    ///   - isMicro: true for MicroPDF417.
    ///   - isComposite: true for part of a composite symbol, which begins with the codeword 920 (ISO/IEC 24723, 9).
    /// - Throws: ``Failure`` if the codewords violate the encoding rules.
    static func parse(
        _ data: [Int], isMicro: Bool = false, isComposite: Bool = false
    ) throws(Failure) -> PDF417MessageParser {
        if isComposite, data.first != Function.linkageFlag {
            throw Failure(message: "the symbol is not part of a composite symbol")
        }
        var parser = PDF417MessageParser(data, isMicro: isMicro, isComposite: isComposite)
        try parser.parseAll()
        return parser
    }

    private var isAtEnd: Bool { position >= data.count }

    private mutating func next() throws(Failure) -> Int {
        guard position < data.count else { throw Failure(message: "the message ends within a sequence of codewords") }
        position += 1
        return data[position - 1]
    }

    /// Reads the number of an ECI after its function codeword.
    private mutating func readECI(_ function: Int) throws(Failure) {
        let first = try nextOfECI()
        switch function {
        case Function.userECI: eci = 810_900 + first
        case Function.generalECI: eci = (first + 1) * 900 + (try nextOfECI())
        default: eci = first
        }
    }

    /// Returns the next codeword, which is a part of the number of an ECI.
    private mutating func nextOfECI() throws(Failure) -> Int {
        let codeword = try next()
        guard codeword < 900 else { throw Failure(message: "the number of an ECI contains the codeword \(codeword)") }
        return codeword
    }

    /// Returns the codewords up to the next function codeword.
    private mutating func dataRun() -> ArraySlice<Int> {
        let start = position
        while position < data.count, data[position] < Function.textLatch { position += 1 }
        return data[start..<position]
    }

    private enum Mode {
        case text
        case bytes
        case sixBytes
        case digits
    }

    private mutating func parseAll() throws(Failure) {
        while !isAtEnd {
            try read(dataRun(), mode)
            guard !isAtEnd else { break }
            let codeword = try next()
            switch codeword {
            case Function.textLatch: (mode, text) = (.text, PDF417TextCompaction())
            case Function.byteLatch: mode = .bytes
            case Function.sixByteLatch: mode = .sixBytes
            case Function.numericLatch: mode = .digits
            case Function.byteShift:
                // An ECI may stand between the shift and the byte.
                var byte = try next()
                while (Function.userECI...Function.characterECI).contains(byte) {
                    try readECI(byte)
                    byte = try next()
                }
                guard byte < 256 else { throw Failure(message: "a byte shift is followed by the codeword \(byte)") }
                bytes.append(UInt8(byte))
                // A shift of the alphabet before it was padding.
                text.endShift()
                close(.bytes)
            case Function.userECI...Function.characterECI: try readECI(codeword)
            case Function.macroBlock: try readMacro()
            case Function.readerProgramming:
                guard position == 1 else { throw Failure(message: "the codeword 921 is not at the beginning") }
                isReaderProgramming = true
            case Function.linkageFlag where isComposite && position == 1: break
            case Function.linkageFlag:
                throw Failure(message: "the symbol is a part of a composite symbol", isPartOfComposite: position == 1)
            case Function.otherLinkageFlag where isMicro: break
            case Function.macro05 where isMicro: try beginEnvelope("05", .digits)
            case Function.macro06 where isMicro: try beginEnvelope("06", .text)
            case Function.emulations where isMicro && position == 1: try beginEmulation(codeword)
            default:
                throw Failure(message: "the function codeword \(codeword) is not defined")
            }
        }
        if hasEnvelope { append([0x1E, 0x04]) }
    }

    private mutating func append(_ ascii: [UInt8]) {
        bytes += ascii
        close(.ascii)
    }

    /// Begins a message of ISO/IEC 15434 with its header; the trailer follows the last codeword.
    private mutating func beginEnvelope(_ format: String, _ next: Mode) throws(Failure) {
        guard bytes.isEmpty, emulation == nil else {
            throw Failure(message: "the codeword of a header is not at the beginning")
        }
        hasEnvelope = true
        append(Array("[)>\u{1E}\(format)\u{1D}".utf8))
        (mode, text) = (next, PDF417TextCompaction(isMixed: true))
    }

    /// Handles the first codeword of a message that emulates Code 128.
    private mutating func beginEmulation(_ codeword: Int) throws(Failure) {
        switch codeword {
        case 903, 904, 906, 907: emulation = .gs1
        case 905:
            emulation = .gs1
            append(Array("01".utf8))
        case 914:
            emulation = .gs1
            append(Array("10".utf8))
        case 915:
            emulation = .gs1
            append(Array("21".utf8))
        case 908, 909: emulation = .application
        case 910, 911: emulation = .plain
        default: throw Failure(message: "the kind of date after the codeword \(codeword) is not supported")
        }
        // The second codeword of each pair is for digits.
        mode = [904, 905, 907, 909, 911].contains(codeword) ? .digits : .text
    }

    private mutating func read(_ run: ArraySlice<Int>, _ mode: Mode) throws(Failure) {
        guard !run.isEmpty else { return }
        switch mode {
        case .text:
            for codeword in run {
                text.append(codeword / 30, to: &bytes)
                text.append(codeword % 30, to: &bytes)
            }
            close(.ascii)
        case .digits:
            guard let digits = PDF417NumericCompaction.digits(run) else {
                throw Failure(message: "a group of codewords is not a valid number")
            }
            bytes += digits
            close(.ascii)
        case .bytes, .sixBytes:
            // 901 means that the last group of the block is incomplete, and an ECI may separate two groups of a block.
            let isWhole = mode == .sixBytes || blockContinues && run.count % 5 == 0
            guard let decoded = PDF417ByteCompaction.bytes(run, isWhole: isWhole) else {
                throw Failure(message: "a single codeword in byte compaction is larger than a byte")
            }
            bytes += decoded
            close(.bytes)
        }
    }

    /// Indicates whether codewords of the same block of bytes follow after one or more ECIs.
    private var blockContinues: Bool {
        var place = position
        while place < data.count {
            switch data[place] {
            case Function.userECI, Function.characterECI: place += 2
            case Function.generalECI: place += 3
            default: return place > position && data[place] < Function.textLatch
            }
        }
        return false
    }

    /// Puts the bytes since the last call into a segment, or appends them to the last one if its mode and ECI are
    /// the same.
    ///
    /// With an ECI, text may be any bytes, such as the halves of a character.
    private mutating func close(_ mode: Reading.Segment.Mode) {
        guard bytes.count > open else { return }
        let mode = eci == nil ? mode : .bytes
        if let last = segments.last, last.mode == mode, last.eci == eci {
            segments[segments.count - 1].range = last.range.lowerBound..<bytes.count
        } else {
            segments.append(Reading.Segment(range: open..<bytes.count, mode: mode, eci: eci))
        }
        open = bytes.count
    }

    /// Parses the control block of Macro PDF417 at the end of the data: the index of the symbol, the file
    /// identifier, and optional fields.
    private mutating func readMacro() throws(Failure) {
        let index = PDF417NumericCompaction.number([try next(), try next()])
        guard let index, index < 99_999 else { throw Failure(message: "a segment has no index") }
        var block = PDF417Message.Macro(index: index)
        // Three digits a codeword.
        for codeword in dataRun() {
            block.fileIdentifier += String(repeating: "0", count: codeword < 10 ? 2 : codeword < 100 ? 1 : 0)
            block.fileIdentifier += String(codeword)
        }
        while !isAtEnd {
            switch try next() {
            case Function.macroTerminator: block.isLast = true
            case Function.macroField: try readMacroField(&block)
            case let codeword where codeword >= Function.textLatch:
                // The compaction mode of a field.
                continue
            default: continue
            }
        }
        macro = block
    }

    private mutating func readMacroField(_ block: inout PDF417Message.Macro) throws(Failure) {
        let field = try next()
        if position < data.count, data[position] == Function.textLatch || data[position] == Function.numericLatch {
            position += 1
        }
        let run = dataRun()
        switch field {
        case 0: block.fileName = Self.fieldText(run)
        case 1: block.count = PDF417NumericCompaction.number(Array(run)).flatMap { $0 > 0 ? $0 : nil }
        case 2: block.timeStamp = PDF417NumericCompaction.number(Array(run))
        case 3: block.sender = Self.fieldText(run)
        case 4: block.addressee = Self.fieldText(run)
        case 5: block.fileSize = PDF417NumericCompaction.number(Array(run))
        case 6: block.checksum = PDF417NumericCompaction.number(Array(run))
        default: break
        }
    }

    private static func fieldText(_ run: ArraySlice<Int>) -> String {
        var text = PDF417TextCompaction()
        var bytes: [UInt8] = []
        for codeword in run {
            text.append(codeword / 30, to: &bytes)
            text.append(codeword % 30, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
