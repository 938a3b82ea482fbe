public import BarcodeCore
internal import FoundationEssentials
public import SymbolContent

/// The report on one image, in the format of `decode-image --json`: one JSON object, schema 1.
///
/// If the image could not be read, it has an ``error``, no symbols, and a size of zero if that is unknown too.
public struct DecodeReport: Sendable, Hashable {
    /// The schema version of the report.
    ///
    /// New fields may be added in the same version; the meaning of a field never changes.
    public static let schema = 1

    /// The image as the user named it; invalid UTF-8 is replaced by U+FFFD.
    public var source: String
    /// The exact bytes of the name; `nil` if they are valid UTF-8.
    public var sourceBytes: [UInt8]?
    /// The width of the stored image in pixels.
    public var width: Int
    /// The height of the stored image in pixels.
    public var height: Int
    /// The EXIF orientation, 1 to 8; 1 is upright.
    ///
    /// Coordinates are always those of the stored image.
    public var orientation: Int
    /// The page number in a document, from 1; `nil` if the image is not a document.
    public var page: Int?
    /// The number of pages of the document; `nil` if the image is not a document.
    public var pages: Int?
    /// The rendering resolution of the page in pixels per inch; `nil` if the file itself has pixels.
    ///
    /// If set, corners are also given in points of the page.
    public var resolution: Double?
    /// The decoded symbols, from top to bottom.
    public var symbols: [Symbol]
    /// The symbols that were located but not read, from top to bottom.
    public var unread: [UnreadSymbol] = []
    /// Indicates whether the file ended, or was damaged, before its last row.
    public var isTruncated: Bool
    /// The time for loading the image, in milliseconds: reading the file and decoding it to luma.
    public var loadMilliseconds: Double
    /// The time for finding and decoding the symbols, in milliseconds.
    public var decodeMilliseconds: Double
    /// The reason for which the search for symbols ended; `nil` if the picture was not searched.
    public var searchEnd: SearchEnd?
    /// The reason why the image could not be read; `nil` if it could.
    public var error: DecodeError?
    /// Problems other than an error, such as a search that its time budget ended or a copy that was not written.
    public var warnings: [DecodeError]
    /// The year of the scan, if messages are to be parsed into fields; `nil` if they are not.
    ///
    /// It is not a part of the JSON, but the result, `content`, is.
    public var contentYear: Int?
    /// The keys to check the signatures of messages with, if they are parsed; not a part of the JSON either.
    public var signingKeys: SigningKeys?

    /// Creates an empty report for the image `source`.
    public init(source: PictureName, error: DecodeError? = nil) {
        self.source = source.display
        self.sourceBytes = source.isUTF8 ? nil : source.bytes
        self.width = 0
        self.height = 0
        self.orientation = 1
        self.symbols = []
        self.isTruncated = false
        self.loadMilliseconds = 0
        self.decodeMilliseconds = 0
        self.error = error
        self.warnings = []
    }

    /// The exact name of the image.
    public var name: PictureName { PictureName(bytes: sourceBytes ?? Array(source.utf8)) }
}

extension DecodeReport: Codable {
    private enum Key: String, CodingKey {
        case schema, source, sourceBytes, width, height, orientation, symbols, truncated, milliseconds, error, warnings
        case page, pages, resolution, searchEnd, unread
    }

    private struct Milliseconds: Codable {
        var load: Double
        var decode: Double
    }

    private struct Failure: Codable {
        var code: String
        var message: String

        init(_ error: DecodeError) {
            code = error.code.rawValue
            message = error.message
        }

        var error: DecodeError { DecodeError(DecodeError.Code(rawValue: code), message) }
    }

