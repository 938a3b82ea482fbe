import TestSupport
import Testing

@testable import quietzone_server

/// Compares the keys in docs/reference/station.md with those of the program.
@Suite struct StationDocumentationTests {
    @Test func keysOfTheConfiguration() throws {
        let guide = try #require(readFile(ProgramRunner.packageFolder + "docs/reference/station.md")?.text)
        let lines = guide.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex(of: "```yaml"))
        var documented: Set<String> = []
        var section = ""
        for line in lines[(start + 1)...].prefix(while: { $0 != "```" }) {
            // A key for special cases is in a comment of its own, with its full name.
            let text = line.hasPrefix("# ") ? line.dropFirst(2) : line
            let name = String(text.drop { $0 == " " }.prefix { $0 != ":" })
            if text.hasPrefix(" ") {
                documented.insert("\(section).\(name)")
            } else {
                section = name
                documented.insert(name)
            }
        }
        #expect(documented.isSuperset(of: StationConfiguration.keys.keys))
        // The other keys of the example belong to the delivery.
        let others = documented.subtracting(StationConfiguration.keys.keys)
            .subtracting(["server", "tls", "camera", "operators", "notifications", "lookup"])
            .filter { !$0.hasPrefix("devices") }.sorted()
        #expect(others == ["deduplication", "deduplication.policy", "deduplication.seconds", "station"])
    }
}
