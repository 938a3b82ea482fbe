import FoundationEssentials
import TestSupport
import Testing

@testable import Delivery

/// A random number generator with a seed, so that failures are reproducible.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Configurations with random damage from a dictionary: each one loads, or its faults have a location.
@Suite(.timeLimit(.minutes(10))) struct ConfigurationFuzzTests {
    private static let seed = """
        station: ward-3
        keep:
          days: 7.5
          events: 5000
        deduplication: {policy: window, seconds: 2.5}
        destinations:
          his:
            type: http
            url: https://his.example/scans
            unsigned: true
            address: 10.0.0.7
            formats: [ean_13, qr_code]
            sources: camera
            retryAfterSeconds: [1, 2.5]
          lines:
            type: stdout
            template: '{"code": "{{symbol.text}}"}'
          program:
            type: command
            command: [logger, -t, scans]

        """

    /// Tokens with a meaning in YAML or in the schema.
    private static let dictionary: [[UInt8]] =
        ([
            ": ", "- ", "[", "]", "{", "}", "&a ", "*a", "<<: *a", "|\n", ">\n", "\t", "\n", "  ", "'", "\"", "# ",
            "%YAML 1.2\n",
            "---\n", "...\n", "!!binary ", "!!set ", "? ", "~", "null", ".inf", "-0", "1e999", "0x7F",
            "99999999999999999999",
            "true", "{{", "}}", "http://", "https://[::1]:0/", "whsec_", "\u{0}", "\u{FEFF}", "\u{2028}", "é", "none",
            "window",
            "database", "station", "keep", "destinations", "deduplication",
        ] + DestinationKind.all.map(\.name) + DestinationKind.all.forms.keys.sorted()).map { Array($0.utf8) }
        + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]

    private static func damage(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let start = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.insert(contentsOf: dictionary.randomElement(using: &random)!, at: start)
            case 1: bytes.replaceSubrange(start..<end, with: dictionary.randomElement(using: &random)!)
            case 2: bytes.removeSubrange(start..<end)
            default:
                let part = bytes[start..<end]
                bytes.insert(contentsOf: part, at: Int.random(in: 0...bytes.count, using: &random))
            }
        }
        return bytes
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func damagedFiles(_ seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let path = folder["c.yaml"]
        var random = SeededGenerator(state: seed)
        var read = 0
        for round in 0..<500 {
            let bytes = Self.damage(Array(Self.seed.utf8), &random)
            try Data(bytes).write(to: URL(filePath: path))
            do throws(ConfigurationError) {
                let configuration = try await DeliveryConfiguration.load(
                    path: path, schema: ConfigurationSchema(variablePrefix: "SCAN_OUTBOX"), environment: [:],
                    defaultDatabase: "/default"
                ) { _ in }.0
                _ = try configuration.makeSinks(SharedClients())
                read += 1
            } catch {
                for line in error.description.split(separator: "\n") {
                    #expect(line.hasPrefix(path) || line.hasPrefix("the configuration"), "round \(round): \(line)")
                }
                #expect(!error.description.isEmpty)
            }
        }
        // Both results occur: some of the damage is in names and values that may be arbitrary.
        #expect(read > 0 && read < 500)
    }
}
