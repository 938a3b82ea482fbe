/// Everything that a run measured: what `results.json` holds.
///
/// Times are in milliseconds. `bench/README.md` describes each field.
public struct Results: Codable, Sendable, Hashable {
    /// The version of this form that is written, and the only one that is read.
    public static let currentSchema = 1

    /// The version of this form.
    public var schema: Int = Results.currentSchema
    /// When the run began, as ISO 8601 in UTC.
    public var started: String
    /// How long the run took, in seconds.
    public var seconds: Double
    /// The commit of the sources, and whether they were changed since.
    public var commit: Commit
    /// The machine.
    public var machine: Machine
    /// Each library, reader and tool with its version.
    public var versions: [String: String]
    /// The arguments of the run.
    public var arguments: [String]
    /// The number of times that everything was measured, with all else in between.
    public var roundCount: Int

    /// The floor of each file: its luma decoded by the format's own library and nothing else.
    public var floors: [String: Latency] = [:]
    /// The single measurements.
    public var measurements: [Measurement] = []
    /// Each reader on each set of pictures.
    public var readers: [ReaderResult] = []
    /// Each picture with each reader.
    public var pictures: [PictureResult] = []
    /// Quietzone's time against a peer's, picture by picture.
    public var pairs: [PairResult] = []
    /// Pictures a second for a number of jobs.
    public var throughput: [Throughput] = []
    /// The most memory that a process held.
    public var memory: [Memory] = []
    /// What something costs as a multiple of something else; nil in a run of before this was measured.
    public var costs: [Cost]?
    /// What was left out, and why.
    public var notes: [String] = []

    /// A run without a measurement.
    public init(
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
    /// The sources that were measured.
    public struct Commit: Codable, Sendable, Hashable {
        /// The commit's name; "unknown" outside of a repository.
        public var name: String
        /// Whether tracked files differ from the commit.
        public var isModified: Bool

        /// A commit by name.
        public init(name: String, isModified: Bool) {
            self.name = name
            self.isModified = isModified
        }
    }

    /// The machine that was measured on.
    public struct Machine: Codable, Sendable, Hashable {
        /// The processor, as it calls itself.
        public var processor: String
        /// The architecture, such as `x86_64`.
        public var architecture: String
        /// Processors that the run could use.
        public var processors: Int
        /// Memory in megabytes of 1,000,000 bytes.
        public var memoryMegabytes: Int
        /// The system, such as `Debian GNU/Linux 12 (bookworm)`.
        public var system: String

        /// A machine.
        public init(processor: String, architecture: String, processors: Int, memoryMegabytes: Int, system: String) {
            self.processor = processor
            self.architecture = architecture
            self.processors = processors
            self.memoryMegabytes = memoryMegabytes
            self.system = system
        }
    }

    /// One thing that was timed, again and again.
    public struct Measurement: Codable, Sendable, Hashable {
        /// What kind of thing: `stage`, `frame`, or `process`.
        public var measure: String
        /// Which one, such as `find_qr`.
        public var name: String
        /// Who did it, where others did the same.
        public var reader: String?
        /// The picture or scene.
        public var subject: String
        /// `warm` where it was done before in the same process, `cold` for the first time in a new one.
        public var state: String
        /// Megapixels of the picture.
        public var megapixels: Double
        /// How long it took.
        public var latency: Latency
        /// The median of the floor of the same file; nil where there is none.
        public var floor: Double?
        /// Pictures or frames in which all that is there was read; nil where that is no part of the measurement.
        public var complete: Int?
        /// Pictures or frames in all, where ``complete`` is counted.
        public var outOf: Int?

        /// A measurement.
        public init(
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

        /// The median as a multiple of the floor.
        public var ratioToFloor: Double? {
            floor.flatMap { $0 > 0 ? latency.p50 / $0 : nil }
        }
    }

    /// A reader on a set of pictures.
    public struct ReaderResult: Codable, Sendable, Hashable {
        /// The reader.
        public var reader: String
        /// The set of pictures.
        public var set: String
        /// The part of the set; "all" for the whole of it.
        public var group: String
        /// The number of pictures.
        public var pictures: Int
        /// What was read of what is there; nil where that is not known.
        public var score: Score?
        /// The time of a picture, from file to codes; its rounds are the sum over all pictures, as ``totals``.
        public var latency: Latency
        /// The part of it that loading took, the median over pictures; nil where the reader does not tell.
        public var load: Double?
        /// The sum over all pictures, a figure a round.
        public var totals: [Double]
        /// The same of the time for which the reader had a processor; nil where it does not tell.
        public var processorTotals: [Double]?
        /// The sum of the floors of the pictures.
        public var floorTotal: Double?
        /// The times that 0 to 100 per cent of the pictures kept to, in steps of 2.5; empty for a part of a set.
        public var quantiles: [Double]

        /// A reader's result.
        public init(
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

    /// A reader on one picture.
    public struct PictureResult: Codable, Sendable, Hashable {
        /// The reader.
        public var reader: String
        /// The set of pictures.
        public var set: String
        /// The picture.
        public var picture: String
        /// Megapixels of the picture.
        public var megapixels: Double
        /// What kind of picture it is, see ``PictureClass``.
        public var kind: String?
        /// The median time, from file to codes.
        public var milliseconds: Double
        /// The least time of the decoding alone, from pixels to codes; nil where the reader does not tell.
        public var decode: Double?
        /// What was read of what is there; nil where that is not known.
        public var score: Score?

        /// A reader's time for a picture.
        public init(
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

    /// A reader's time as a multiple of another's on the same picture in the same round.
    public struct PairResult: Codable, Sendable, Hashable {
        /// The reader whose time is above the line.
        public var reader: String
        /// The reader whose time is below it.
        public var peer: String
        /// The set of pictures.
        public var set: String
        /// `file_to_codes`, or `decode` for the time without loading.
        public var part: String
        /// The ratios.
        public var ratio: PairedRatio

        /// The ratios of two readers.
        public init(reader: String, peer: String, set: String, part: String, ratio: PairedRatio) {
            self.reader = reader
            self.peer = peer
            self.set = set
            self.part = part
            self.ratio = ratio
        }
    }

    /// How many pictures a second a number of jobs gets through.
    public struct Throughput: Codable, Sendable, Hashable {
        /// Pictures at the same time.
        public var jobs: Int
        /// Pictures in a round.
        public var pictures: Int
        /// Pictures a second, a figure a round.
        public var picturesPerSecond: [Double]

        /// A throughput.
        public init(jobs: Int, pictures: Int, picturesPerSecond: [Double]) {
            self.jobs = jobs
            self.pictures = pictures
            self.picturesPerSecond = picturesPerSecond
        }
    }

    /// What something costs as a multiple of something else that was done in turns with it.
    public struct Cost: Codable, Sendable, Hashable {
        /// What is held against what.
        public var name: String
        /// The ratio of the medians, a figure a round.
        public var ratios: [Double]
        /// What it should be at most.
        public var limit: Double

        /// A ratio that should not exceed `limit`.
        public init(name: String, ratios: [Double], limit: Double) {
            self.name = name
            self.ratios = ratios
            self.limit = limit
        }
    }

    /// The most memory that a process held at once.
    public struct Memory: Codable, Sendable, Hashable {
        /// The program or reader.
        public var program: String
        /// The picture.
        public var subject: String
        /// Megabytes of 1,000,000 bytes.
        public var peakMegabytes: Double

        /// A peak.
        public init(program: String, subject: String, peakMegabytes: Double) {
            self.program = program
            self.subject = subject
            self.peakMegabytes = peakMegabytes
        }
    }
}