    /// Encodes the report; `error` is null if there is none, `warnings` only appears if there are any.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(Self.schema, forKey: .schema)
        try object.encode(source, forKey: .source)
        try object.encodeIfPresent(sourceBytes.map { Data($0) }, forKey: .sourceBytes)
        try object.encode(width, forKey: .width)
        try object.encode(height, forKey: .height)
        try object.encode(orientation, forKey: .orientation)
        try object.encodeIfPresent(page, forKey: .page)
        try object.encodeIfPresent(pages, forKey: .pages)
        try object.encodeIfPresent(resolution?.thousandths, forKey: .resolution)
        try object.encode(
            symbols.map {
                SymbolRecord($0, contentYear: contentYear, signingKeys: signingKeys, resolution: resolution)
            }, forKey: .symbols)
        if !unread.isEmpty { try object.encode(unread.map(UnreadRecord.init), forKey: .unread) }
        try object.encodeIfPresent(searchEnd, forKey: .searchEnd)
        try object.encode(isTruncated, forKey: .truncated)
        try object.encode(
            Milliseconds(load: loadMilliseconds.thousandths, decode: decodeMilliseconds.thousandths),
            forKey: .milliseconds)
        try object.encode(error.map(Failure.init), forKey: .error)
        if !warnings.isEmpty { try object.encode(warnings.map(Failure.init), forKey: .warnings) }
    }

    /// Decodes a report that ``encode(to:)`` has written.
    public init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        let schema = try object.decode(Int.self, forKey: .schema)
        guard schema == Self.schema else {
            throw DecodingError.dataCorruptedError(
                forKey: .schema, in: object,
                debugDescription: "the report has schema \(schema); this program reads schema \(Self.schema)")
        }
        source = try object.decode(String.self, forKey: .source)
        sourceBytes = try object.decodeIfPresent(Data.self, forKey: .sourceBytes).map { [UInt8]($0) }
        width = try object.decode(Int.self, forKey: .width)
        height = try object.decode(Int.self, forKey: .height)
        orientation = try object.decode(Int.self, forKey: .orientation)
        page = try object.decodeIfPresent(Int.self, forKey: .page)
        pages = try object.decodeIfPresent(Int.self, forKey: .pages)
        resolution = try object.decodeIfPresent(Double.self, forKey: .resolution)
        symbols = try object.decode([SymbolRecord].self, forKey: .symbols).map(\.symbol)
        unread = try object.decodeIfPresent([UnreadRecord].self, forKey: .unread)?.map(\.symbol) ?? []
        searchEnd = try object.decodeIfPresent(SearchEnd.self, forKey: .searchEnd)
        isTruncated = try object.decode(Bool.self, forKey: .truncated)
        let milliseconds = try object.decode(Milliseconds.self, forKey: .milliseconds)
        loadMilliseconds = milliseconds.load
        decodeMilliseconds = milliseconds.decode
        error = try object.decodeIfPresent(Failure.self, forKey: .error)?.error
        warnings = try object.decodeIfPresent([Failure].self, forKey: .warnings)?.map(\.error) ?? []
        guard isPlausible else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "the report has names or numbers that no decoder gives"))
        }
    }

    private static let nameBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789_".utf8)

    /// Indicates whether programs can print the names and convert the numbers to integers: a worker that an image
    /// has taken over may write anything.
    private var isPlausible: Bool {
        let names = symbols.map(\.symbology.rawValue) + ([error].compactMap(\.self) + warnings).map(\.code.rawValue)
        let corners =
            symbols.flatMap { [$0.corners, $0.composite?.corners].compactMap(\.self) } + unread.map(\.corners)
        let measures =
            symbols.flatMap { [$0.moduleSize, $0.contrast, $0.correctionUsed, $0.confidence] }
            + unread.map(\.moduleSize)
        let numbers =
            corners.flatMap(\.points).flatMap { [$0.x, $0.y] } + measures.compactMap(\.self)
            + [loadMilliseconds, decodeMilliseconds, resolution ?? 1]
        // A hostile symbol may state any number of symbols of its message, so that one is not checked.
        let counts = symbols.flatMap {
            [$0.weight, $0.version, $0.modules?.columns, $0.modules?.rows, $0.structuredAppend?.index]
        }
        let sizes = counts.compactMap(\.self) + [width, height, orientation, pages ?? 1, page ?? 1]
        return names.joined().utf8.allSatisfy { Self.nameBytes.contains($0) } && numbers.allSatisfy { abs($0) < 1e9 }
            && sizes.allSatisfy { (0...Int(Int32.max)).contains($0) }
            // The corners in points of a page are divided by it.
            && resolution ?? 1 > 1e-6
            && symbols.allSatisfy { (0...360).contains($0.orientation ?? 0) } && page ?? 1 > 0
    }
}

extension DecodeError.Code {
    /// A warning: the time budget ended the search, and symbols may have been missed.
    public static let searchCutShort = DecodeError.Code(rawValue: "search_cut_short")
    /// A warning: output for a decoded image, such as an annotated copy, could not be written.
    public static let notWritten = DecodeError.Code(rawValue: "not_written")
}

extension Double {
    /// The number rounded to three decimals, which keeps lines short.
    fileprivate var thousandths: Double { (self * 1000).rounded() / 1000 }
}
