public import BarcodeCore
public import BarcodeDecoding
public import DecodeReports
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

    /// A request to read the picture at `path`, which the report calls `name`.
    public init(
        path: PictureName, name: PictureName? = nil, options: DecodeOptions = DecodeOptions(),
        limits: Limits = Limits(), annotation: PictureName? = nil
    ) {
        self.path = path
        self.name = name ?? path
        self.options = options
        self.limits = limits
        self.annotation = annotation
    }
}

/// A request as it stands on the wire.
struct WorkerRequestLine: Codable {
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

    init(id: Int, _ request: WorkerRequest) {
        self.id = id
        path = Data(request.path.bytes)
        name = Data(request.name.bytes)
        formats = request.options.formats.map(\.rawValue).sorted()
        effort = request.options.effort.rawValue
        timeBudgetMilliseconds = request.options.timeBudget.map { $0 / .milliseconds(1) }
        maximumCount = request.options.maximumCount
        maximumPixels = request.limits.maximumPixels
        maximumSide = request.limits.maximumSide
        maximumFileBytes = request.limits.maximumFileBytes
        annotation = request.annotation.map { Data($0.bytes) }
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
        return nil
    }

    var request: WorkerRequest {
        WorkerRequest(
            path: PictureName(bytes: [UInt8](path)), name: PictureName(bytes: [UInt8](name)),
            options: DecodeOptions(
                formats: Set(formats.map { Symbology(rawValue: $0) }),
                effort: DecodeOptions.Effort(rawValue: effort) ?? .normal,
                timeBudget: timeBudgetMilliseconds.map { .seconds($0 / 1000) },
                maximumCount: maximumCount),
            limits: Limits(
                maximumPixels: maximumPixels, maximumSide: maximumSide, maximumFileBytes: maximumFileBytes),
            annotation: annotation.map { PictureName(bytes: [UInt8]($0)) })
    }
}

/// A worker's answer as it stands on the wire.
struct WorkerReplyLine: Codable {
    var id: Int
    var report: DecodeReport
}
