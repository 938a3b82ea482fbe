import Foundation
import TestSupport
import Testing

@testable import ImageCodecs

/// Compares the table in docs/reference/pictures.md with the table of decoders.
@Suite struct FormatDocumentationTests {
    @Test func pictureFormats() throws {
        let root = ProgramRunner.packageFolder
        let guide = try String(contentsOfFile: root + "docs/reference/pictures.md", encoding: .utf8)
        let rows = guide.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let documented = rows.filter { !$0[1].hasPrefix("not read") }.map { $0[0] }
        #expect(documented == ImageDecoder.all.map(\.title))
    }
}
