internal import FoundationEssentials

/// The instruction counts that a change is compared with: the content of `gate.json`.
struct Gate: Codable, Sendable, Hashable {
    /// The versions of the tools and libraries that affect the counts.
    var versions: [String: String]
    /// The instruction count of each workload.
    var instructions: [String: Int]

    /// Creates a gate from counts and versions.
    init(versions: [String: String], instructions: [String: Int]) {
        self.versions = versions
        self.instructions = instructions
    }

    /// The permitted relative growth of a count, which covers a rebuild, another path or a harmless change.
    static let slack = 0.03
    /// The permitted growth if a compiler or library has another version, which alone changes counts by more.
    static let slackAcrossVersions = 0.25

    /// The result of one workload.
    struct Finding: Sendable, Hashable {
        /// The workload.
        var workload: String
        /// The count of the gate; `nil` for a new workload.
        var expected: Int?
        /// The new count; `nil` for a workload that no longer exists.
        var counted: Int?
        /// The verdict.
        var verdict: Verdict
    }

    /// The verdict on a workload.
    enum Verdict: String, Sendable, Hashable {
        /// Within the slack.
        case passed
        /// Less than before by more than the slack; the gate should be updated, so that the gain is kept.
        case improved
        /// More than the slack allows.
        case failed
        /// The workload is not in both lists.
        case unknown
    }

    /// Returns the versions that differ from those of another gate, as "name: one, here other".
    func differences(to other: Gate) -> [String] {
        Set(versions.keys).union(other.versions.keys).sorted().compactMap { name in
            let (one, two) = (versions[name] ?? "none", other.versions[name] ?? "none")
            return one == two ? nil : "\(name): \(one), here \(two)"
        }
    }

    /// Compares counts with this gate.
    func check(_ counted: Gate) -> [Finding] {
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

    /// Returns the content of `gate.json`.
    func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [0x0A]
    }

    /// Parses `gate.json`.
    ///
    /// - Throws: ``ResultsError`` if the format is wrong.
    init(json: [UInt8], name: String) throws {
        do {
            self = try JSONDecoder().decode(Gate.self, from: Data(json))
        } catch {
            throw ResultsError(description: "\(name) is no gate.json: \(error); make it anew by `make gate-update`")
        }
    }
}
