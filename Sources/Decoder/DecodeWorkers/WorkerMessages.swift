public import BarcodeCore
@_exported public import BarcodeDecoding
@_exported public import DecodeReports
internal import FoundationEssentials

/// A request to a worker: one JSON line on its standard input.
///
/// `docs/reference/worker-protocol.md` describes the line.
public struct WorkerRequest: Sendable, Hashable {
    /// The path of the image, as the worker opens it.
    public var path: PictureName
    /// The name of the image in the report.
    public var name: PictureName
    /// The symbologies to look for, and the effort.
    public var options: DecodeOptions
    /// The size limits of the image.
    public var limits: Limits
    /// The file for the annotated image; `nil` for none.
    public var annotation: PictureName?
    /// The page of a document, and its rendering resolution.
    public var page: PageRequest
    /// The bytes of the image, if they are sent along; no file is opened then.
    public var bytes: [UInt8]?
    /// The layout of raw pixels; `nil` if the bytes or the file are in an image format.
    public var gray: GrayLayout?

    /// Creates a request to decode image bytes that are sent along; the report calls the image `name`.
    public init(
        bytes: [UInt8], gray: GrayLayout? = nil, name: PictureName, options: DecodeOptions = DecodeOptions(),
        limits: Limits = Limits(), page: PageRequest = PageRequest()
    ) {
        self.init(path: PictureName(""), name: name, options: options, limits: limits, page: page)
        self.bytes = bytes
        self.gray = gray
    }

    /// Indicates whether the report only needs the number of pages.
    var countsPages = false

    /// Creates a request to decode the image at `path`; the report calls it `name`.
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
    /// The version of replies, and of requests that name a file; the default if a line has no version.
    static let schema = 1
    /// The version of requests with image bytes or a pixel layout, which a version 1 worker does not support.
    static let schemaWithBytes = 2

    /// An error for a line of another version.
    struct SchemaMismatch: Error {
        /// The number of the request.
        var id: Int
        /// The version of the line.
        var schema: Int
        /// The number of bytes that follow the line.
        var bytes: Int
    }

    private enum Key: String, CodingKey {
        case id, schema, bytes
    }

    /// Checks the version of a line, regardless of its other fields.
    ///
    /// - Returns: the version.
    /// - Throws: ``SchemaMismatch`` for a version that is not in `known`.
    @discardableResult
    static func check(_ decoder: any Decoder, known: ClosedRange<Int> = schema...schema) throws -> Int {
        let object = try decoder.container(keyedBy: Key.self)
        let schema = try object.decodeIfPresent(Int.self, forKey: .schema) ?? Self.schema
        guard known.contains(schema) else {
            throw SchemaMismatch(
                id: try object.decode(Int.self, forKey: .id), schema: schema,
                bytes: (try? object.decode(Int.self, forKey: .bytes)) ?? 0)
        }
        return schema
    }
}

/// A request in its wire format.
struct WorkerRequestLine: Encodable {
    var schema = WorkerProtocol.schema
    var id: Int
    /// Paths are base64, because a path may be any bytes; `nil` if the bytes of the image are sent along.
    var path: Data?
    var name: Data
    /// The symbologies; `nil` for the default ones, which are the most common.
    var formats: [String]?
    var effort: String
    var timeBudgetMilliseconds: Double?
    var maximumCount: Int?
    var maximumPixels: Int
    var maximumSide: Int
    var maximumFileBytes: Int
    var annotation: Data?
    var page: Int?
    var resolution: Double?
    /// The number of bytes that follow the line.
    var bytes: Int?
    var gray: Gray?

    /// The layout of raw pixels in its wire format.
    struct Gray: Codable {
        var width: Int
        var height: Int
        var stride: Int?
    }
    var countsPages: Bool?

    init(id: Int, _ request: WorkerRequest) {
        self.id = id
        path = Data(request.path.bytes)
        name = Data(request.name.bytes)
        let symbologies = request.options.symbologies
        formats = symbologies == Symbology.standard ? nil : symbologies.map(\.rawValue).sorted()
        effort = request.options.effort.rawValue
        timeBudgetMilliseconds = request.options.timeBudget.map { $0 / .milliseconds(1) }
        maximumCount = request.options.maximumCount
        maximumPixels = request.limits.maximumPixels
        maximumSide = request.limits.maximumSide
        maximumFileBytes = request.limits.maximumFileBytes
        annotation = request.annotation.map { Data($0.bytes) }
        page = request.page.number == 1 ? nil : request.page.number
        resolution = request.page.resolution
        bytes = request.bytes?.count
        gray = request.gray.map { Gray(width: $0.width, height: $0.height, stride: $0.bytesPerRow) }
        if bytes != nil || gray != nil { schema = WorkerProtocol.schemaWithBytes }
        if bytes != nil { path = nil }
        countsPages = request.countsPages ? true : nil
    }

