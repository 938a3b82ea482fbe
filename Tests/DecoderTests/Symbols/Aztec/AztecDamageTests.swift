import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Damaged Aztec symbols")
struct AztecDamageTests {
    static let seed: UInt64 = 24778

    struct Damaged {
        var size: AztecSize
        var bytes: [UInt8]
        var dataCount: Int
        var codewords: [UInt16]

        var checkCount: Int { size.codewordCount - dataCount }
        func grid(_ codewords: [UInt16]) throws -> ModuleGrid {
            try AztecEncoder.place(codewords, size: size, dataCount: dataCount)
        }

        /// Creates a symbol with random bytes that fill the given share of the codewords.
        init(_ size: AztecSize, share: Double, random: inout SeededGenerator) throws {
            self.size = size
            let room = Int(Double(size.bitCount) * share) - 24
            bytes = (0..<max(1, room / 9)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let data = AztecEncoder.stuffed(AztecEncoder.binary(bytes), codewordBits: size.codewordBits)
            dataCount = data.count
            codewords = try AztecEncoder.codewords(data, size: size)
        }
    }

    @Test("Codewords up to the capacity may be wrong", arguments: AztecSize.all.indices)
    func errors(index: Int) throws {
        var random = SeededGenerator(seed: Self.seed + UInt64(index))
        let symbol = try Damaged(AztecSize.all[index], share: 0.6, random: &random)
        var codewords = symbol.codewords
        let wrong = symbol.checkCount / 2
        for place in codewords.indices.shuffled(using: &random).prefix(wrong) {
            codewords[place] ^= UInt16.random(in: 1..<(1 << UInt16(symbol.size.codewordBits)), using: &random)
        }
        let message = try AztecDecoder.decode(symbol.grid(codewords))
        #expect(message.bytes == symbol.bytes, "seed \(Self.seed + UInt64(index))")
        #expect(message.correctedCodewords == wrong)
        // Of four or five check codewords, some may be reserved for error detection.
        let used = try #require(message.correctionUsed)
        #expect((Double(2 * wrong) / Double(symbol.checkCount)...1).contains(used))
    }

    @Test("Nearly twice as many erasures are corrected", arguments: AztecSize.all.indices)
    func erasures(index: Int) throws {
        var random = SeededGenerator(seed: Self.seed + 100 + UInt64(index))
        let symbol = try Damaged(AztecSize.all[index], share: 0.5, random: &random)
        let placement = AztecPlacement(symbol.size)
        let missing = symbol.codewords.indices.shuffled(using: &random).prefix(symbol.checkCount - 3)
        var codewords = symbol.codewords
        for place in missing { codewords[place] = UInt16(1 << (symbol.size.codewordBits - 1)) }
        var grid = try symbol.grid(codewords)
        let first = symbol.size.bitCount % symbol.size.codewordBits
        for codeword in missing {
            let place = Int(placement.order[first + codeword * symbol.size.codewordBits])
            grid.setConfidence(0, place % grid.width, place / grid.width)
        }
        #expect(try AztecDecoder.decode(grid).bytes == symbol.bytes, "seed \(Self.seed + 100 + UInt64(index))")
    }

    @Test("A symbol with errors beyond the capacity is refused", arguments: [0.3, 0.6, 0.8])
    func tooManyErrors(share: Double) throws {
        var random = SeededGenerator(seed: Self.seed + 200)
        var wrong = 0
        for _ in 0..<20 {
            for size in AztecSize.all where size.layers < 6 {
                let symbol = try Damaged(size, share: share, random: &random)
                var codewords = symbol.codewords
                let count = symbol.checkCount / 2 + Int.random(in: 1...4, using: &random)
                for place in codewords.indices.shuffled(using: &random).prefix(count) {
                    codewords[place] ^= UInt16.random(in: 1..<(1 << UInt16(size.codewordBits)), using: &random)
                }
                if let message = try? AztecDecoder.decode(symbol.grid(codewords)), message.bytes != symbol.bytes {
                    wrong += 1
                }
            }
        }
        #expect(wrong == 0, "seed \(Self.seed + 200)")
    }

    @Test("A mode message and marks with some modules wrong are read", arguments: [true, false])
    func core(isCompact: Bool) throws {
        var random = SeededGenerator(seed: Self.seed + 300)
        let size = AztecSize(isCompact: isCompact, layers: 3)
        let symbol = try Damaged(size, share: 0.5, random: &random)
        let clean = try symbol.grid(symbol.codewords)
        let (middle, radius) = (size.side / 2, size.modeRadius)
        for place in 0..<(2 * radius - 3) {
            // Two words of the mode message, and one of the orientation marks.
            var grid = clean
            let x = middle + place + 2 - radius
            grid[x, middle - radius].toggle()
            grid[middle + radius, x].toggle()
            grid[middle - radius, middle + radius].toggle()
            #expect(try AztecDecoder.decode(grid).bytes == symbol.bytes, "\(place)")
        }
    }

    @Test("A rune tolerates one wrong word, but no other fault")
    func runes() throws {
        for value in [0, 25, 68, 170, 255] as [UInt8] {
            let clean = AztecEncoder.rune(value)
            let text = Array("00\(value)".utf8.suffix(3))
            #expect(try AztecDecoder.decode(clean).bytes == text)
            for along in 2...8 {
                var grid = clean
                grid[along, 0].toggle()
                #expect(try AztecDecoder.decode(grid).bytes == text)
                grid[10, along].toggle()
                // With two wrong words the result is nothing, or the damage was in one word.
                if let other = try? AztecDecoder.decode(grid).bytes { #expect(other == text) }
            }
            for (x, y) in [(0, 0), (10, 0), (10, 10), (0, 10), (5, 5), (3, 4)] {
                var grid = clean
                grid[x, y].toggle()
                #expect(throws: MatrixDecodeFailure.self) { try AztecDecoder.decode(grid) }
            }
        }
    }

    @Test("A symbol of another kind is never read as a rune, and noise in the mode message seldom is")
    func noise() {
        var random = SeededGenerator(seed: Self.seed + 400)
        var runes = 0
        for _ in 0..<20_000 {
            var grid = AztecEncoder.rune(0)
            for along in 2...8 {
                grid[along, 0] = Bool.random(using: &random)
                grid[along, 10] = Bool.random(using: &random)
                grid[0, along] = Bool.random(using: &random)
                grid[10, along] = Bool.random(using: &random)
            }
            if let message = try? AztecDecoder.decode(grid) {
                #expect(message.isRune)
                runes += 1
            }
        }
        // 256 values, each with the words at a distance of one, out of 2^28.
        #expect(runes < 10, "\(runes)")
    }

    @Test(
        "A grid of an invalid size is a failure",
        arguments: [[0, 0], [11, 15], [13, 13], [16, 16], [153, 153], [17, 17]])
    func badSize(sides: [Int]) {
        let failure = #expect(throws: MatrixDecodeFailure.self) {
            try AztecDecoder.decode(ModuleGrid(width: sides[0], height: sides[1]))
        }
        #expect(failure?.code == .badSize)
    }
}
