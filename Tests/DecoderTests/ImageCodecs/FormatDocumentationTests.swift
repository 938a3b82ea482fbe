import Foundation
import TestSupport
import Testing

@testable import ImageCodecs

/// Holds the table of docs/reference/pictures.md against the table of decoders.
@Suite struct FormatDocumentationTests {
    @Test func pictureFormats() throws {
        let root = ProgramRunner.packageFolder
        let guide = try String(contentsOfFile: root + "docs/reference/pictures.md", encoding: .utf8)
        let rows = guide.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let documented = rows.filter { !$0[1].hasPrefix("not read") }.map { $0[0] }
        #expect(documented == ImageDecoder.all.map(\.title))
    }
    /// What the station's page and its overlay offer to choose: some systems count HEIC and others as no `image/*`.
    @Test(arguments: ["StationPage/index.html", "BridgeDialects/Scripts/bridge-overlay.js"])
    func filesToChoose(asset: String) throws {
        let root = ProgramRunner.packageFolder
        let text = try String(contentsOfFile: root + "Sources/Station/" + asset, encoding: .utf8)
        let list = "image/*" + ImageFormat.fileExtensions.map { ",." + $0 }.joined()
        #expect(text.contains("accept=\"\(list)\"") || text.contains("accept: '\(list)'"))
    }
}
