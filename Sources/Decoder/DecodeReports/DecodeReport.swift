public import BarcodeCore
internal import FoundationEssentials

/// The answer for one picture, in the form of `decode-image --json`: one JSON object, schema 1.
///
/// A picture that could not be read has an ``error``, no symbols, and a size of zero where even that is unknown.
public struct DecodeReport: Sendable, Hashable {
    /// The version of the form.
    ///
    /// A field may be added without a new version; none changes its meaning.
    public static let schema = 1

    /// The picture as its user named it; bytes that are no UTF-8 stand as U+FFFD.
    public var source: String
    /// The exact bytes of the name, where they are no UTF-8.
    public var sourceBytes: [UInt8]?
    /// Pixels across the stored picture.
    public var width: Int
    /// Pixels down the stored picture.
    public var height: Int
    /// The EXIF orientation, 1 to 8; 1 is upright.
    ///
    /// Coordinates are those of the stored picture all the same.
    public var orientation: Int
    /// Which page of a document it is, from 1; nil for a picture that is none.
    public var page: Int?
    /// The pages of the document; nil for a picture that is none.
    public var pages: Int?
    /// Pixels an inch that the page was rendered with; nil where the file itself has pixels.
    ///
    /// Corners are then also given in points of the page.
    public var resolution: Double?
    /// What was read, from top to bottom.
    public var symbols: [Symbol]
    /// Whether the file ended, or was damaged, before its last row.
    public var isTruncated: Bool
    /// What loading the picture took, in milliseconds: reading the file and decoding it to luma.
    public var loadMilliseconds: Double
    /// What finding and reading the symbols took, in milliseconds.
    public var decodeMilliseconds: Double
    /// The reason for which the search for symbols ended; `nil` if the picture was not searched.
    public var searchEnd: SearchEnd?
    /// Why the picture could not be read; nil where it could.
    public var error: DecodeError?
    /// What was not done although the picture was read: a search that its time budget ended, a copy not written.
    public var warnings: [DecodeError]
    /// The year in which what the messages say is told too, field by field; nil where only the messages are.
    ///
    /// It is no part of the JSON, but its result, `content`, is.
    public var contentYear: Int?

    /// An answer that is not yet filled in, for the picture `source`.
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

    /// The name of the picture, exactly.
    public var name: PictureName { PictureName(bytes: sourceBytes ?? Array(source.utf8)) }
}

extension DecodeReport: Codable {
    private enum Key: String, CodingKey {
        case schema, source, sourceBytes, width, height, orientation, symbols, truncated, milliseconds, error, warnings
        case page, pages, resolution, searchEnd
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

    /// Writes the object; `error` is there in any case, as null where there is none, `warnings` only where there are any.
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
            symbols.map { SymbolRecord($0, contentYear: contentYear, resolution: resolution) }, forKey: .symbols)
        try object.encodeIfPresent(searchEnd, forKey: .searchEnd)
        try object.encode(isTruncated, forKey: .truncated)
        try object.encode(
            Milliseconds(load: loadMilliseconds.thousandths, decode: decodeMilliseconds.thousandths),
            forKey: .milliseconds)
        try object.encode(error.map(Failure.init), forKey: .error)
        if !warnings.isEmpty { try object.encode(warnings.map(Failure.init), forKey: .warnings) }
    }

    /// Reads the object that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        let schema = try object.decode(Int.self, forKey: .schema)
        guard schema == Self.schema else {
            throw DecodingError.dataCorruptedError(
                forKey: .schema, in: object,
                debugDescription: "the report has schema \(schema); this program knows \(Self.schema)")
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
        searchEnd = try object.decodeIfPresent(SearchEnd.self, forKey: .searchEnd)
        isTruncated = try object.decode(Bool.self, forKey: .truncated)
        let milliseconds = try object.decode(Milliseconds.self, forKey: .milliseconds)
        loadMilliseconds = milliseconds.load
        decodeMilliseconds = milliseconds.decode
        error = try object.decodeIfPresent(Failure.self, forKey: .error)?.error
        warnings = try object.decodeIfPresent([Failure].self, forKey: .warnings)?.map(\.error) ?? []
    }
}

extension DecodeError.Code {
    /// A warning: the time budget ended the search, and symbols may have been missed.
    public static let searchCutShort = DecodeError.Code(rawValue: "search_cut_short")
    /// A warning: what was to be written about a picture that was read, such as an annotated copy, could not be.
    public static let notWritten = DecodeError.Code(rawValue: "not_written")
}

extension Double {
    /// The number to three places, so that lines are no longer than what was measured.
    fileprivate var thousandths: Double { (self * 1000).rounded() / 1000 }
}
