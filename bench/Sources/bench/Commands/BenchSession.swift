internal import BarcodeCore
internal import Glibc

/// The settings that measurements share.
struct RunSettings {
    /// The path of this program, for measurements in a new process.
    var program: String
    /// The time for a stage in a round, in nanoseconds.
    var slice: UInt64
}

/// A run: the readers, the measurements and their order.
final class BenchSession {
    private let options: Run
    private let settings: RunSettings
    private let sets: WorkSets
    private let decodeImage: String
    /// Quietzone first, then its other efforts, then the other readers.
    private var readers: [any Reader]
    /// Readers that are whole processes, which are only measured on small sets.
    private var processes: [any Reader] = []
    private var peers: [any Reader] { readers.filter { !($0 is QuietzoneReader) } }
    private var memoryPrograms: [(name: String, arguments: [String])]
    private var versions = RunEnvironment.versions()
    private var notes: [String] = []
    /// The file descriptor for progress messages.
    private var progress: Int32 = 2

    /// The pictures for the stages: a QR code small and large, an EAN, a page, a photo, and one without a code.
    private static let stageSubjects = [
        "qr.png", "qr-version40.png", "ean13.png", "order-form.png", "scene-12mp.jpg", "no-code.jpg",
    ]
    /// The pictures for the memory measurement: a small one and a large one.
    private static let memorySubjects = ["qr.png", "scene-12mp.jpg"]
    /// The rounds of the sets that take longest, so that a run stays below ten minutes.
    private static let longSetRounds = 3
    /// A run without --corpus takes every n-th picture of the corpus.
    private static let corpusShare = 12

    init(_ options: Run) throws {
        self.options = options
        settings = RunSettings(program: RunEnvironment.ownPath(), slice: UInt64(options.slice) * 1_000_000)
        sets = WorkSets(root: options.root, scratch: options.out + "/pictures")
        decodeImage = options.root + "/.build/release/decode-image"
        guard Files.exists(decodeImage) else {
            throw BenchError("\(decodeImage) is not there: build it by `make release`, or measure by `make bench`")
        }
        readers = [QuietzoneReader(), QuietzoneReader(effort: .fast), QuietzoneReader(effort: .thorough)]
        memoryPrograms = [("decode-image", [decodeImage])]
        processes = [
            ProgramReader(name: "decode-image (process)", arguments: [decodeImage, "--json", "--quiet"], form: .json)
        ]
        if options.peers {
            readers.append(ZBarLibraryReader())
            try startPeers()
            if let zbarimg = Files.program("zbarimg") {
                let name = "zbarimg (process)"
                processes.append(
                    ProgramReader(name: name, arguments: [zbarimg, "--quiet", "--nodbus", "--xml"], form: .xml))
                memoryPrograms.append(("zbarimg", [zbarimg, "--quiet", "--nodbus"]))
                versions["zbarimg"] = ChildProcess.text([zbarimg, "--version"]) ?? "unknown"
            } else {
                notes.append("zbarimg is not installed (apt-get install zbar-tools) and was left out")
            }
        }
    }

    private func startPeers() throws {
        let peers = Peers(folder: options.root + "/bench")
        if options.installPeers {
            say("installing the peers in bench/.venv")
            do {
                try peers.install()
            } catch {
                notes.append("the peers could not be installed: \(error)")
            }
        }
        guard peers.isInstalled else {
            notes.append("zxing-cpp is not installed (--install-peers does it) and was left out")
            return
        }
        for name in ["zxing-cpp"] + (options.opencv ? ["opencv"] : []) {
            guard let peer = try PeerReader(name, peers: peers) else {
                notes.append("\(name) does not start (--install-peers installs it anew) and was left out")
                continue
            }
            readers.append(peer)
            memoryPrograms.append((name + " (Python)", peers.command(name)))
            versions[name] = peer.version
        }
    }

