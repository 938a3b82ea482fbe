internal import ArgumentParser

/// Counts instructions with callgrind and compares them with `gate.json`.
struct GateCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate", abstract: "Hold the instruction counts of fixed samples against bench/gate.json.",
        discussion: "Ends with status 1 where a count has grown by more than the slack. Needs valgrind.")

    @Flag(help: "Write the counts down as the new ones.")
    var update = false
    @Option(help: "The counts that are checked in.")
    var file = "bench/gate.json"
    @Option(help: "The project's folder.")
    var root = "."

    func run() throws {
        guard let valgrind = Files.program("valgrind") else {
            throw BenchError(
                "valgrind is not installed: scripts/install-dependencies --test, or apt-get install valgrind")
        }
        var counted = Gate(versions: RunEnvironment.gateVersions(valgrind: valgrind), instructions: [:])
        for workload in Workload.all {
            counted.instructions[workload.name] = try Callgrind.count(workload.name, root: root, valgrind: valgrind)
        }
        if update {
            try Files.write(counted.json(), to: file)
            print("\(file) is written: \(counted.instructions.count) workloads")
            return
        }
        guard Files.exists(file) else { throw BenchError("\(file) is not there: make it by `make gate-update`") }
        let gate = try Gate(json: Files.read(file), name: file)
        let findings = gate.check(counted)
        print(TextReport.gate(findings, differences: gate.differences(to: counted)))
        if findings.contains(where: { $0.verdict == .failed || $0.verdict == .unknown }) { throw ExitCode(1) }
    }
}

/// Runs one workload of the gate, under callgrind.
struct GateWorkload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a workload of the gate twice, the second time inside of the function that is counted.",
        shouldDisplay: false)

    @Argument(help: "The workload.")
    var name: String
    @Option(help: "The project's folder.")
    var root = "."

    func run() throws {
        guard let workload = Workload.all.first(where: { $0.name == name }) else {
            throw BenchError("there is no workload \(name): \(Workload.all.map(\.name).joined(separator: ", "))")
        }
        try Callgrind.measuredRegion(workload.prepare(root + "/Samples/"))
    }
}
