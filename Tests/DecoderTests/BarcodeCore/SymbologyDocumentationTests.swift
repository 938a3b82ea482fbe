import BarcodeCore
import Foundation
import TestSupport
import Testing

/// The table in docs/reference/symbologies.md matches the table of symbologies in the code.
@Suite struct SymbologyDocumentationTests {
    /// Returns the cells of the rows whose first cell has something in backticks.
    private static func rows(of file: String) throws -> [[String]] {
        let root = ProgramRunner.packageFolder
        let text = try String(contentsOfFile: root + file, encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private static func names(in cell: String) -> [String] {
        cell.split(separator: "`").map(String.init).filter { !$0.trimmingCharacters(in: .whitespaces).isEmpty }
    }

    @Test func symbologies() throws {
        let rows = try Self.rows(of: "docs/reference/symbologies.md")
        #expect(Set(rows.flatMap { Self.names(in: $0[0]) }) == Set(Symbology.all.map(\.rawValue)))
        let point = Point(x: 0, y: 0)
        let corners = Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point)
        for row in rows {
            for name in Self.names(in: row[0]) {
                let traits = Symbology(rawValue: name).traits
                let identifier = traits.symbologyIdentifier(
                    Reading(symbology: traits.symbology, bytes: [], corners: corners))
                // A QR code is first read without its ECI: ]Q1.
                #expect(row[1].contains("`\(identifier)`"), "\(name): \(row[1])")
                #expect(row[2].hasPrefix("opt-in") == !traits.isStandard, "\(name): \(row[2])")
            }
        }
    }
}
