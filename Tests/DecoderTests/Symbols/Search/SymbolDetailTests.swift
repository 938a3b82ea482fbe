import BarcodeDecoding
import Testing

/// The details of a symbol besides its message.
@Suite(.timeLimit(.minutes(10))) struct SymbolDetailTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var file: String
        var check: Symbol.Check
        var isGS1 = false
        var isMirrored: Bool?
        var isInverted = false
        var level: String?
        var version: Int?
        var modules: Int?
        var testDescription: String { file }
    }

    static let cases: [Case] = [
        Case(file: "qr.png", check: .errorCorrection, isMirrored: false, level: "L", version: 2, modules: 25),
        Case(file: "qr-mirrored.png", check: .errorCorrection, isMirrored: true, level: "L", version: 2, modules: 25),
        Case(
            file: "qr-inverted.png", check: .errorCorrection, isMirrored: false, isInverted: true, level: "L",
            version: 2, modules: 25),
        Case(
            file: "qr-version40.png", check: .errorCorrection, isMirrored: false, level: "L", version: 40, modules: 177),
        Case(file: "ean13.png", check: .checkDigit), Case(file: "upce.png", check: .checkDigit),
        Case(file: "code128.png", check: .checksum), Case(file: "gs1-128.png", check: .checksum, isGS1: true),
        Case(file: "code93.png", check: .checksum), Case(file: "code39.png", check: .agreement),
        Case(file: "itf.png", check: .agreement), Case(file: "codabar.png", check: .agreement),
        Case(file: "databar.png", check: .checkDigit, isGS1: true),
        Case(file: "databar-expanded.png", check: .checkDigit, isGS1: true), Case(file: "sq.png", check: .checksum),
    ]

    @Test(arguments: cases) func details(_ test: Case) throws {
        let symbol = try #require(
            try BarcodeDecoder().decode(contentsOf: BarcodeDecoderTests.samples + test.file).first)
        #expect(symbol.check == test.check)
        #expect(symbol.isGS1 == test.isGS1)
        #expect(symbol.isMirrored == test.isMirrored)
        #expect(symbol.isInverted == test.isInverted)
        #expect(symbol.errorCorrectionLevel == test.level)
        #expect(symbol.version == test.version)
        #expect(symbol.modules == test.modules.map { ModuleCount(columns: $0, rows: $0) })
    }
}
