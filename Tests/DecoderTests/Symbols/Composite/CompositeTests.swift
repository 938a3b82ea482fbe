import BarcodeCore
import BarcodeDecoding
import Foundation
import TestSupport
import Testing

@testable import Symbols

/// Composite symbols of zint, rendered and decoded from the whole picture.
@Suite("GS1 composite symbols in pictures")
struct CompositeTests {
    /// A symbol of the fixtures: the linear symbology, the component, and rows of modules.
    struct Drawing: CustomTestStringConvertible, Sendable {
        var name: String
        var format: String
        var kind: String
        var bytes: [UInt8]
        var width: Int
        var rows: [[Bool]]

        var testDescription: String { name }

        init?(_ line: Substring) {
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 6, let width = Int(fields[4]) else { return nil }
            (name, format, kind) = (fields[0], fields[1], fields[2])
            let digits = fields[3].compactMap(\.hexDigitValue)
            bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
            self.width = width
            rows = fields[5].split(separator: ",").flatMap { run -> [[Bool]] in
                let parts = run.split(separator: ":")
                let nibbles = parts[1].compactMap(\.hexDigitValue)
                let row = (0..<width).map { (place: Int) -> Bool in
                    let bit = 3 - place % 4
                    return nibbles[place / 4] >> bit & 1 == 1
                }
                return Array(repeating: row, count: Int(parts[0]) ?? 0)
            }
        }
    }

    static let drawings: [Drawing] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/composite.tsv")
        return ((try? String(contentsOf: path, encoding: .utf8)) ?? "").split(separator: "\n").compactMap(Drawing.init)
    }()

    static func picture(_ drawing: Drawing, degrees: Double) -> LumaImage {
        SymbolRenderer(ModulePattern(rows: drawing.rows), modulePixels: 3, degrees: degrees).image()
    }

    /// Returns the drawings whose component is not decoded; also records false components as failures.
    static func missed(_ drawings: [Drawing], degrees: [Double]) throws -> [String] {
        var missed: [String] = []
        for drawing in drawings {
            for angle in degrees {
                let symbols = try BarcodeDecoder().decode(picture(drawing, degrees: angle))
                let components = symbols.compactMap { symbol in symbol.composite.map { (symbol, $0) } }
                for (symbol, component) in components {
                    #expect(symbol.symbology.rawValue == drawing.format, "\(drawing.name), \(angle) degrees")
                    #expect(component.bytes == drawing.bytes, "\(drawing.name), \(angle) degrees")
                    #expect(component.kind.rawValue == drawing.kind, "\(drawing.name), \(angle) degrees")
                }
                #expect(components.count <= 1, "\(drawing.name), \(angle) degrees")
                if components.isEmpty { missed.append("\(drawing.name), \(angle) degrees") }
            }
        }
        return missed
    }

    @Test("Letters may follow FNC1 without an identifier")
    func omittedIdentifier() {
        // AI 90 with "J"; AI 21 is omitted: FNC1, a latch to letters, H, 4, 2.
        let bits = "11" + "0" + "10" + "00000" + "0100" + "01111" + "0000" + "100111" + "01001" + "00111"
        #expect(CompositeMessage(BitRow(bits.map { $0 == "1" }))?.bytes == Array("90J\u{1D}21H42".utf8))
    }

    @Test("The fixtures have all carriers with all kinds")
    func drawingsAreThere() {
        let named = Self.drawings.filter { $0.name.contains(" with CC-") }
        #expect(named.count == 23 && Set(named.map(\.format)).count == 8 && Self.drawings.count == 88)
    }

    @Test("Carriers are read with their component at four angles")
    func carriers() throws {
        let drawings = Self.drawings.filter { $0.name.contains(" with CC-") }
        let missed = try Self.missed(drawings, degrees: [0, 94, 187, 271])
        #expect(missed.count <= 3, "\(missed)")
    }

    @Test("Sizes and encodations are read")
    func sizes() throws {
        let drawings = Self.drawings.filter { !$0.name.contains(" with CC-") }
        let missed = try Self.missed(drawings, degrees: [0])
        #expect(missed == [])
    }
}
