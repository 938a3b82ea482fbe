import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Aztec symbols of another encoder")
struct AztecFixtureTests {
    @Test("The fixtures have every size, and all runes")
    func fixturesAreThere() {
        let sizes = Set(MatrixFixture.aztec.map(\.grid.width))
        #expect(sizes == Set(AztecSize.all.map(\.side) + [11]))
        #expect(MatrixFixture.aztec.count { $0.grid.width == 11 } == 256)
        for size in AztecSize.all {
            let name = "\(size.isCompact ? "compact" : "full"), \(size.layers) layers"
            #expect(MatrixFixture.aztec.contains { $0.name == name && $0.grid.width == size.side }, "\(name)")
        }
    }

    @Test("A symbol of zint decodes to the encoded bytes", arguments: MatrixFixture.aztec)
    func decodes(_ fixture: MatrixFixture) throws {
        let message = try AztecDecoder.decode(fixture.grid)
        #expect(message.bytes == fixture.bytes)
        #expect(message.symbologyIdentifier == fixture.identifier)
        #expect(message.correctedCodewords == 0)
        #expect(!message.isMirrored)
        #expect(message.size == ModuleCount(columns: fixture.grid.width, rows: fixture.grid.height))
        #expect(message.isReaderProgramming == fixture.name.hasPrefix("reader programming"))
        #expect(message.isRune == fixture.name.hasPrefix("rune"))
        fixture.check(message.segments, append: message.structuredAppend, of: message.bytes)
    }

    @Test("Symbols are read in all orientations, also mirrored", arguments: AztecOrientation.all.indices)
    func orientations(index: Int) throws {
        let orientation = AztecOrientation.all[index]
        for fixture in MatrixFixture.aztec where fixture.name.contains("bytes") || fixture.name.hasPrefix("rune 1") {
            let grid = fixture.grid.upright(orientation)
            let message = try AztecDecoder.decode(grid)
            #expect(message.bytes == fixture.bytes, "\(fixture.name)")
            #expect(message.isMirrored == orientation.isMirrored)
        }
    }

    @Test("The encoder of the tests makes what zint makes of bytes")
    func encoder() throws {
        for size in AztecSize.all {
            let name = "\(size.isCompact ? "compact" : "full"), \(size.layers) layers, bytes"
            let fixture = try #require(MatrixFixture.aztec.first { $0.name == name })
            let mode = try #require(AztecMode.candidates(fixture.grid).first)
            guard fixture.bytes.count != 31, fixture.bytes.count < 2000 else { continue }
            let grid = try AztecEncoder.encode(AztecEncoder.binary(fixture.bytes), size: size, dataCount: 1)
            // zint may have found a shorter encoding for bytes that are letters.
            guard AztecMode.candidates(grid).first?.dataCount == mode.dataCount else { continue }
            let same = zip(grid.modules, fixture.grid.modules).count { $0 == $1 }
            #expect(try AztecDecoder.decode(grid).bytes == fixture.bytes, "\(name), \(same) modules are the same")
        }
        for value in [0, 1, 68, 223, 255] as [UInt8] {
            let fixture = try #require(MatrixFixture.aztec.first { $0.name == "rune \(value)" })
            #expect(AztecEncoder.rune(value).modules == fixture.grid.modules)
        }
    }
}