    /// The reason why the request cannot be carried out as it is; `nil` if it can.
    ///
    /// Decoding with another effort, or for other symbologies, would answer a different question.
    var refusal: DecodeError? {
        if DecodeOptions.Effort(rawValue: effort) == nil {
            let known = DecodeOptions.Effort.allCases.map(\.rawValue).joined(separator: ", ")
            return DecodeError(
                .invalidRequest,
                "was requested with the unknown effort '\(effort)'; the efforts are \(known)")
        }
        if let unknown = formats?.first(where: { !Self.knownFormats.contains($0) }) {
            return DecodeError(
                .invalidRequest,
                "was requested with the unknown format '\(unknown)'; omit formats for the default ones")
        }
        if formats?.isEmpty == true {
            return DecodeError(
                .invalidRequest,
                "was requested with an empty list of formats; omit formats for the default ones")
        }
        if let maximumCount, maximumCount < 1 {
            return DecodeError(
                .invalidRequest, "was requested with a maximum of \(maximumCount) symbols; the least is 1")
        }
        if let page, !PageRequest.numbers.contains(page) {
            return DecodeError(.invalidRequest, "was requested with page \(page); the first page is 1")
        }
        if let resolution, !PageRequest.resolutions.contains(resolution) {
            return DecodeError(
                .invalidRequest,
                "was requested with \(resolution) pixels per inch; the range is \(PageRequest.resolutions)"
            )
        }
        if let bytes {
            guard bytes >= 0 else {
                return DecodeError(.invalidRequest, "was sent with the invalid length of \(bytes) bytes")
            }
            do throws(DecodeError) { try limits.check(fileBytes: bytes) } catch { return error }
        }
        return nil
    }

    /// Returns a time budget in whole microseconds, which survives a round trip through JSON; at most three years.
    private static func timeBudget(milliseconds: Double) -> Duration {
        .microseconds(Int64(min(max(milliseconds * 1000, 0), 1e14).rounded()))
    }

    private static let knownFormats = Set(Symbology.all.map(\.rawValue))

    private var limits: Limits {
        Limits(maximumPixels: maximumPixels, maximumSide: maximumSide, maximumFileBytes: maximumFileBytes)
    }

    /// The decoded request, without the bytes that follow the line.
    var request: WorkerRequest {
        var request = WorkerRequest(
            path: PictureName(bytes: [UInt8](path ?? Data())), name: PictureName(bytes: [UInt8](name)),
            options: DecodeOptions(
                symbologies: formats.map { Set($0.map { Symbology(rawValue: $0) }) } ?? Symbology.standard,
                effort: DecodeOptions.Effort(rawValue: effort) ?? .normal,
                timeBudget: timeBudgetMilliseconds.map(Self.timeBudget),
                maximumCount: maximumCount),
            limits: limits, annotation: annotation.map { PictureName(bytes: [UInt8]($0)) },
            page: PageRequest(number: page ?? 1, resolution: resolution))
        request.gray = gray.map { GrayLayout(width: $0.width, height: $0.height, bytesPerRow: $0.stride) }
        request.countsPages = countsPages ?? false
        return request
    }
}

extension WorkerRequestLine: Decodable {
    private enum CodingKeys: CodingKey {
        case schema, id, path, name, formats, effort, timeBudgetMilliseconds, maximumCount, maximumPixels, maximumSide
        case maximumFileBytes, annotation, page, resolution, bytes, gray, countsPages
    }

