import StationDevices
import TestSupport
import Testing

/// Compares the keys in docs/reference/devices.md with those of the programs.
@Suite struct DeviceDocumentationTests {
    @Test func keysOfADevice() throws {
        let guide = try #require(readFile(ProgramRunner.packageFolder + "docs/reference/devices.md")?.text)
        let start = try #require(guide.firstRange(of: "\n## Keys\n")).upperBound
        let end = guide[start...].firstRange(of: "\n## ")?.lowerBound ?? guide.endIndex
        let section = guide[start..<end]
        // "| `a`, `b` | ...": the first cell may list several keys.
        let documented = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .compactMap { $0.dropFirst().split(separator: "|").first }
            .flatMap { $0.split(separator: "`").map(String.init).filter { $0.contains(where: \.isLetter) } }
        #expect(Set(documented).count == documented.count)
        #expect(Set(documented) == Set(try #require(DeviceKeys.collections["devices"]).keys))
    }
}
