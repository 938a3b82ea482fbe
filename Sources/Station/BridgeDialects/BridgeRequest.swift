public import BarcodeCore

/// A page's scan request, independent of the dialect, and the way to answer it.
///
/// ```swift
/// let request = try BridgeRequest(dialect: .hospital, id: "1", message: Array(message.utf8))
/// // Read a code with request.symbologies, for at most request.timeout. Then call the functions of the page:
/// for call in request.calls(for: .symbols([BridgeSymbol(symbol)])) { print(call.script) }
/// ```
public struct BridgeRequest: Sendable {
    /// The source from which a page wants its code.
    public enum Source: String, Sendable, Hashable, Codable {
        /// The camera only, not a picture.
        case camera
        /// A picture.
        case album
        /// Either one; the person chooses.
        case any
    }

    /// The dialect of the request.
    public let dialect: BridgeDialect
    /// The page's identifier of the request.
    public let id: String
    /// The wanted source of the code.
    public let source: Source
    /// The requested symbologies; empty for all.
    public let symbologies: Set<Symbology>
    /// The requested formats that cannot be decoded, by name, such as `rm4scc`.
    public let ignoredFormats: [String]
    /// The time for which the request stays open: the page's, or ``defaultTimeout`` if the page gives none.
    public let timeout: Duration

    /// The way to answer the page.
    let reply: any BridgeReply

    /// The timeout of a request without one: two minutes, enough to fetch the thing to scan.
    public static let defaultTimeout = Duration.seconds(120)
    /// The longest timeout of a page: ten minutes.
    public static let maximumTimeout = Duration.seconds(600)

    /// Parses a page's message.
    ///
    /// - Parameters:
    ///   - dialect: the dialect of the message.
    ///   - id: the page's identifier of the request, 1 to 128 bytes of UTF-8.
    ///   - message: JSON, at most 64 KiB; a string may contain the JSON of an object.
    /// - Throws: ``BridgeError``.
    public init(dialect: BridgeDialect, id: String, message: [UInt8]) throws(BridgeError) {
        try self.init(dialect: dialect, id: id, message: JSON(parsing: message))
    }

    /// Reads a page's message that was parsed as JSON before, within the same limits.
    ///
    /// - Throws: ``BridgeError``.
    public init(dialect: BridgeDialect, id: String, message: JSON) throws(BridgeError) {
        guard (1...128).contains(id.utf8.count) else {
            throw BridgeError(.badIdentifier, "A request ID must be 1 to 128 characters long.")
        }
        guard let parse = dialect.parse else {
            throw BridgeError(.unknownMessage, "The dialect \(dialect.name) has no requests.")
        }
        let parsed = try parse(BridgeMessage(message))
        self.dialect = dialect
        self.id = id
        source = parsed.source
        symbologies = parsed.symbologies.readable
        ignoredFormats = parsed.symbologies.ignored
        timeout = parsed.timeout ?? Self.defaultTimeout
        reply = parsed.reply
    }

    /// Returns the calls that the page's runtime or its web view makes, in order.
    public func calls(for outcome: BridgeOutcome) -> [PageCall] { reply.calls(for: outcome, id: id) }

    /// Returns the outcome as an object: `{"value": ...}`, or `{"error": {"code", "message"}}`.
    ///
    /// The value is ``BridgeSymbol/json`` of the first symbol; in the WeChat dialect, it is the argument of
    /// `success`. Without any symbol, the result is an error with the code `nothing_found`.
    public func outcome(_ outcome: BridgeOutcome) -> JSON { reply.object(for: outcome) }

    /// The immediate return value of `prompt` in the RecordApp dialect, which says that the result is pending; `nil`
    /// in the others.
    public var promptAnswer: JSON? { reply.promptAnswer }
}

extension BridgeRequest: Hashable {
    /// Indicates whether two requests are equal, including the way to answer them.
    public static func == (one: BridgeRequest, other: BridgeRequest) -> Bool {
        one.dialect == other.dialect && one.id == other.id && one.source == other.source
            && one.symbologies == other.symbologies && one.ignoredFormats == other.ignoredFormats
            && one.timeout == other.timeout && one.reply.isEqual(to: other.reply)
    }

    /// Hashes the dialect and the identifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(dialect)
        hasher.combine(id)
    }
}
