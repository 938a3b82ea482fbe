public import BarcodeCore
@_exported public import BarcodeDecoding
@_exported public import DecodeReports
internal import FoundationEssentials

/// What a worker is asked to do: one JSON line on its standard input.
///
/// `docs/worker-protocol.md` describes the line.
public struct WorkerRequest: Sendable, Hashable {
    /// The path of the picture as the worker opens it.
    public var path: PictureName
    /// What the report calls the picture.
    public var name: PictureName
    /// What to look for.
    public var options: DecodeOptions
    /// What a picture may cost.
    public var limits: Limits
    /// The file that the annotated picture is written to; nil for none.
    public var annotation: PictureName?
    /// Which page of a document, and how it is rendered.
    public var page: PageRequest
    /// Whether nothing is read, and the report tells only how many pages there are.
    var countsPages = false

    /// A request to read the picture at `path`, which the report calls `name`.
    public init(
        path: PictureName, name: PictureName? = nil, options: DecodeOptions = DecodeOptions(),
        limits: Limits = Limits(), annotation: PictureName? = nil, page: PageRequest = PageRequest()
    ) {
        self.path = path
        self.name = name ?? path
        self.options = options
        self.limits = limits
        self.annotation = annotation
        self.page = page
    }
}

/// The protocol between a worker and its pool.
enum WorkerProtocol {
    /// The version of the lines; one without a number is of the first.
    static let schema = 1

    /// A line of another version.
    struct OtherSchema: Error {
        /// The number of the request.
        var id: Int
        /// The version of the line.
        var schema: Int
    }

    private enum Key: String, CodingKey {
        case id, schema
    }

    /// Throws ``OtherSchema`` for a line of another version, whatever else stands in it.
    static func check(_ decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        let schema = try object.decodeIfPresent(Int.self, forKey: .schema) ?? Self.schema
        if schema != Self.schema { throw OtherSchema(id: try object.decode(Int.self, forKey: .id), schema: schema) }
    }
}

/// A request as it stands on the wire.
struct WorkerRequestLine: Encodable {
    var schema = WorkerProtocol.schema
    var id: Int
    /// Paths are base64, because a path may be any bytes.
    var path: Data
    var name: Data
    var formats: [String]
    var effort: String
    var timeBudgetMilliseconds: Double?
    var maximumCount: Int?
    var maximumPixels: Int
    var maximumSide: Int
    var maximumFileBytes: Int
    var annotation: Data?
    var page: Int?
    var resolution: Double?
    var countsPages: Bool?

    init(id: Int, _ request: WorkerRequest) {
        self.id = id
        path = Data(request.path.bytes)
        name = Data(request.name.bytes)
        formats = request.options.symbologies.map(\.rawValue).sorted()
        effort = request.options.effort.rawValue
        timeBudgetMilliseconds = request.options.timeBudget.map { $0 / .milliseconds(1) }
        maximumCount = request.options.maximumCount
        maximumPixels = request.limits.maximumPixels
        maximumSide = request.limits.maximumSide
        maximumFileBytes = request.limits.maximumFileBytes
        annotation = request.annotation.map { Data($0.bytes) }
        page = request.page.number == 1 ? nil : request.page.number
        resolution = request.page.resolution
        countsPages = request.countsPages ? true : nil
    }

    /// Why the request cannot be carried out as it stands; nil where it can.
    ///
    /// To read with another effort, or for other symbologies, than was asked would be an answer to another question.
    var refusal: DecodeError? {
        if DecodeOptions.Effort(rawValue: effort) == nil {
            let known = DecodeOptions.Effort.allCases.map(\.rawValue).joined(separator: ", ")
            return DecodeError(.invalidRequest, "was asked for with the effort '\(effort)'; known are \(known)")
        }
        let known = Set(Symbology.all.map(\.rawValue))
        if let unknown = formats.first(where: { !known.contains($0) }) {
            return DecodeError(.invalidRequest, "was asked for with the format '\(unknown)', which is not known")
        }
        if let page, !PageRequest.numbers.contains(page) {
            return DecodeError(.invalidRequest, "was asked for with page \(page); pages are counted from 1")
        }
        if let resolution, !PageRequest.resolutions.contains(resolution) {
            return DecodeError(
                .invalidRequest, "was asked for with \(resolution) pixels an inch; \(PageRequest.resolutions) are known"
            )
        }
        return nil
    }

