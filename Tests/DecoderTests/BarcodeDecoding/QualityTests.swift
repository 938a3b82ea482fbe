import BarcodeCore
import TestSupport
import Testing

@testable import BarcodeDecoding
@testable import Symbols

/// The module size and the contrast of symbols that were read.
@Suite(.timeLimit(.minutes(10))) struct QualityTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var rendition: Rendition
        var testDescription: String { rendition.description }

        init(
            _ symbol: SampleSymbol, modulePixels: Double, _ change: (inout SymbolRenderer) -> Void = { _ in }
        ) {
            rendition = Rendition(symbol, modulePixels: modulePixels, change)
        }
    }

    static func cases() throws -> [Case] {
        try [
            Case(.qr(version: 1), modulePixels: 3), Case(.qr(version: 5), modulePixels: 6.4) { $0.degrees = 30 },
            Case(.qr(version: 10), modulePixels: 2.5) { ($0.dark, $0.light) = (90, 200) },
            Case(.qr(version: 3), modulePixels: 8) { ($0.dark, $0.light, $0.noise) = (100, 150, 4) },
            Case(.linear(.ean13), modulePixels: 2), Case(.linear(.ean8), modulePixels: 4.5) { $0.degrees = 20 },
            Case(.linear(.code128), modulePixels: 3) { ($0.dark, $0.light) = (60, 140) },
            Case(.linear(.code128), modulePixels: 5) { $0.degrees = 75 },
            Case(.linear(.code39), modulePixels: 3), Case(.linear(.code39), modulePixels: 2) { $0.degrees = 8 },
            Case(.linear(.itf), modulePixels: 3) { $0.degrees = 30 },
        ]
    }

    /// The module size is within 5 % of that of the drawing, the contrast within 0.04.
    @Test(arguments: try cases()) func quality(_ test: Case) throws {
        let found = try BarcodeDecoder().decode(test.rendition.image())
        try #require(test.rendition.problem(found) == nil)
        let symbol = try #require(found.first)
        let (renderer, truth) = (test.rendition.renderer, test.rendition.renderer.modulePixels)
        let size = try #require(symbol.moduleSize)
        #expect(abs(size - truth) <= 0.05 * truth)
        let contrast = try #require(symbol.contrast)
        #expect(abs(contrast - (renderer.light - renderer.dark) / 255) <= 0.04)
        #expect(symbol.correctionUsed == (symbol.symbology == .qrCode ? 0 : nil))
    }

    /// Of each symbology whose width depends on its message or is that of a clock, drawn by other encoders.
    @Test(arguments: [
        ("codabar.png", 2), ("code39.png", 2), ("code39-extended.png", 4), ("code93.png", 2), ("databar.png", 4),
        ("databar-expanded.png", 4), ("databar-expanded-stacked.png", 4), ("databar-limited.png", 4), ("itf.png", 4),
        ("telepen.png", 4), ("film-edge.png", 4), ("intelligent-mail.png", 4),
    ]) func modulesOfSamples(_ name: String, _ module: Double) throws {
        let options = DecodeOptions(symbologies: Set(Symbology.all))
        let path = ProgramRunner.samplesFolder + name
        let symbol = try #require(try BarcodeDecoder().decode(contentsOf: path, options: options).first)
        let size = try #require(symbol.moduleSize)
        #expect(abs(size - module) <= 0.02 * module)
    }

    @Test("A rune that needed no correction says so")
    func correctionOfRunes() throws {
        let path = ProgramRunner.samplesFolder + "aztec-rune.png"
        let symbol = try #require(try BarcodeDecoder().decode(contentsOf: path, options: DecodeOptions()).first)
        #expect(symbol.correctionUsed == 0)
    }

    /// Tilted, the direction in which the modules are smaller counts.
    @Test func tiltMakesModulesSmaller() throws {
        let test = try Case(.qr(version: 3), modulePixels: 6) { $0.tilt = 40 }
        let symbol = try #require(try BarcodeDecoder().decode(test.rendition.image()).first)
        let size = try #require(symbol.moduleSize)
        #expect((0.6 * 6...0.9 * 6).contains(size))
    }

    /// Nothing is measured outside of the image.
    @Test func symbolOutsideTheImageHasNoContrast() throws {
        let image = LumaImage(width: 20, height: 20, pixels: [UInt8](repeating: 255, count: 400))
        var symbol = try #require(
            try BarcodeDecoder().decode(Case(.qr(version: 1), modulePixels: 3).rendition.image()).first)
        symbol.corners = symbol.corners.moved(right: 500, down: 0)
        #expect(symbol.measured(in: image).contrast == nil)
    }
}
