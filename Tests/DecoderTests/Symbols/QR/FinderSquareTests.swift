import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@testable import Symbols

/// Symbols of which the rings of the finder patterns are damaged or touch something.
@Suite("QR symbols by the squares within their finder patterns")
struct FinderSquareTests {
    private static let (modulePixels, margin, version) = (5, 6, 3)

    /// A rectangle to paint, in modules from the top left of the symbol.
    struct Patch: Sendable {
        var (x, y, width, height): (Int, Int, Int, Int)
        var isDark: Bool

        init(_ x: Int, _ y: Int, _ width: Int, _ height: Int, isDark: Bool) {
            (self.x, self.y, self.width, self.height, self.isDark) = (x, y, width, height, isDark)
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var hasDarkGround = false
        var patches: [Patch] = []
    }

    /// The side of the symbol, in modules.
    private static let side = 29

    static let cases = [
        Case(testDescription: "no quiet zone on a dark ground", hasDarkGround: true),
        Case(
            testDescription: "a dark band above and one to the left",
            patches: [Patch(-6, -6, 41, 6, isDark: true), Patch(-6, -6, 6, 41, isDark: true)]),
        Case(
            testDescription: "a gap in the outer ring of each pattern",
            patches: [
                Patch(2, 0, 3, 1, isDark: false), Patch(28, 2, 1, 3, isDark: false), Patch(2, 28, 3, 1, isDark: false),
            ]),
        Case(
            testDescription: "the corners of the outer rings are gone",
            patches: [(0, 0), (22, 0), (0, 22)].flatMap { x, y in
                [(0, 0), (6, 0), (0, 6), (6, 6)].map { Patch(x + $0, y + $1, 1, 1, isDark: false) }
            }),
        Case(
            testDescription: "a light line through two patterns", patches: [Patch(-6, 5, 41, 1, isDark: false)]),
    ]

    /// Draws a symbol with its patches.
    private static func image(_ test: Case) throws -> LumaImage {
        let grid = try QRPictureTests.symbol(version: version)
        let modules = side + 2 * margin
        var isDark = [Bool](repeating: test.hasDarkGround, count: modules * modules)
        for y in 0..<side {
            for x in 0..<side { isDark[(y + margin) * modules + x + margin] = grid[x, y] }
        }
        for patch in test.patches {
            for y in patch.y..<patch.y + patch.height {
                for x in patch.x..<patch.x + patch.width {
                    isDark[(y + margin) * modules + x + margin] = patch.isDark
                }
            }
        }
        let width = modules * modulePixels
        let pixels = (0..<width * width).map { place -> UInt8 in
            let (x, y) = (place % width / modulePixels, place / width / modulePixels)
            return isDark[y * modules + x] ? 20 : 235
        }
        return LumaImage(width: width, height: width, pixels: pixels)
    }

    @Test("A symbol is read, dark on light and light on dark", arguments: cases, [false, true])
    func read(_ test: Case, isInverted: Bool) throws {
        let drawn = try Self.image(test)
        let found = try BarcodeDecoder().decode(isInverted ? drawn.inverted() : drawn)
        #expect(found.map(\.bytes) == [QRPictureTests.payload(version: Self.version)])
        #expect(found.map(\.isInverted) == [isInverted])
    }

    @Test("A symbol beside one that was read is read too")
    func beside() throws {
        // One of its three patterns is whole.
        let band = Patch(-6, -6, 41, 6, isDark: true)
        let touched = try Self.image(Case(testDescription: "a dark band above", patches: [band]))
        let clear = SymbolRenderer(try QRPictureTests.symbol(version: 2), modulePixels: 5).image()
        let height = max(touched.height, clear.height)
        let pixels = (0..<height).flatMap { y in
            [touched, clear].flatMap { image in
                (0..<image.width).map { y < image.height ? image[x: $0, y: y] : 235 }
            }
        }
        let image = LumaImage(width: touched.width + clear.width, height: height, pixels: pixels)
        let messages = Set(try BarcodeDecoder().decode(image).map(\.bytes))
        #expect(messages == [QRPictureTests.payload(version: Self.version), QRPictureTests.payload(version: 2)])
    }
}
