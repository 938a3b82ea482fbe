import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("QR Code model 1")
struct QRModel1Tests {
    private static let levels: [QRErrorCorrectionLevel] = [.low, .medium, .quartile, .high]

    private static func payload(version: Int, level: QRErrorCorrectionLevel) -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(version))
        let count = QRModel1.blockTable(version: version, level: level).dataCount - 4
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private static func symbol(version: Int, level: QRErrorCorrectionLevel) throws -> ModuleGrid {
        try QREncoder.encodeModel1(
            [.bytes(payload(version: version, level: level))], version: version, level: level, mask: version % 8)
    }

    @Test("The codewords of a version fill the symbol around finder patterns and timing patterns", arguments: 1...14)
    func codewords(version: Int) {
        let size = 17 + 4 * version
        let order = QRModel1.patterns(version: version).dataOrder.map(Int.init)
        #expect(Set(order).count == order.count)
        for place in order {
            let (y, x) = place.quotientAndRemainder(dividingBy: size)
            let isUnderFinder = (x < 9 && y < 9) || (x > size - 9 && y < 9) || (x < 9 && y > size - 9)
            #expect(!isUnderFinder && x != 6 && y != 6, "column \(x), row \(y)")
        }
        for level in Self.levels {
            let table = QRModel1.blockTable(version: version, level: level)
            // ISO/IEC 18004:2000, table M.4: some levels of versions 7 to 14 leave up to four codewords unused.
            #expect((0...4).contains(order.count / 8 - table.codewordCount), "level \(level.rawValue)")
        }
    }

    @Test("Every version and level is decoded, upright and mirrored", arguments: 1...14, levels)
    func decodes(version: Int, level: QRErrorCorrectionLevel) throws {
        let grid = try Self.symbol(version: version, level: level)
        for grid in [grid, grid.transposed()] {
            let message = try QRDecoder.decode(grid)
            #expect(message.bytes == Self.payload(version: version, level: level))
            #expect(message.model == 1)
            #expect(message.symbologyIdentifier == "]Q0")
            #expect(message.errorCorrectionLevel == level)
            #expect(message.correctedCodewords == 0)
        }
        #expect(try QRDecoder.decode(grid.transposed()).isMirrored)
    }

    @Test("Wrong codewords are corrected up to the limit of a block, and more are a failure", arguments: [3, 8, 14])
    func corrects(version: Int) throws {
        let (level, table) = (QRErrorCorrectionLevel.high, QRModel1.blockTable(version: version, level: .high))
        let order = QRModel1.patterns(version: version).dataOrder
        let correctable = table.checkCount / 2
        func damaged(_ count: Int) throws -> ModuleGrid {
            var grid = try Self.symbol(version: version, level: level)
            // Codeword 0 begins with the corner, so the damage is in the data of the first block after it.
            for codeword in 1...count { grid.modules[Int(order[8 * codeword])] ^= 1 }
            return grid
        }
        let most = min(correctable, table.shortDataCount - 1)
        let message = try QRDecoder.decode(damaged(most))
        #expect(message.bytes == Self.payload(version: version, level: level))
        #expect(message.correctedCodewords == most)
        if most == correctable, table.shortDataCount > correctable + 1 {
            #expect(throws: MatrixDecodeFailure.self) { try QRDecoder.decode(damaged(correctable + 1)) }
        }
    }

    @Test("A picture is read, and the reading says model 1", arguments: [1, 2, 7, 14], [2.0, 4.5])
    func pictures(version: Int, modulePixels: Double) throws {
        let grid = try Self.symbol(version: version, level: .medium)
        let renderer = SymbolRenderer(grid, modulePixels: modulePixels, degrees: 10)
        let reading = try QRReader().read(renderer.image(), corners: renderer.corners).reading
        #expect(reading.bytes == Self.payload(version: version, level: .medium))
        #expect(Symbology.qrCode.traits.symbologyIdentifier(reading) == "]Q0")
    }
}
