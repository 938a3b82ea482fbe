/// All measurements of a run: the content of `results.json`.
///
/// Times are in milliseconds. `bench/README.md` describes each field.
struct Results: Codable, Sendable, Hashable {
    /// The version of the format that is written, and the only one that can be read.
    static let currentSchema = 1

    /// The version of the format.
    var schema: Int = Results.currentSchema
    /// The start of the run, as ISO 8601 in UTC.
    var started: String
    /// The duration of the run, in seconds.
    var seconds: Double
    /// The commit of the sources.
    var commit: Commit
    /// The machine.
    var machine: Machine
    /// The version of each library, reader and tool.
    var versions: [String: String]
    /// The arguments of the run.
    var arguments: [String]
    /// The number of rounds; each round measures everything once.
    var roundCount: Int

    /// The floor of each file: the time to decode its luma with the library of its format and nothing else.
    var floors: [String: Latency] = [:]
    /// The single measurements.
    var measurements: [Measurement] = []
    /// The result of each reader on each set of pictures.
    var readers: [ReaderResult] = []
    /// The result of each reader on each picture.
    var pictures: [PictureResult] = []
    /// The ratios of Quietzone's time to that of another reader, picture by picture.
    var pairs: [PairResult] = []
    /// The throughput by number of jobs.
    var throughput: [Throughput] = []
    /// The peak memory of each program.
    var memory: [Memory] = []
    /// The cost ratios; `nil` in results from before these were measured.
    var costs: [Cost]?
    /// The omitted measurements, with the reason.
    var notes: [String] = []

    /// Creates results without a measurement.
    init(
        started: String, seconds: Double, commit: Commit, machine: Machine, versions: [String: String],
        arguments: [String], roundCount: Int
    ) {
        self.started = started
        self.seconds = seconds
        self.commit = commit
        self.machine = machine
        self.versions = versions
        self.arguments = arguments
        self.roundCount = roundCount
    }
}

extension Results {
    /// The commit of the measured sources.
    struct Commit: Codable, Sendable, Hashable {
        /// The hash of the commit; "unknown" outside of a repository.
        var name: String
        /// Indicates whether tracked files differ from the commit.
        var isModified: Bool

        /// Creates a commit.
        init(name: String, isModified: Bool) {
            self.name = name
            self.isModified = isModified
        }
    }

    /// The machine of the run.
    struct Machine: Codable, Sendable, Hashable {
        /// The processor's model name.
        var processor: String
        /// The architecture, such as `x86_64`.
        var architecture: String
        /// The number of processors available to the run.
        var processors: Int
        /// Memory in megabytes of 1,000,000 bytes.
        var memoryMegabytes: Int
        /// The operating system, such as `Debian GNU/Linux 12 (bookworm)`.
        var system: String

        /// Creates the description of a machine.
        init(processor: String, architecture: String, processors: Int, memoryMegabytes: Int, system: String) {
            self.processor = processor
            self.architecture = architecture
            self.processors = processors
            self.memoryMegabytes = memoryMegabytes
            self.system = system
        }
    }

    /// One repeated measurement.
    struct Measurement: Codable, Sendable, Hashable {
        /// The kind of measurement: `stage`, `frame`, or `process`.
        var measure: String
        /// The name of the measured work, such as `find_qr`.
        var name: String
        /// The reader, if several did the same work.
        var reader: String?
        /// The picture or scene.
        var subject: String
        /// `warm` if the process has done the work before, `cold` for the first time in a new process.
        var state: String
        /// The size of the picture, in megapixels.
        var megapixels: Double
        /// The distribution of the time.
        var latency: Latency
        /// The median floor of the same file; `nil` if there is none.
        var floor: Double?
        /// The number of pictures or frames in which every symbol was decoded; `nil` if this is not measured.
        var complete: Int?
        /// The total number of pictures or frames, if ``complete`` is counted.
        var outOf: Int?

        /// Creates a measurement.
        init(
            measure: String, name: String, reader: String? = nil, subject: String, state: String, megapixels: Double,
            latency: Latency, floor: Double? = nil, complete: Int? = nil, outOf: Int? = nil
        ) {
            self.measure = measure
            self.name = name
            self.reader = reader
            self.subject = subject
            self.state = state
            self.megapixels = megapixels
            self.latency = latency
            self.floor = floor
            self.complete = complete
            self.outOf = outOf
        }

        /// The ratio of the median to the floor; `nil` without a floor.
        var ratioToFloor: Double? {
            floor.flatMap { $0 > 0 ? latency.p50 / $0 : nil }
        }
    }

