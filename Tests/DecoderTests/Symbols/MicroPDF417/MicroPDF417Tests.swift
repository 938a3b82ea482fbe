import BarcodeCore
import BarcodeDecoding
import Foundation
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

    @Test("Hidden codewords are corrected")
    func hidden() throws {
        var drawing = try #require(Self.sizes.first { $0.name == "4 by 15" })
        for row in 5..<8 { for place in 30..<44 { drawing.rows[row][place] = false } }
        #expect(try Self.read(PDF417Tests.picture(drawing, module: 3, degrees: 0)).map(\.bytes) == [drawing.bytes])
    }
}
