import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Data Matrix symbols of another encoder")
struct DataMatrixFixtureTests {
    @Test("The fixtures have every size")
    func fixturesAreThere() {
        let sizes = Set(MatrixFixture.dataMatrix.map { [$0.grid.width, $0.grid.height] })
        #expect(sizes == Set(DataMatrixSize.all.map { [$0.columns, $0.rows] }))
        #expect(sizes.count == 24 + 6 + 18)
        #expect(MatrixFixture.dataMatrix.count >= 500)
    }

    @Test("A symbol of zint decodes to the encoded bytes", arguments: MatrixFixture.dataMatrix)
    func decodes(_ fixture: MatrixFixture) throws {
        let message = try DataMatrixDecoder.decode(fixture.grid)
        #expect(message.bytes == fixture.bytes)
        #expect(message.symbologyIdentifier == fixture.identifier)
        #expect(message.correctedCodewords == 0)
        #expect(!message.isMirrored)
        #expect(message.size == ModuleCount(columns: fixture.grid.width, rows: fixture.grid.height))
        #expect(message.isReaderProgramming == (fixture.name == "reader programming"))
        fixture.check(message.segments, append: message.structuredAppend, of: message.bytes)
    }

    @Test("The fixtures have every encodation", arguments: [230, 231, 235, 238, 239, 240] as [UInt8])
    func encodations(latch: UInt8) {
        let count = MatrixFixture.dataMatrix.filter { fixture in
            guard let size = DataMatrixSize(columns: fixture.grid.width, rows: fixture.grid.height) else {
                return false
            }
            let codewords = DataMatrixCodewords.read(fixture.grid, placement: .of(size))
            return codewords.first == latch
        }.count
        #expect(count > 0)
    }

    @Test("A mirrored symbol is read and reported as mirrored", arguments: DataMatrixSize.all.indices)
    func mirrored(index: Int) throws {
        let size = DataMatrixSize.all[index]
        for fixture in MatrixFixture.dataMatrix
        where fixture.grid.width == size.columns && fixture.grid.height == size.rows {
            let mirrored = fixture.grid.antitransposed()
            #expect(mirrored.width == size.rows && mirrored.antitransposed() == fixture.grid)
            let message = try DataMatrixDecoder.decode(mirrored)
            #expect(message.bytes == fixture.bytes)
            #expect(message.isMirrored)
            #expect(message.size == ModuleCount(columns: size.columns, rows: size.rows))
        }
    }

    @Test(
        "Every module except a fixed corner belongs to the border or to one codeword",
        arguments: DataMatrixSize.all.indices)
    func placement(index: Int) {
        let size = DataMatrixSize.all[index]
        let placement = DataMatrixPlacement.of(size)
        #expect(placement.dataOrder.count == size.codewordCount * 8)
        let places = placement.dataOrder + placement.darkBorder + placement.lightBorder + placement.darkCorner
        #expect(Set(places).count == places.count)
        let free = size.columns * size.rows - places.count
        #expect(free == placement.darkCorner.count)
        // In all sizes except the largest, the blocks have equal lengths.
        let blocks = (0..<size.blockCount).map { size.dataCount(ofBlock: $0) }
        #expect(blocks.reduce(0, +) == size.dataCount)
        #expect(size.columns == 144 && size.rows == 144 || Set(blocks).count == 1)
    }

    @Test("Codewords give the modules of zint's symbols", arguments: MatrixFixture.dataMatrix)
    func redrawn(_ fixture: MatrixFixture) throws {
        let size = try #require(DataMatrixSize(columns: fixture.grid.width, rows: fixture.grid.height))
        let codewords = DataMatrixCodewords.read(fixture.grid, placement: .of(size))
        #expect(DataMatrixEncoder.place(codewords, size: size) == fixture.grid)
        #expect(DataMatrixEncoder.interleave(Array(codewords.prefix(size.dataCount)), size: size) == codewords)
    }
}
