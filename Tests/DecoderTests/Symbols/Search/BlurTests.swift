import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@testable import Symbols

/// Pictures out of focus.
@Suite("Blurred pictures")
struct BlurTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var grid: @Sendable () throws -> ModuleGrid
        var bytes: @Sendable () throws -> [UInt8]
        /// The standard deviation of the blur, in modules.
        var blur: Double

        init(_ test: MatrixCase, blur: Double) {
            (testDescription, grid, bytes, self.blur) = (test.testDescription, test.grid, test.bytes, blur)
        }

        init(pdf417 name: String, in file: String, blur: Double) {
            let drawing: @Sendable () throws -> PDF417Tests.Drawing = {
                try #require(try PDF417Tests.drawings(file).first { $0.name == name })
            }
            testDescription = "\(file), \(name)"
            grid = { try drawing().grid(rowHeight: 3) }
            bytes = { try drawing().bytes }
            self.blur = blur
        }

        static let all =
            MatrixCase.all.prefix(3).map { Case($0, blur: 0.6) } + MatrixCase.all.suffix(1).map { Case($0, blur: 0.5) }
            + [
                Case(pdf417: "2 columns", in: "pdf417.tsv", blur: 0.7),
                Case(pdf417: "4 by 20", in: "micro-pdf417.tsv", blur: 0.7),
            ]
    }

    @Test("A symbol is read although its edges are wider than its modules", arguments: Case.all, [0.0, 7, 90])
    func isRead(_ test: Case, degrees: Double) throws {
        var renderer = SymbolRenderer(try test.grid(), modulePixels: 4, degrees: degrees)
        renderer.blur = test.blur
        renderer.noise = 2
        #expect(try BarcodeDecoder().decode(renderer.image()).map(\.bytes) == [try test.bytes()])
    }

    @Test("Soft edges are told from sharp ones")
    func detection() throws {
        for degrees in [0.0, 20, 45] {
            var renderer = SymbolRenderer(try QRPictureTests.symbol(version: 3), modulePixels: 4, degrees: degrees)
            #expect(!renderer.image().isBlurred)
            renderer.blur = 0.5
            #expect(renderer.image().isBlurred)
        }
        #expect(!LumaImage(width: 1, height: 9, pixels: Array(0..<9)).isBlurred)
    }

    @Test("Sharpening raises what differs from the mean around, up to black and white", arguments: [1, 3])
    func sharpening(reach: Int) {
        // A step of 40 between two plain halves.
        let image = LumaImage(width: 16, height: 9) { pixels in
            for place in pixels.indices { pixels[place] = place % 16 < 8 ? 100 : 140 }
        }
        let result = image.sharpened(reach: reach)
        let row = (0..<16).map { Int(result[x: $0, y: 4]) }
        for x in 0..<16 {
            // The share of the window beyond the step.
            let beyond = max(0, reach + 1 - (x < 8 ? 8 - x : x - 7))
            let change = Double(3 * 40 * beyond) / Double(2 * reach + 1)
            #expect(abs(Double(row[x]) - (x < 8 ? max(0, 100 - change) : min(255, 140 + change))) <= 1, "column \(x)")
        }
        #expect((0..<9).allSatisfy { y in (0..<16).allSatisfy { Int(result[x: $0, y: y]) == row[$0] } })
    }
}
