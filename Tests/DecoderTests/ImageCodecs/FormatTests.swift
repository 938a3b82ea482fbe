import Foundation
import ImageCodecs
import TestSupport
import Testing

/// What others repeat of the table of formats.
@Suite struct FormatTests {
    /// A desktop offers the program for every picture that it reads.
    @Test(arguments: ["quietzone.desktop", "quietzone-servicemenu.desktop"]) func mediaTypesOfDesktopFiles(
        _ name: String
    ) throws {
        let file = URL(filePath: ProgramRunner.samplesFolder + "desktop/\(name)")
        let line = try #require(
            String(contentsOf: file, encoding: .utf8).split(separator: "\n").first { $0.hasPrefix("MimeType=") })
        #expect(line.dropFirst(9).split(separator: ";").map(String.init) == ImageFormat.mediaTypes)
    }

    @Test func everyFormatHasMediaTypesOfItsOwn() {
        #expect(Set(ImageFormat.mediaTypes).count == ImageFormat.mediaTypes.count)
        #expect(ImageFormat.mediaTypes.count >= ImageFormat.all.count)
    }
}