    /// Measures everything in every round, and collects the results.
    func measure() throws -> Results {
        let silence = Silence()
        defer { silence.end() }
        progress = silence.errors
        let started = Timing.timestamp()
        let start = Timing.now()
        say("preparing")
        let measures = try makeMeasures()
        for round in 0..<options.rounds {
            for measure in measures {
                say("round \(round + 1) of \(options.rounds): \(measure.title)")
                try measure.measure(round: round)
            }
        }
        say("")
        var results = Results(
            started: started, seconds: Double(Timing.now() - start) / 1e9,
            commit: RunEnvironment.commit(root: options.root),
            machine: RunEnvironment.machine(), versions: versions, arguments: Array(CommandLine.arguments.dropFirst()),
            roundCount: options.rounds)
        results.notes = notes
        for measure in measures { measure.report(to: &results) }
        return results
    }

    private func makeMeasures() throws -> [any Measure] {
        var measures: [any Measure] = []
        let measureSets = options.measureSets
        let samples = try sets.samples()
        func named(_ names: [String]) -> [WorkPicture] {
            names.compactMap { name in samples.first { $0.name == name } }
        }
        // The memory is measured before this process loads the large pictures of the other sets.
        if measureSets.contains(.memory) { measures.append(MemoryMeasure(memoryPrograms, named(Self.memorySubjects))) }
        if measureSets.contains(.stages) {
            measures.append(try StageMeasure(named(Self.stageSubjects), settings: settings))
        }
        if measureSets.contains(.frames) {
            let scenes = try sets.frames()
            measures.append(try FrameMeasure(scenes, peers: peers, settings: settings))
        }
        if measureSets.contains(.costs) { measures.append(try CostMeasure(sets, settings: settings)) }
        if measureSets.contains(.samples) { measures.append(try readerMeasure("samples", samples, with: processes)) }
        if measureSets.contains(.sizes) {
            measures.append(try readerMeasure("sizes", sets.sizes(), rounds: Self.longSetRounds, with: processes))
        }
        if measureSets.contains(.throughput) {
            measures.append(
                try ThroughputMeasure(
                    samples, program: decodeImage, scratch: sets.scratch,
                    most: options.jobs ?? RunEnvironment.processors))
        }
        for folder in options.folder {
            measures.append(try readerMeasure(folder, sets.folder(folder), with: processes))
        }
        if measureSets.contains(.corpus) { measures += try corpusMeasures() }
        return measures
    }

    private func corpusMeasures() throws -> [any Measure] {
        let isWhole = options.corpus || !options.suite.isEmpty || !options.group.isEmpty
        guard sets.hasCorpus else {
            if isWhole {
                throw BenchError("there is no corpus in \(options.root)/\(WorkSets.corpusFolder)")
            }
            notes.append("there is no corpus in \(WorkSets.corpusFolder), and it was left out")
            return []
        }
        let share = isWhole ? 1 : Self.corpusShare
        let pictures = try sets.corpus(suites: options.suite, groups: options.group, share: share)
        if share > 1 {
            notes.append("of the corpus one in \(share) pictures of each group was taken; --corpus takes all")
        }
        let suites = Dictionary(grouping: pictures, by: \.set).sorted { $0.key < $1.key }
        return try suites.map { try readerMeasure($0.key, $0.value, rounds: Self.longSetRounds) }
    }

    private func readerMeasure(
        _ set: String, _ pictures: [WorkPicture], rounds: Int? = nil, with more: [any Reader] = []
    ) throws -> ReaderMeasure {
        try ReaderMeasure(
            set, pictures, readers: readers + more, roundCount: min(rounds ?? options.rounds, options.rounds))
    }

    /// Writes progress to standard error; on a terminal it overwrites one line.
    ///
    /// An empty text clears that line.
    private func say(_ text: String) {
        var line = "bench: \(text)\n"
        if isatty(progress) == 1 { line = "\r\u{1B}[K" + (text.isEmpty ? "" : "bench: \(text)") }
        if text.isEmpty && isatty(progress) != 1 { return }
        _ = line.withCString { write(progress, $0, strlen($0)) }
    }
}