    var request: WorkerRequest {
        var request = WorkerRequest(
            path: PictureName(bytes: [UInt8](path)), name: PictureName(bytes: [UInt8](name)),
            options: DecodeOptions(
                symbologies: Set(formats.map { Symbology(rawValue: $0) }),
                effort: DecodeOptions.Effort(rawValue: effort) ?? .normal,
                // A duration holds no more than its type does.
                timeBudget: timeBudgetMilliseconds.map { .seconds(min(max($0 / 1000, 0), 1e9)) },
                maximumCount: maximumCount),
            limits: Limits(
                maximumPixels: maximumPixels, maximumSide: maximumSide, maximumFileBytes: maximumFileBytes),
            annotation: annotation.map { PictureName(bytes: [UInt8]($0)) },
            page: PageRequest(number: page ?? 1, resolution: resolution))
        request.countsPages = countsPages ?? false
        return request
    }
}

extension WorkerRequestLine: Decodable {
    private enum CodingKeys: CodingKey {
        case schema, id, path, name, formats, effort, timeBudgetMilliseconds, maximumCount, maximumPixels, maximumSide
        case maximumFileBytes, annotation, page, resolution, countsPages
    }

    init(from decoder: any Decoder) throws {
        try WorkerProtocol.check(decoder)
        let object = try decoder.container(keyedBy: CodingKeys.self)
        id = try object.decode(Int.self, forKey: .id)
        path = try object.decode(Data.self, forKey: .path)
        name = try object.decode(Data.self, forKey: .name)
        formats = try object.decode([String].self, forKey: .formats)
        effort = try object.decode(String.self, forKey: .effort)
        timeBudgetMilliseconds = try object.decodeIfPresent(Double.self, forKey: .timeBudgetMilliseconds)
        maximumCount = try object.decodeIfPresent(Int.self, forKey: .maximumCount)
        maximumPixels = try object.decode(Int.self, forKey: .maximumPixels)
        maximumSide = try object.decode(Int.self, forKey: .maximumSide)
        maximumFileBytes = try object.decode(Int.self, forKey: .maximumFileBytes)
        annotation = try object.decodeIfPresent(Data.self, forKey: .annotation)
        page = try object.decodeIfPresent(Int.self, forKey: .page)
        resolution = try object.decodeIfPresent(Double.self, forKey: .resolution)
        countsPages = try object.decodeIfPresent(Bool.self, forKey: .countsPages)
    }
}

/// A worker's answer as it stands on the wire.
struct WorkerReplyLine: Encodable {
    var schema = WorkerProtocol.schema
    var id: Int
    var report: DecodeReport

    init(id: Int, report: DecodeReport) {
        self.id = id
        self.report = report
    }
}

extension WorkerReplyLine: Decodable {
    private enum CodingKeys: CodingKey {
        case schema, id, report
    }

    init(from decoder: any Decoder) throws {
        try WorkerProtocol.check(decoder)
        let object = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try object.decode(Int.self, forKey: .id), report: try object.decode(DecodeReport.self, forKey: .report))
    }
}

extension WorkerProtocol {
    /// The answer to a line of bytes: a request to carry out, or a reply that says why it is not.
    enum Question {
        case request(id: Int, WorkerRequest)
        case refusal(WorkerReplyLine)
    }

    /// Reads a line.
    ///
    /// - Throws: what JSONDecoder throws, when it is no request.
    static func question(in line: some Collection<UInt8>) throws -> Question {
        let message: WorkerRequestLine
        do {
            message = try JSONLine.decode(WorkerRequestLine.self, from: line)
        } catch let other as OtherSchema {
            let error = DecodeError(
                .invalidRequest,
                "was asked for by version \(other.schema) of the worker protocol; this worker knows version \(schema): "
                    + "start a worker of the same program")
            return .refusal(
                WorkerReplyLine(id: other.id, report: DecodeReport(source: PictureName(""), error: error)))
        }
        let request = message.request
        guard let refusal = message.refusal else { return .request(id: message.id, request) }
        return .refusal(
            WorkerReplyLine(id: message.id, report: DecodeReport(source: request.name, error: refusal)))
    }
}

extension DecodeError {
    /// Whether a worker was lost over a picture, or over a page: it crashed, hung or had too little memory.
    public var isLossOfWorker: Bool { [.readerCrashed, .timedOut, .outOfMemory].contains(code) }
}
