import BarcodeDecoding
import Testing

@testable import BarcodeCore
@testable import Symbols

/// The confidence of symbols, by their check and the evidence for their message.
@Suite struct ConfidenceTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var symbology: Symbology
        var rows = 1
        var correctionUsed: Double?
        var confidence: Double
    }

    static let cases: [Case] = [
        Case(testDescription: "undamaged QR Code", symbology: .qrCode, correctionUsed: 0, confidence: 0.999),
        Case(testDescription: "half of the correction used", symbology: .aztec, correctionUsed: 0.5, confidence: 0.999),
        Case(testDescription: "more than half used", symbology: .pdf417, correctionUsed: 0.51, confidence: 0.995),
        Case(testDescription: "all correction used", symbology: .dataMatrix, correctionUsed: 1, confidence: 0.98),
        Case(testDescription: "correction unknown", symbology: .qrCode, correctionUsed: nil, confidence: 0.98),
        Case(testDescription: "checksum, many rows", symbology: .code128, rows: 16, confidence: 0.998),
        Case(testDescription: "checksum, some rows", symbology: .code93, rows: 3, confidence: 0.99),
        Case(testDescription: "checksum, one row", symbology: .code128, rows: 1, confidence: 0.95),
        Case(testDescription: "check digit, many rows", symbology: .ean13, rows: 9, confidence: 0.995),
        Case(testDescription: "check digit, some rows", symbology: .ean8, rows: 8, confidence: 0.99),
        Case(testDescription: "check digit, two rows", symbology: .dataBar, rows: 2, confidence: 0.95),
        Case(testDescription: "no check, many rows", symbology: .code39, rows: 12, confidence: 0.995),
        Case(testDescription: "no check, some rows", symbology: .itf, rows: 4, confidence: 0.97),
        Case(testDescription: "no check, one row", symbology: .codabar, rows: 1, confidence: 0.9),
        Case(testDescription: "weak check, many rows", symbology: .filmEdge, rows: 30, confidence: 0.95),
        Case(testDescription: "no check, easily another message", symbology: .msi, rows: 30, confidence: 0.95),
        Case(testDescription: "any few bars", symbology: .pharmacode, rows: 30, confidence: 0.5),
    ]

    private static func symbol(_ symbology: Symbology, rows: Int = 1, correctionUsed: Double? = nil) -> Symbol {
        let corner = Point(x: 0, y: 0)
        var symbol = Symbol(
            symbology: symbology, symbologyIdentifier: "]X0", bytes: [0x41], text: "A",
            charset: Charset(name: "us-ascii", source: .symbology),
            corners: Quadrilateral(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner),
            correctionUsed: correctionUsed)
        symbol.weight = rows
        return symbol
    }

    @Test(arguments: cases) func confidence(_ test: Case) {
        let symbol = Self.symbol(test.symbology, rows: test.rows, correctionUsed: test.correctionUsed)
        #expect(symbol.estimatedConfidence == test.confidence)
    }

    @Test(arguments: Symbology.all) func moreRowsNeverLowerIt(_ symbology: Symbology) {
        let confidences = (0...40).map { Self.symbol(symbology, rows: $0).estimatedConfidence }
        #expect(confidences == confidences.sorted())
        #expect(confidences.allSatisfy { $0 > 0 && $0 < 1 })
    }

    @Test(arguments: Symbology.all) func moreCorrectionNeverRaisesIt(_ symbology: Symbology) {
        let confidences = (0...100).map {
            Self.symbol(symbology, correctionUsed: Double($0) / 100).estimatedConfidence
        }
        #expect(confidences == confidences.sorted(by: >))
        #expect(confidences.allSatisfy { $0 > 0 && $0 < 1 })
    }

    /// A decoded symbol has its confidence; one that was made by hand has none.
    @Test func decodedSymbolsHaveIt() throws {
        let symbol = try #require(
            try BarcodeDecoder().decode(contentsOf: BarcodeDecoderTests.samples + "qr.png").first)
        #expect(symbol.confidence == 0.999)
        #expect(Self.symbol(.qrCode).confidence == nil)
    }
}
