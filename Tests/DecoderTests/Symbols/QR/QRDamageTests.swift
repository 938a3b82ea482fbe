import TestSupport
import Testing

@testable import Symbols

@Suite("Damaged symbols")
struct QRDamageTests {
    static let seed: UInt64 = 404

    struct Symbol {
        var data: [UInt8]
        var codewords: [UInt8]
        var version: Int
        var level: QRErrorCorrectionLevel
        var mask: Int
        var payload: [UInt8]

        /// The positions of each block's codewords in the interleaved sequence.
        var blocks: [[Int]] {
            QRCodewordReader.blocks(
                codewords.indices.map { UInt8($0 & 255) }, confidences: codewords.indices.map { UInt8($0 >> 8) },
                table: QRBlockTable(version: version, level: level)
            ).map { block in
                zip(block.codewords, block.confidences).map { Int($0) | Int($1) << 8 }
            }
        }

        func grid(_ codewords: [UInt8]) -> ModuleGrid {
            QREncoder.place(codewords, version: version, level: level, mask: mask)
        }
    }

    static func random(_ random: inout SeededGenerator, versions: ClosedRange<Int>) throws -> Symbol {
        let version = Int.random(in: versions, using: &random)
        let level = QRErrorCorrectionLevel.allCases.randomElement(using: &random) ?? .low
        let table = QRBlockTable(version: version, level: level)
        let payload = (0..<Int.random(in: 0...(table.dataCount - 3), using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        let data = try QREncoder.dataCodewords([.bytes(payload)], version: version, level: level)
        return Symbol(
            data: data, codewords: QREncoder.interleave(data, version: version, level: level), version: version,
            level: level, mask: Int.random(in: 0..<8, using: &random), payload: payload)
    }

    @Test("Codewords up to the capacity of each block may be wrong", arguments: 0..<8)
    func errors(round: UInt64) throws {
        var random = SeededGenerator(seed: Self.seed + round)
        for _ in 0..<12 {
            let symbol = try Self.random(&random, versions: 1...40)
            let table = QRBlockTable(version: symbol.version, level: symbol.level)
            let capacity = (table.checkCount - table.misdecodeProtection) / 2
            var codewords = symbol.codewords
            var wrong = 0
            var most = 0
            for block in symbol.blocks {
                let count = Int.random(in: 0...capacity, using: &random)
                most = max(most, count)
                for place in block.shuffled(using: &random).prefix(count) {
                    codewords[place] ^= UInt8.random(in: 1...255, using: &random)
                    wrong += 1
                }
            }
            let message = try QRDecoder.decode(symbol.grid(codewords))
            #expect(message.bytes == symbol.payload, "seed \(Self.seed + round)")
            #expect(message.correctedCodewords == wrong, "seed \(Self.seed + round)")
            let used = Double(2 * most) / Double(table.checkCount - table.misdecodeProtection)
            #expect(message.correctionUsed == used, "seed \(Self.seed + round)")
            #expect(message.version == symbol.version && message.errorCorrectionLevel == symbol.level)
            #expect(message.mask == symbol.mask)
        }
    }

    @Test("Twice as many erasures as errors are corrected", arguments: 0..<4)
    func erasures(round: UInt64) throws {
        var random = SeededGenerator(seed: Self.seed + 100 + round)
        for _ in 0..<20 {
            let symbol = try Self.random(&random, versions: 1...25)
            let table = QRBlockTable(version: symbol.version, level: symbol.level)
            let patterns = FunctionPatterns.of(version: symbol.version)
            var codewords = symbol.codewords
            var missing: [Int] = []
            for block in symbol.blocks {
                missing += block.shuffled(using: &random).prefix(table.checkCount - table.misdecodeProtection)
            }
            for place in missing { codewords[place] = UInt8.random(in: 0...255, using: &random) }
            var grid = symbol.grid(codewords)
            for codeword in missing {
                let place = Int(patterns.dataOrder[codeword * 8 + Int.random(in: 0..<8, using: &random)])
                grid.setConfidence(0, place % grid.size, place / grid.size)
            }
            #expect(try QRDecoder.decode(grid).bytes == symbol.payload, "seed \(Self.seed + 100 + round)")
        }
    }

    /// As many erasures as there are check codewords leave none that could notice an error, but the padding does.
    @Test("An error besides as many erasures as can be corrected is not read as another message")
    func errorBesideErasures() throws {
        let data = try QREncoder.dataCodewords([.bytes(Array("0123456789".utf8))], version: 2, level: .medium)
        var codewords = QREncoder.interleave(data, version: 2, level: .medium)
        codewords[3] ^= 0x55
        var grid = QREncoder.place(codewords, version: 2, level: .medium, mask: 0)
        let patterns = FunctionPatterns.of(version: 2)
        for padding in 12..<28 {
            let place = Int(patterns.dataOrder[padding * 8])
            grid.setConfidence(0, place % grid.size, place / grid.size)
        }
        #expect(throws: MatrixDecodeFailure.self) { try QRDecoder.decode(grid) }
    }

    @Test("Low confidence helps to correct more errors than without it")
    func guesses() throws {
        var random = SeededGenerator(seed: Self.seed + 200)
        for _ in 0..<30 {
            let symbol = try Self.random(&random, versions: 6...20)
            let table = QRBlockTable(version: symbol.version, level: symbol.level)
            let patterns = FunctionPatterns.of(version: symbol.version)
            var codewords = symbol.codewords
            let wrong = symbol.blocks.flatMap { $0.shuffled(using: &random).prefix(table.checkCount - 4) }
            for place in wrong { codewords[place] ^= UInt8.random(in: 1...255, using: &random) }
            var grid = symbol.grid(codewords)
            for codeword in wrong {
                let place = Int(patterns.dataOrder[codeword * 8])
                grid.setConfidence(UInt8.random(in: 1...60, using: &random), place % grid.size, place / grid.size)
            }
            #expect(try QRDecoder.decode(grid).bytes == symbol.payload, "seed \(Self.seed + 200)")
        }
    }

    @Test("Errors beyond the capacity never give a wrong message")
    func tooManyErrors() throws {
        var random = SeededGenerator(seed: Self.seed + 300)
        var failures = 0
        var wrongMessages = 0
        for round in 0..<600 {
            let symbol = try Self.random(&random, versions: 1...10)
            let table = QRBlockTable(version: symbol.version, level: symbol.level)
            var codewords = symbol.codewords
            let block = symbol.blocks[0].shuffled(using: &random)
            let capacity = (table.checkCount - table.misdecodeProtection) / 2
            for place in block.prefix(capacity + Int.random(in: 1...8, using: &random)) {
                codewords[place] ^= UInt8.random(in: 1...255, using: &random)
            }
            var grid = symbol.grid(codewords)
            // Half of them have random confidences, which lead to guesses.
            if round % 2 == 1 {
                for y in 0..<grid.size {
                    for x in 0..<grid.size { grid.setConfidence(UInt8.random(in: 1...255, using: &random), x, y) }
                }
            }
            do {
                if try QRDecoder.decode(grid).bytes != symbol.payload { wrongMessages += 1 }
            } catch {
                #expect(error.code == .tooManyErrors || error.code == .badBitStream)
                failures += 1
            }
        }
        #expect(wrongMessages == 0, "seed \(Self.seed + 300), \(failures) of 600 failed as they should")
    }

    @Test("Noise has no symbol", arguments: [1, 2, 4, 10])
    func noise(version: Int) {
        var random = SeededGenerator(seed: Self.seed + 400)
        var accepted = 0
        for _ in 0..<300 {
            var grid = ModuleGrid(size: QRVersion.size(version))
            for y in 0..<grid.size {
                for x in 0..<grid.size {
                    grid[x, y] = Bool.random(using: &random)
                    grid.setConfidence(UInt8.random(in: 1...255, using: &random), x, y)
                }
            }
            if (try? QRDecoder.decode(grid)) != nil { accepted += 1 }
        }
        #expect(accepted == 0)
    }

    @Test("The format is read with three wrong bits in one copy and any number in the other")
    func format() throws {
        var random = SeededGenerator(seed: Self.seed + 500)
        for level in QRErrorCorrectionLevel.allCases {
            for mask in 0..<8 {
                let clean = try QREncoder.encode([.numeric([0x31])], version: 2, level: level, mask: mask)
                for (good, bad) in [(0, 1), (1, 0)] {
                    var grid = clean
                    let copies = InformationModules.format(size: grid.size)
                    for place in copies[good].shuffled(using: &random).prefix(3) { grid.modules[place] ^= 1 }
                    for place in copies[bad] { grid.modules[place] = UInt8.random(in: 0...1, using: &random) }
                    #expect(try QRDecoder.decode(grid).mask == mask)
                }
            }
        }
    }

    @Test("An unreadable format is a failure of that kind")
    func unreadableFormat() throws {
        var grid = try QREncoder.encode([.numeric([0x31])], version: 2, level: .low)
        // The word at a distance of at least four bits from all others, in both copies.
        let far = (0..<UInt32(1 << 15)).first { word in
            QRFormatInformation.words.allSatisfy { ($0 ^ word).nonzeroBitCount > 4 }
                && QRFormatInformation.words.allSatisfy { ($0 ^ Self.reversed(word)).nonzeroBitCount > 3 }
        }
        QREncoder.write(try #require(far), InformationModules.format(size: grid.size), &grid)
        #expect(
            throws: MatrixDecodeFailure(
                .formatUnreadable, "neither copy of the format information can be read", symbol: "version 2")
        ) {
            try QRDecoder.decode(grid)
        }
    }

    private static func reversed(_ word: UInt32) -> UInt32 {
        (0..<15).reduce(0) { $0 << 1 | (word >> UInt32($1) & 1) }
    }

    @Test("Version information tolerates three wrong bits, and contradicts a wrong size")
    func versionInformation() throws {
        var random = SeededGenerator(seed: Self.seed + 600)
        for version in 7...40 {
            var grid = try QREncoder.encode([.numeric([0x31])], version: version, level: .low)
            let copies = InformationModules.version(size: grid.size)
            for copy in copies {
                for place in copy.shuffled(using: &random).prefix(3) { grid.modules[place] ^= 1 }
            }
            #expect(QRVersionInformation.read(in: grid) == version)
            let other = version == 40 ? 39 : version + 1
            QREncoder.write(QRVersionInformation.words[other - 7], copies, &grid)
            #expect(throws: MatrixDecodeFailure.self) { try QRDecoder.decode(grid) }
        }
    }

    @Test("A grid of an invalid size is a failure", arguments: [0, 1, 17, 20, 22, 23, 181])
    func badSize(size: Int) {
        #expect(throws: MatrixDecodeFailure(.badSize, "no version has \(size) modules on a side")) {
            try QRDecoder.decode(ModuleGrid(size: size))
        }
    }

    @Test("A grid that is not square is a failure")
    func notSquare() {
        #expect(throws: MatrixDecodeFailure(.badSize, "21 by 25 modules are not square")) {
            try QRDecoder.decode(ModuleGrid(width: 21, height: 25))
        }
    }
}
