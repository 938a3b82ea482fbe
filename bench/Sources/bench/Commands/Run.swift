internal import ArgumentParser
internal import Glibc

/// Measures, prints a table, and writes `results.json` and `index.html`.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure; print a table; write results.json and index.html. This is what happens without a command.",
        discussion: """
            Without a choice of sets: Samples/, rendered camera frames, rendered scenes of 0.3 to 12 megapixels, and
            every twelfth picture of the corpus where it is there.

            EXAMPLES
              make bench                                     everything, in about five minutes
              make bench ARGS="--opencv"                     the same, beside OpenCV too
              make bench ARGS="--set stages --rounds 9"      the stages alone, with less noise
              make bench ARGS="--suite jsqr"                 a suite of the corpus
              make bench ARGS="--corpus"                     everything, and all of the corpus
              make bench ARGS="--folder ~/Pictures/labels"   pictures of your own
            """)

    enum MeasureSet: String, ExpressibleByArgument, CaseIterable {
        case stages, samples, frames, costs, sizes, corpus, throughput, memory
    }

    @Option(name: .customLong("set"), parsing: .upToNextOption, help: "What to measure; all of it unless said.")
    var sets: [MeasureSet] = []
    @Option(help: "A folder of pictures to measure the readers on, in place of the sets; may be given again.")
    var folder: [String] = []
    @Flag(help: "All pictures of the corpus, in place of every twelfth.")
    var corpus = false
    @Option(help: "A suite of the corpus, and nothing else; may be given again.")
    var suite: [String] = []
    @Option(help: "A group of the corpus, and nothing else; may be given again.")
    var group: [String] = []
    @Option(help: "How many times everything is measured, one time after all else.")
    var rounds = 5
    @Option(help: "Milliseconds for each stage in a round.")
    var slice = 40
    @Option(help: "The most jobs for throughput. (default: the number of processors)")
    var jobs: Int?
    @Flag(inversion: .prefixedNo, help: "Measure the peers that are installed too.")
    var peers = true
    @Flag(help: "Install zxing-cpp and OpenCV with pip into bench/.venv first, where they are not there.")
    var installPeers = false
    @Flag(help: "Measure OpenCV too, which takes longer than all others together.")
    var opencv = false
    @Option(help: "The folder for results.json and index.html.")
    var out = "out/bench"
    @Option(help: "The project's folder.")
    var root = "."

    func validate() throws {
        guard rounds >= 1, slice >= 1, jobs ?? 1 >= 1 else {
            throw ValidationError("--rounds, --slice and --jobs are 1 at least")
        }
        guard Files.exists(root + "/Samples/expected.json") else {
            throw ValidationError("\(root) is not the project's folder: go there, or name it by --root")
        }
        if let missing = folder.first(where: { !Files.isFolder($0) }) {
            throw ValidationError("\(missing) is no folder")
        }
    }

    func run() throws {
        let session = try BenchSession(self)
        let results = try session.measure()
        print(TextReport.table(results))
        let json = out + "/results.json"
        try Files.write(results.json(), to: json)
        try Files.write(Array(PageReport.html(results).utf8), to: out + "/index.html")
        print("\(json) and \(out)/index.html are written. Compare two runs: bench compare A.json B.json")
    }

    /// The measurements to make: the selected ones, or all.
    var measureSets: Set<MeasureSet> {
        if !sets.isEmpty { return Set(sets) }
        if !folder.isEmpty { return [] }
        if !suite.isEmpty || !group.isEmpty { return [.corpus] }
        return Set(MeasureSet.allCases)
    }
}
