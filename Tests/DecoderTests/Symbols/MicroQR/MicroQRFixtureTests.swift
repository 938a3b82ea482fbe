import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Micro QR and rMQR symbols of another encoder")
struct MicroQRFixtureTests {
    static let sizes = MicroQRSize.squares + MicroQRSize.rectangles

    @Test("The fixtures have every size, level and mode")
    func fixturesAreThere() {
        let fixtures = MatrixFixture.microQR
        #expect(
            Set(fixtures.map { [$0.grid.width, $0.grid.height] }) == Set(Self.sizes.map { [$0.width, $0.height] }))
        #expect(Self.sizes.count == 4 + 32)
        for size in Self.sizes {
            let levels = (QRErrorCorrectionLevel.allCases + [nil]).filter { size.blockTable($0) != nil }
            for level in levels {
                let start = "\(size.name) level \(level?.rawValue ?? "-"), "
                let names = fixtures.map(\.name).filter { $0.hasPrefix(start) }
                #expect(names.contains { $0.contains("digits") })
                let modes = size.segmentFormat.modes.count
                #expect(names.contains { $0.contains("bytes") } == (modes > 2), "\(start)")
                #expect(names.contains { $0.contains("Kanji") } == (modes > 3), "\(start)")
            }
        }
    }

    @Test("A symbol of zint decodes to the encoded bytes", arguments: MatrixFixture.microQR)
    func decodes(_ fixture: MatrixFixture) throws {
        let message = try MicroQRDecoder.decode(fixture.grid)
        #expect(message.bytes == fixture.bytes)
        #expect(message.symbologyIdentifier == fixture.identifier)
        #expect(message.correctedCodewords == 0)
        #expect(!message.isMirrored)
        #expect(message.size == ModuleCount(columns: fixture.grid.width, rows: fixture.grid.height))
        #expect(message.isRectangular == (fixture.grid.width != fixture.grid.height))
        #expect(fixture.name.contains("level \(message.errorCorrectionLevel?.rawValue ?? "-"), "))
        fixture.check(message.segments, append: nil, of: message.bytes)
    }

    @Test("A mirrored symbol is read and reported as mirrored", arguments: sizes.indices)
    func mirrored(index: Int) throws {
        let size = Self.sizes[index]
        for fixture in MatrixFixture.microQR
        where fixture.grid.width == size.width && fixture.grid.height == size.height {
            let message = try MicroQRDecoder.decode(fixture.grid.transposed())
            #expect(message.bytes == fixture.bytes)
            #expect(message.isMirrored)
        }
    }

    @Test("Function patterns have the same positions as in zint's symbols", arguments: sizes.indices)
    func patterns(index: Int) throws {
        let size = Self.sizes[index]
        let grids = MatrixFixture.microQR.map(\.grid).filter { $0.width == size.width && $0.height == size.height }
        for grid in grids {
            let marks = FunctionMarks(grid, size: size)
            #expect(marks.wrong == 0 && marks.known > 60)
        }
        let order = size.patterns.dataOrder
        #expect(Set(order).count == order.count)
        #expect(order.allSatisfy { size.patterns.roles[Int($0)] == .data })
        #expect(order.count == size.patterns.roles.filter { $0 == .data }.count)
    }
}