    init(from decoder: any Decoder) throws {
        schema = try WorkerProtocol.check(
            decoder, known: WorkerProtocol.schema...WorkerProtocol.schemaWithBytes)
        let object = try decoder.container(keyedBy: CodingKeys.self)
        id = try object.decode(Int.self, forKey: .id)
        if schema == WorkerProtocol.schemaWithBytes {
            bytes = try object.decodeIfPresent(Int.self, forKey: .bytes)
            gray = try object.decodeIfPresent(Gray.self, forKey: .gray)
        }
        path = bytes == nil ? try object.decode(Data.self, forKey: .path) : nil
        name = try object.decodeIfPresent(Data.self, forKey: .name) ?? path ?? Data()
        // Missing fields have the defaults of decode-image.
        let limits = Limits()
        formats = try object.decodeIfPresent([String].self, forKey: .formats)
        effort = try object.decodeIfPresent(String.self, forKey: .effort) ?? DecodeOptions.Effort.normal.rawValue
        timeBudgetMilliseconds = try object.decodeIfPresent(Double.self, forKey: .timeBudgetMilliseconds)
        maximumCount = try object.decodeIfPresent(Int.self, forKey: .maximumCount)
        maximumPixels = try object.decodeIfPresent(Int.self, forKey: .maximumPixels) ?? limits.maximumPixels
        maximumSide = try object.decodeIfPresent(Int.self, forKey: .maximumSide) ?? limits.maximumSide
        maximumFileBytes = try object.decodeIfPresent(Int.self, forKey: .maximumFileBytes) ?? limits.maximumFileBytes
        annotation = try object.decodeIfPresent(Data.self, forKey: .annotation)
        page = try object.decodeIfPresent(Int.self, forKey: .page)
        resolution = try object.decodeIfPresent(Double.self, forKey: .resolution)
        countsPages = try object.decodeIfPresent(Bool.self, forKey: .countsPages)
    }
}

/// A reply of a worker in its wire format.
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
        let id = try WorkerReplyNumber(from: decoder).id
        let object = try decoder.container(keyedBy: CodingKeys.self)
        self.init(id: id, report: try object.decode(DecodeReport.self, forKey: .report))
    }
}

extension WorkerReplyLine {
    /// Indicates whether a line is a reply as workers write it, with the number `id` alone and a valid report.
    ///
    /// A worker that an image has taken over may give two numbers, and another parser may take the other one.
    static func isUnambiguous(_ line: [UInt8], id: Int) -> Bool {
        let (start, end) = (
            Array(#"{"id":\#(id),"report":"#.utf8), Array(",\"schema\":\(WorkerProtocol.schema)}\n".utf8)
        )
        guard line.starts(with: start), line.suffix(end.count).elementsEqual(end) else { return false }
        // Nothing may stand behind the report.
        let report = line.dropFirst(start.count).dropLast(end.count)
        return (try? JSONLine.decode(DecodeReport.self, from: report)) != nil
    }
}

/// The number of the request that a reply belongs to.
struct WorkerReplyNumber: Decodable {
    var id: Int

    private enum CodingKeys: CodingKey {
        case id
    }

    init(from decoder: any Decoder) throws {
        try WorkerProtocol.check(decoder)
        id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
    }
}

extension WorkerProtocol {
    /// The parsed form of a line: a request to carry out, or a reply that refuses it.
    enum ParsedLine {
        /// A request to carry out, and the number of image bytes that follow the line; `nil` for none.
        case request(id: Int, WorkerRequest, bytes: Int?)
        /// A reply that refuses the request, and the number of bytes after the line to skip.
        case refusal(WorkerReplyLine, bytes: Int)
    }

    /// Parses a line.
    ///
    /// - Throws: ``DecodeError`` with the code `invalid_request` if it is not a request.
    static func parse(_ line: some Collection<UInt8>) throws -> ParsedLine {
        let message: WorkerRequestLine
        do {
            message = try JSONLine.decode(WorkerRequestLine.self, from: line)
        } catch let other as SchemaMismatch {
            let error = DecodeError(
                .invalidRequest,
                "was requested by version \(other.schema) of the worker protocol; this worker supports versions "
                    + "\(schema) and \(schemaWithBytes): start a worker of the same program")
            return .refusal(
                WorkerReplyLine(id: other.id, report: DecodeReport(source: PictureName(""), error: error)),
                bytes: max(0, other.bytes))
        } catch let error as DecodingError {
            throw DecodeError(.invalidRequest, "a line is not a valid request: \(fault(error))", cause: error)
        }
        let request = message.request
        guard let refusal = message.refusal else {
            return .request(id: message.id, request, bytes: message.bytes)
        }
        return .refusal(
            WorkerReplyLine(id: message.id, report: DecodeReport(source: request.name, error: refusal)),
            bytes: max(0, message.bytes ?? 0))
    }

    /// The reason why a line is not a request, as a clause for people.
    private static func fault(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): return "the field \(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            guard let field = context.codingPath.first else { return "it is not a JSON object" }
            return "the field \(field.stringValue) has an invalid value"
        @unknown default: return "it cannot be parsed"
        }
    }
}

extension DecodeError {
    /// Indicates whether a worker was lost on an image or page: it crashed, hung or ran out of memory.
    public var isLossOfWorker: Bool { [.readerCrashed, .timedOut, .outOfMemory].contains(code) }
}
