import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Damaged Data Matrix symbols")
struct DataMatrixDamageTests {
    static let seed: UInt64 = 21471

    struct Symbol {
        var size: DataMatrixSize
        var bytes: [UInt8]
        var codewords: [UInt8]

        var blocks: [[Int]] { DataMatrixCodewords.blocks(of: size) }
        func grid(_ codewords: [UInt8]) -> ModuleGrid { DataMatrixEncoder.place(codewords, size: size) }

        init(_ size: DataMatrixSize, random: inout SeededGenerator) throws {
            self.size = size
            // The latch and the length take at most three codewords.
            let most = max(0, size.dataCount - 3)
            bytes = (0..<Int.random(in: 0...most, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            let data = try DataMatrixEncoder.padded(
                bytes.isEmpty ? [] : DataMatrixEncoder.base256(bytes), size: size)
            codewords = DataMatrixEncoder.interleave(data, size: size)
        }
    }

    @Test("Codewords up to the capacity of each block may be wrong", arguments: DataMatrixSize.all.indices)
    func errors(index: Int) throws {
        var random = SeededGenerator(seed: Self.seed + UInt64(index))
        for _ in 0..<4 {
            let symbol = try Symbol(DataMatrixSize.all[index], random: &random)
            var codewords = symbol.codewords
            var wrong = 0
            for block in symbol.blocks {
                for place in block.shuffled(using: &random).prefix(symbol.size.blockCheckCount / 2) {
                    codewords[place] ^= UInt8.random(in: 1...255, using: &random)
                    wrong += 1
                }
            }
            let message = try DataMatrixDecoder.decode(symbol.grid(codewords))
            #expect(message.bytes == symbol.bytes, "seed \(Self.seed + UInt64(index))")
            #expect(message.correctedCodewords == wrong)
            let checkCount = symbol.size.blockCheckCount
            #expect(message.correctionUsed == Double(checkCount / 2 * 2) / Double(checkCount))
        }
    }

    @Test("Nearly twice as many erasures as errors are corrected", arguments: DataMatrixSize.all.indices)
    func erasures(index: Int) throws {
        var random = SeededGenerator(seed: Self.seed + 100 + UInt64(index))
        let symbol = try Symbol(DataMatrixSize.all[index], random: &random)
        let placement = DataMatrixPlacement.of(symbol.size)
        let missing = symbol.blocks.flatMap { block in
            block.shuffled(using: &random).prefix(
                symbol.size.blockCheckCount - DataMatrixDecoder.erasureReserve)
        }
        var codewords = symbol.codewords
        for place in missing { codewords[place] = UInt8.random(in: 0...255, using: &random) }
        var grid = symbol.grid(codewords)
        for codeword in missing {
            let place = Int(placement.dataOrder[codeword * 8 + Int.random(in: 0..<8, using: &random)])
            grid.setConfidence(0, place % grid.width, place / grid.width)
        }
        #expect(try DataMatrixDecoder.decode(grid).bytes == symbol.bytes, "seed \(Self.seed + 100 + UInt64(index))")
    }

    @Test("Low confidence helps to correct more errors than without it")
    func guesses() throws {
        var random = SeededGenerator(seed: Self.seed + 200)
        for size in DataMatrixSize.all where size.blockCheckCount >= 12 {
            let symbol = try Symbol(size, random: &random)
            let placement = DataMatrixPlacement.of(size)
            let wrong = symbol.blocks.flatMap { $0.shuffled(using: &random).prefix(size.blockCheckCount - 4) }
            var codewords = symbol.codewords
            for place in wrong { codewords[place] ^= UInt8.random(in: 1...255, using: &random) }
            var grid = symbol.grid(codewords)
            for codeword in wrong {
                let place = Int(placement.dataOrder[codeword * 8])
                grid.setConfidence(UInt8.random(in: 1...60, using: &random), place % grid.width, place / grid.width)
            }
            #expect(try DataMatrixDecoder.decode(grid).bytes == symbol.bytes, "\(size)")
        }
    }

    @Test("Wrong erasures do not reduce the correction of errors")
    func uselessMarks() throws {
        var random = SeededGenerator(seed: Self.seed + 250)
        for size in DataMatrixSize.all {
            let symbol = try Symbol(size, random: &random)
            let place = Int(DataMatrixPlacement.of(size).dataOrder[0])
            var codewords = symbol.codewords
            for block in symbol.blocks {
                for place in block.dropFirst().shuffled(using: &random).prefix(size.blockCheckCount / 2) {
                    codewords[place] ^= UInt8.random(in: 1...255, using: &random)
                }
            }
            var grid = symbol.grid(codewords)
            grid.setConfidence(0, place % grid.width, place / grid.width)
            #expect(try DataMatrixDecoder.decode(grid).bytes == symbol.bytes, "\(size)")
        }
    }

    @Test("A symbol with errors beyond the capacity is refused", arguments: [false, true])
    func tooManyErrors(hasConfidences: Bool) throws {
        var random = SeededGenerator(seed: Self.seed + 300)
        var wrongMessages = 0
        var read = 0
        for _ in 0..<6 {
            for size in DataMatrixSize.all {
                let symbol = try Symbol(size, random: &random)
                var codewords = symbol.codewords
                let block = symbol.blocks[0].shuffled(using: &random)
                let count = size.blockCheckCount / 2 + Int.random(in: 1...6, using: &random)
                for place in block.prefix(count) { codewords[place] ^= UInt8.random(in: 1...255, using: &random) }
                var grid = symbol.grid(codewords)
                if hasConfidences {
                    for y in 0..<grid.height {
                        for x in 0..<grid.width { grid.setConfidence(UInt8.random(in: 1...255, using: &random), x, y) }
                    }
                }
                do {
                    if try DataMatrixDecoder.decode(grid).bytes != symbol.bytes { wrongMessages += 1 }
                    read += 1
                } catch {
                    #expect(error.code == .tooManyErrors || error.code == .badBitStream)
                    #expect(error.symbol == "\(size.columns) by \(size.rows) modules")
                }
            }
        }
        #expect(wrongMessages == 0, "seed \(Self.seed + 300)")
        // With confidences a guess may succeed; without them there is no guess.
        if !hasConfidences { #expect(read == 0, "seed \(Self.seed + 300)") }
    }

    @Test("Noise has no symbol", arguments: [[10, 10], [18, 8], [12, 12], [32, 32], [48, 8]])
    func noise(sides: [Int]) throws {
        var random = SeededGenerator(seed: Self.seed + 400)
        let size = try #require(DataMatrixSize(columns: sides[0], rows: sides[1]))
        let placement = DataMatrixPlacement.of(size)
        var accepted = 0
        for round in 0..<300 {
            var grid = ModuleGrid(width: size.columns, height: size.rows)
            for place in grid.modules.indices { grid.modules[place] = UInt8.random(in: 0...1, using: &random) }
            // Half of them have a valid border, so that random data reaches the codewords.
            if round.isMultiple(of: 2) {
                for place in placement.darkBorder { grid.modules[Int(place)] = 1 }
                for place in placement.lightBorder { grid.modules[Int(place)] = 0 }
                for place in grid.modules.indices {
                    grid.setConfidence(
                        UInt8.random(in: 1...255, using: &random), place % grid.width, place / grid.width)
                }
            }
            if (try? DataMatrixDecoder.decode(grid)) != nil { accepted += 1 }
        }
        #expect(accepted == 0)
    }

    @Test("At most a quarter of the border's modules may be wrong")
    func border() throws {
        var random = SeededGenerator(seed: Self.seed + 500)
        for size in DataMatrixSize.all {
            let clean = try DataMatrixEncoder.encode([66, 67], size: size)
            let placement = DataMatrixPlacement.of(size)
            let border = (placement.darkBorder + placement.lightBorder).shuffled(using: &random)
            var grid = clean
            for place in border.prefix(border.count / 4) { grid.modules[Int(place)] ^= 1 }
            #expect(try DataMatrixDecoder.decode(grid).bytes == [65, 66])
            grid.modules[Int(border[border.count / 4])] ^= 1
            let failure = #expect(throws: MatrixDecodeFailure.self) { try DataMatrixDecoder.decode(grid) }
            #expect(failure?.code == .badPattern)
            // Modules marked as unknown count on neither side.
            for place in border.prefix(border.count / 4 + 1) {
                grid.setConfidence(0, Int(place) % grid.width, Int(place) / grid.width)
            }
            #expect(try DataMatrixDecoder.decode(grid).bytes == [65, 66])
        }
    }

    @Test("The largest size is read with either order of its check codewords")
    func checkOrders() throws {
        let size = try #require(DataMatrixSize(columns: 144, rows: 144))
        let data = try DataMatrixEncoder.padded(DataMatrixEncoder.base256([UInt8](0...255)), size: size)
        for restarts in [false, true] {
            let codewords = DataMatrixEncoder.interleave(data, size: size, restarts: restarts)
            let message = try DataMatrixDecoder.decode(DataMatrixEncoder.place(codewords, size: size))
            #expect(message.bytes == [UInt8](0...255))
            #expect(message.correctedCodewords == 0)
        }
    }

    @Test(
        "A grid of an invalid size is a failure",
        arguments: [[0, 0], [8, 8], [10, 12], [28, 28], [146, 146], [144, 9]])
    func badSize(sides: [Int]) throws {
        let (width, height) = (sides[0], sides[1])
        #expect(
            throws: MatrixDecodeFailure(.badSize, "\(width) by \(height) modules is not a valid size")
        ) {
            try DataMatrixDecoder.decode(ModuleGrid(width: width, height: height))
        }
    }
}
