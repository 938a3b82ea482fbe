import Testing

@testable import bench

@Suite("The form of results.json and gate.json")
struct SchemaTests {
    @Test("a run is the same after it was written and read")
    func roundTrip() throws {
        let results = Results.example(stage: [1, 2, 3], floor: 0.5, found: 3)
        let again = try Results(json: results.json(), name: "results.json")
        #expect(again == results)
    }

    @Test("the keys are those that the documentation names")
    func keys() throws {
        let text = String(decoding: try Results.example(stage: [1], floor: 1, found: 1).json(), as: UTF8.self)
        let top = text.split(separator: "\n").filter { $0.hasPrefix("  \"") }
            .compactMap { $0.split(separator: "\"").dropFirst().first.map(String.init) }
        #expect(
            top == [
                "arguments", "commit", "costs", "floors", "machine", "measurements", "memory", "notes", "pairs",
                "pictures", "readers", "roundCount", "schema", "seconds", "started", "throughput", "versions",
            ])
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var json: String
        var says: String
    }

    static let refusals = [
        Refusal(testDescription: "no JSON", json: "x", says: "r.json is no results.json of `bench run`"),
        Refusal(testDescription: "other JSON", json: "{}", says: "r.json is no results.json of `bench run`"),
        Refusal(
            testDescription: "another schema", json: "{\"schema\": 99}",
            says: "r.json has schema 99, and this bench reads 1: measure again, or use the bench that wrote it"),
    ]

    @Test("what is no run is refused", arguments: refusals)
    func refused(_ item: Refusal) {
        #expect(throws: ResultsError(description: item.says)) {
            try Results(json: Array(item.json.utf8), name: "r.json")
        }
    }

    @Test("a gate is the same after it was written and read")
    func gate() throws {
        let gate = Gate(versions: ["swift": "6.3"], instructions: ["load a.png": 12])
        #expect(try Gate(json: gate.json(), name: "gate.json") == gate)
    }

    struct GateCase: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var counted: [String: Int]
        var swift = "6.3"
        var verdict: Gate.Verdict
    }

    static let gateCases = [
        GateCase(testDescription: "the same", counted: ["load": 1000], verdict: .passed),
        GateCase(testDescription: "within the slack", counted: ["load": 1030], verdict: .passed),
        GateCase(testDescription: "beyond the slack", counted: ["load": 1031], verdict: .failed),
        GateCase(testDescription: "a gain", counted: ["load": 960], verdict: .improved),
        GateCase(testDescription: "another compiler", counted: ["load": 1240], swift: "6.4", verdict: .passed),
        GateCase(testDescription: "beyond even that", counted: ["load": 1260], swift: "6.4", verdict: .failed),
        GateCase(testDescription: "not counted", counted: [:], verdict: .unknown),
    ]

    @Test("verdicts of the gate", arguments: gateCases)
    func verdict(_ item: GateCase) {
        let gate = Gate(versions: ["swift": "6.3"], instructions: ["load": 1000])
        let findings = gate.check(Gate(versions: ["swift": item.swift], instructions: item.counted))
        #expect(findings.map(\.verdict) == [item.verdict])
    }

    @Test("a workload that the file does not name is said")
    func newWorkload() {
        let findings = Gate(versions: [:], instructions: [:]).check(Gate(versions: [:], instructions: ["load": 5]))
        #expect(findings == [Gate.Finding(workload: "load", expected: nil, counted: 5, verdict: .unknown)])
    }
}
