import BarcodeCore
import Testing

@testable import Symbols

@Suite("Symbols of other encoders")
struct QRFixtureTests {
    @Test("The fixtures have every version and level")
    func fixturesAreThere() {
        #expect(MatrixFixture.qr.count >= 290)
    }

    @Test("A symbol of qrencode or zint decodes to the encoded bytes", arguments: MatrixFixture.qr)
    func decodes(_ fixture: MatrixFixture) throws {
        let message = try QRDecoder.decode(fixture.grid)
        #expect(message.bytes == fixture.bytes)
        #expect(message.symbologyIdentifier == fixture.identifier)
        #expect(message.correctedCodewords == 0)
        #expect(!message.isMirrored)
        fixture.check(message.segments, append: message.structuredAppend, of: message.bytes)
    }

    @Test("The version and level are those requested from the encoder")
    func versionsAndLevels() throws {
        for fixture in MatrixFixture.qr {
            let words = fixture.name.split(separator: " ")
            guard words.count == 5, words[1] == "version", words[3] == "level" else { continue }
            let message = try QRDecoder.decode(fixture.grid)
            #expect(String(message.version) == words[2], "\(fixture.name)")
            #expect(message.errorCorrectionLevel.rawValue == words[4], "\(fixture.name)")
        }
    }

    @Test(
        "A mirrored symbol is read and reported as mirrored", arguments: MatrixFixture.qr.filter { $0.grid.size < 60 })
    func mirrored(_ fixture: MatrixFixture) throws {
        let message = try QRDecoder.decode(fixture.grid.transposed())
        #expect(message.bytes == fixture.bytes)
        #expect(message.isMirrored)
    }
}
