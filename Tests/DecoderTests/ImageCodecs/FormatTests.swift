import Foundation
import ImageCodecs
import TestSupport
import Testing

/// Copies of the format table in other files.
@Suite struct FormatTests {
    /// The desktop files list the media types of all supported formats.
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
