import BarcodeCore
import BarcodeDecoding
import Foundation
import Symbols
import TestSupport
import Testing

/// Symbols of zint, rendered and decoded from the whole picture.
@Suite("MicroPDF417 symbols in pictures")
struct MicroPDF417Tests {
    static let sizes = (try? PDF417Tests.drawings("micro-pdf417.tsv").filter { $0.name.contains(" by ") }) ?? []

    static func read(_ image: LumaImage, options: DecodeOptions = DecodeOptions()) throws -> [Symbol] {
        try BarcodeDecoder().decode(image, options: options).filter { $0.symbology == .microPDF417 }
    }

    @Test("Every size is read upright, rotated and on its side", arguments: sizes)
    func everySize(drawing: PDF417Tests.Drawing) throws {
        for degrees in [0.0, 94, 187, 271] {
            let symbols = try Self.read(
                PDF417Tests.picture(drawing, module: 2.5, degrees: degrees),
                options: DecodeOptions(symbologies: [.microPDF417, .pdf417]))
            #expect(symbols.map(\.bytes) == [drawing.bytes], "\(degrees) degrees")
            let turn = (symbols.first?.orientation ?? 0) - degrees
            #expect(abs(turn - 360 * (turn / 360).rounded()) < 3, "\(degrees) degrees")
        }
    }

    @Test("The fixtures have all sizes") func sizesAreThere() { #expect(Self.sizes.count == 34) }

    @Test(
        "A symbol is read at every angle", arguments: Array(stride(from: 0.0, to: 360, by: 30)),
        ["1 by 17", "4 by 20"])
    func angles(degrees: Double, name: String) throws {
        let drawing = try #require(Self.sizes.first { $0.name == name })
        let symbols = try Self.read(PDF417Tests.picture(drawing, module: 4, degrees: degrees))
        #expect(symbols.map(\.bytes) == [drawing.bytes])
    }

    @Test("A symbol is read at one pixel a module", arguments: sizes)
    func onePixel(drawing: PDF417Tests.Drawing) throws {
        let grid = drawing.grid(rowHeight: 2)
        let image = LumaImage(width: grid.width + 8, height: grid.height + 8) { pixels in
            pixels.update(repeating: 255)
            for y in 0..<grid.height {
                for x in 0..<grid.width where grid[x, y] { pixels[(y + 4) * (grid.width + 8) + x + 4] = 0 }
            }
        }
        #expect(try Self.read(image).map(\.bytes) == [drawing.bytes])
    }

    @Test("Symbols are read at few and at many pixels per module", arguments: [1.5, 2, 2.6, 5, 11])
    func scales(module: Double) throws {
        for name in ["1 by 14", "2 by 11", "3 by 20", "4 by 8"] {
            let drawing = try #require(Self.sizes.first { $0.name == name })
            let symbols = try Self.read(PDF417Tests.picture(drawing, module: module, degrees: 0))
            #expect(symbols.map(\.bytes) == [drawing.bytes], "\(name)")
        }
    }

    @Test("A mirrored symbol is read and reported as mirrored, with correct corners")
    func mirrored() throws {
        let drawing = try #require(Self.sizes.first { $0.name == "2 by 17" })
        let symbols = try Self.read(PDF417Tests.picture(drawing, module: 3, degrees: 10, isMirrored: true))
        #expect(symbols.map(\.bytes) == [drawing.bytes] && symbols.first?.isMirrored == true)
        let upright = try #require(try Self.read(PDF417Tests.picture(drawing, module: 3, degrees: 0)).first)
        #expect(upright.isMirrored == false)
        let box = upright.corners.boundingBox
        #expect(abs(box.width - Double(drawing.rows[0].count) * 3) < 3)
        #expect(abs(box.height - Double(drawing.rows.count * 9)) < 4)
    }

    /// The corners of a symbol that is tilted away by about thirty degrees, in pixels.
    static let tilts: [(label: String, corners: [Point])] = [
        ("away at the top", [Point(x: 13, y: 0), Point(x: 383, y: 0), Point(x: 396, y: 64), Point(x: 0, y: 64)]),
        ("away at the bottom", [Point(x: 0, y: 0), Point(x: 396, y: 0), Point(x: 383, y: 64), Point(x: 13, y: 64)]),
        ("away at the right", [Point(x: 0, y: 0), Point(x: 340, y: 8), Point(x: 340, y: 56), Point(x: 0, y: 64)]),
        ("away at the left", [Point(x: 0, y: 8), Point(x: 340, y: 0), Point(x: 340, y: 64), Point(x: 0, y: 56)]),
    ]

    @Test("A tilted symbol with the longest rows is read", arguments: tilts.indices)
    func tilted(index: Int) throws {
        let drawing = try #require(Self.sizes.first { $0.name == "4 by 8" })
        let (label, corners) = Self.tilts[index]
        let points = corners.map { Point(x: $0.x + 40, y: $0.y + 40) }
        let renderer = SymbolRenderer(
            drawing.grid(rowHeight: 2),
            corners: Quadrilateral(
                topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3]),
            width: 480, height: 144)
        #expect(try Self.read(renderer.image()).map(\.bytes) == [drawing.bytes], "\(label)")
    }

    @Test("On a ground as dark as the bars a quiet zone of one module is sufficient")
    func darkGround() throws {
        let drawing = try #require(Self.sizes.first { $0.name == "2 by 11" })
        let grid = drawing.grid(rowHeight: 2)
        let (right, bottom) = (40 + 3 * Double(grid.width), 40 + 3 * Double(grid.height))
        var renderer = SymbolRenderer(
            grid,
            corners: Quadrilateral(
                topLeft: Point(x: 40, y: 40), topRight: Point(x: right, y: 40),
                bottomRight: Point(x: right, y: bottom), bottomLeft: Point(x: 40, y: bottom)),
            width: Int(right) + 40, height: Int(bottom) + 40)
        (renderer.quietZone, renderer.background) = ((1, 1), 20)
        #expect(try Self.read(renderer.image()).map(\.bytes) == [drawing.bytes])
    }

    @Test("Hidden codewords are corrected")
    func hidden() throws {
        var drawing = try #require(Self.sizes.first { $0.name == "4 by 15" })
        for row in 5..<8 { for place in 30..<44 { drawing.rows[row][place] = false } }
        #expect(try Self.read(PDF417Tests.picture(drawing, module: 3, degrees: 0)).map(\.bytes) == [drawing.bytes])
    }
}
