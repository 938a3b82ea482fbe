internal import FoundationEssentials

/// The instruction counts that a change is held against: what `gate.json` holds.
public struct Gate: Codable, Sendable, Hashable {
    /// The versions of what the counts depend on.
    public var versions: [String: String]
    /// Instructions of each workload.
    public var instructions: [String: Int]

    /// Counts with the versions that they depend on.
    public init(versions: [String: String], instructions: [String: Int]) {
        self.versions = versions
        self.instructions = instructions
    }

    /// The share by which a count may grow: what a rebuild, another path or a harmless change moves.
    public static let slack = 0.03
    /// The share where a compiler or library has another version, which alone moves counts by more.
    public static let slackAcrossVersions = 0.25

    /// One workload, counted and checked.
    public struct Finding: Sendable, Hashable {
        /// The workload.
        public var workload: String
        /// What it may cost but for the slack; nil for a workload that is new.
        public var expected: Int?
        /// What it cost; nil for a workload that is no more.
        public var counted: Int?
        /// Whether the gate holds.
        public var verdict: Verdict
    }

    /// Whether a workload passes.
    public enum Verdict: String, Sendable, Hashable {
        /// Within the slack.
        case passed
        /// Less than before by more than the slack: to be written down, so that it is not lost again.
        case improved
        /// More than the slack allows.
        case failed
        /// The workload is not in both lists.
        case unknown
    }

    /// What of the versions differs from those of another gate, as "name: one, here other".
    public func differences(to other: Gate) -> [String] {
        Set(versions.keys).union(other.versions.keys).sorted().compactMap { name in
            let (one, two) = (versions[name] ?? "none", other.versions[name] ?? "none")
            return one == two ? nil : "\(name): \(one), here \(two)"
        }
    }

    /// Holds counts against this gate.
    public func check(_ counted: Gate) -> [Finding] {
        let slack = differences(to: counted).isEmpty ? Self.slack : Self.slackAcrossVersions
        return Set(instructions.keys).union(counted.instructions.keys).sorted().map { workload in
            let (expected, count) = (instructions[workload], counted.instructions[workload])
            guard let expected, let count else {
                return Finding(workload: workload, expected: expected, counted: count, verdict: .unknown)
            }
            let ratio = Double(count) / Double(max(expected, 1))
            let verdict: Verdict = ratio > 1 + slack ? .failed : ratio < 1 - slack ? .improved : .passed
            return Finding(workload: workload, expected: expected, counted: count, verdict: verdict)
        }
    }

    /// The bytes of `gate.json`.
    public func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [0x0A]
    }

    /// Reads `gate.json`.
    ///
    /// - Throws: ``ResultsError`` for a file of another form.
    public init(json: [UInt8], name: String) throws {
        do {
            self = try JSONDecoder().decode(Gate.self, from: Data(json))
        } catch {
            throw ResultsError(description: "\(name) is no gate.json: \(error); make it anew by `make gate-update`")
        }
    }
}