    /// The result of a reader on a set of pictures.
    struct ReaderResult: Codable, Sendable, Hashable {
        /// The reader.
        var reader: String
        /// The set of pictures.
        var set: String
        /// The group in the set; "all" for the whole set.
        var group: String
        /// The number of pictures.
        var pictures: Int
        /// The score; `nil` if the truth is not known.
        var score: Score?
        /// The time per picture, from file to codes; its rounds are the sums over all pictures, as in ``totals``.
        var latency: Latency
        /// The median time to load a picture; `nil` if the reader does not report it.
        var load: Double?
        /// The sum over all pictures, by round.
        var totals: [Double]
        /// The sum of the processor time over all pictures, by round; `nil` if the reader does not report it.
        var processorTotals: [Double]?
        /// The sum of the pictures' floors.
        var floorTotal: Double?
        /// The percentiles from 0 to 100 over the pictures, in steps of 2.5; empty for a group of a set.
        var quantiles: [Double]

        /// Creates a reader's result.
        init(
            reader: String, set: String, group: String, pictures: Int, score: Score?, latency: Latency, load: Double?,
            totals: [Double], processorTotals: [Double]? = nil, floorTotal: Double?, quantiles: [Double]
        ) {
            self.reader = reader
            self.set = set
            self.group = group
            self.pictures = pictures
            self.score = score
            self.latency = latency
            self.load = load
            self.totals = totals
            self.processorTotals = processorTotals
            self.floorTotal = floorTotal
            self.quantiles = quantiles
        }
    }

    /// The result of a reader on one picture.
    struct PictureResult: Codable, Sendable, Hashable {
        /// The reader.
        var reader: String
        /// The set of pictures.
        var set: String
        /// The picture.
        var picture: String
        /// The size of the picture, in megapixels.
        var megapixels: Double
        /// The class of the picture, see ``PictureClass``.
        var kind: String?
        /// The median time from file to codes, in milliseconds.
        var milliseconds: Double
        /// The minimum time to decode, from pixels to codes; `nil` if the reader does not report it.
        var decode: Double?
        /// The score; `nil` if the truth is not known.
        var score: Score?

        /// Creates a reader's result on a picture.
        init(
            reader: String, set: String, picture: String, megapixels: Double, kind: String? = nil,
            milliseconds: Double, decode: Double? = nil, score: Score?
        ) {
            self.reader = reader
            self.set = set
            self.picture = picture
            self.megapixels = megapixels
            self.kind = kind
            self.milliseconds = milliseconds
            self.decode = decode
            self.score = score
        }
    }

    /// The ratios of one reader's time to another's, on the same picture in the same round.
    struct PairResult: Codable, Sendable, Hashable {
        /// The reader in the numerator.
        var reader: String
        /// The reader in the denominator.
        var peer: String
        /// The set of pictures.
        var set: String
        /// `file_to_codes`, or `decode` for the time without loading.
        var part: String
        /// The ratios.
        var ratio: PairedRatio

        /// Creates the ratios of two readers.
        init(reader: String, peer: String, set: String, part: String, ratio: PairedRatio) {
            self.reader = reader
            self.peer = peer
            self.set = set
            self.part = part
            self.ratio = ratio
        }
    }

    /// The throughput with a number of jobs.
    struct Throughput: Codable, Sendable, Hashable {
        /// The number of pictures decoded in parallel.
        var jobs: Int
        /// The number of pictures in a round.
        var pictures: Int
        /// The throughput of each round, in pictures a second.
        var picturesPerSecond: [Double]

        /// Creates a throughput.
        init(jobs: Int, pictures: Int, picturesPerSecond: [Double]) {
            self.jobs = jobs
            self.pictures = pictures
            self.picturesPerSecond = picturesPerSecond
        }
    }

    /// The ratio of the cost of some work to that of a reference, measured alternately.
    struct Cost: Codable, Sendable, Hashable {
        /// The work and the reference.
        var name: String
        /// The ratio of the medians, by round.
        var ratios: [Double]
        /// The largest acceptable ratio.
        var limit: Double

        /// Creates a ratio that should not exceed `limit`.
        init(name: String, ratios: [Double], limit: Double) {
            self.name = name
            self.ratios = ratios
            self.limit = limit
        }
    }

    /// The peak memory of a process.
    struct Memory: Codable, Sendable, Hashable {
        /// The program or reader.
        var program: String
        /// The picture.
        var subject: String
        /// The peak in megabytes of 1,000,000 bytes.
        var peakMegabytes: Double

        /// Creates a peak.
        init(program: String, subject: String, peakMegabytes: Double) {
            self.program = program
            self.subject = subject
            self.peakMegabytes = peakMegabytes
        }
    }
}
