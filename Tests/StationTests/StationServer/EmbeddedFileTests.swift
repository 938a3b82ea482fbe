import FoundationEssentials
import TestSupport
import Testing

@testable import StationServer

/// The embedded files equal those in the repository, and none is missing.
@Suite struct EmbeddedFileTests {
    static let files: [String] = [
        "Sources/Station/StationPage", "Sources/Station/BridgeDialects/Scripts",
    ].flatMap { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: ProgramRunner.packageFolder + folder)) ?? []
        return names.sorted().map { "\(folder)/\($0)" }
    }

    @Test func thereAreSome() { #expect(Self.files.count > 50) }

    @Test(arguments: files)
    func isEmbedded(path: String) throws {
        let list = try String(
            contentsOfFile: ProgramRunner.packageFolder + "Sources/System/CEmbeddedFiles/files.h", encoding: .utf8)
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        try #require(list.contains(", \"\(name)\","), "files.h lacks a row; run scripts/update-embedded-files")
        let bytes = try Data(contentsOf: URL(filePath: ProgramRunner.packageFolder + path))
        #expect(EmbeddedFile.bytes(name) == Array(bytes))
    }
}
