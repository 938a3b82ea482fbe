import Foundation
import TestSupport
import Testing

@testable import quietzone_server

/// Compares the keys in docs/reference/watch-folder.md with those of the program.
@Suite struct WatcherDocumentationTests {
    private static func guide() throws -> String {
        let path = ProgramRunner.packageFolder + "docs/reference/watch-folder.md"
        return String(decoding: try #require(readFile(path)), as: UTF8.self)
    }

    /// Returns the words in backticks in a piece of Markdown.
    private static func words(in text: some StringProtocol) -> Set<String> {
        Set(
            text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) })
    }

    @Test func keysOfTheFolder() throws {
        let lines = try Self.guide().split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| key below `folder`") })
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        let documented = Set(rows.flatMap { Self.words(in: $0.split(separator: "|")[0]) })
        #expect(documented == Set(FolderKeys.keys.keys.map { String($0.dropFirst("folder.".count)) }))
    }

    @Test func keysOfARule() throws {
        let guide = try Self.guide()
        let start = try #require(guide.range(of: "A rule has "))
        let sentence = guide[start.upperBound...].prefix { $0 != "." }
        #expect(Self.words(in: sentence) == Set(try #require(FolderKeys.collections["rules"]).keys))
    }

    @Test func keysOfAFilingRule() throws {
        let lines = try Self.guide().split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| key of a filing rule") })
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        let documented = Set(rows.flatMap { Self.words(in: $0.split(separator: "|")[0]) })
        #expect(documented == Set(try #require(FolderKeys.collections["filing"]).keys))
    }

    /// The picture of a session shows the program's current message about a text file.
    @Test func sessionShowsTheMessageOfToday() async throws {
        let watch = try WatchRun()
        try watch.drop("letter.jpg", Array("Dear Sir\n".utf8))
        #expect(try await watch.once() == .exit(0), "\(watch.log)")
        let note = try shell("cat '\(watch.inbox)'/failed/*/letter.jpg.json").text
        let message = try #require(note.firstMatch(of: #/"message":"[^"]+"/#)?.output)
        let picture = try #require(readFile(ProgramRunner.packageFolder + "docs/watch-folder.svg")).text
        // A long line is wrapped into several elements.
        let shown = picture.replacing(#/<[^>]*>\n?/#, with: "").replacing("&quot;", with: "\"")
        #expect(shown.contains(message), "run scripts/draw-terminal: \(message)")
    }
}
