public import BarcodeCore

/// What a page asks for, in whatever dialect, and how it wants to hear of it.
public struct BridgeRequest: Sendable {
    /// Where a page wants its code from.
    public enum Source: String, Sendable, Hashable, Codable {
        /// From the camera, and not from a picture.
        case camera
        /// From a picture.
        case album
        /// From either, as the person likes.
        case any
    }

    /// The dialect that it came in.
    public let dialect: BridgeDialect
    /// The page's identifier of the request.
    public let id: String
    /// Where the code is to come from.
    public let source: Source
    /// What is asked for; empty for every symbology.
    public let symbologies: Set<Symbology>
    /// Names of formats that were asked for besides and cannot be read, such as `rm4scc`.
    public let ignoredFormats: [String]
    /// How long the request stays open: what the page said, and ``defaultTimeout`` where it said nothing.
    public let timeout: Duration

    /// How the page is answered.
    let reply: any BridgeReply

    /// How long a request stays open whose page says nothing: two minutes, to fetch what is to be scanned.
    public static let defaultTimeout = Duration.seconds(120)
    /// The longest that a page may ask for: ten minutes.
    public static let maximumTimeout = Duration.seconds(600)

    /// Reads a page's message.
    ///
    /// - Parameters:
    ///   - dialect: the way by which it came.
    ///   - id: the page's identifier of the request, 1 to 128 characters.
    ///   - message: JSON, at most 64 KiB; a string may itself hold the JSON of an object.
    /// - Throws: ``BridgeError``.
    public init(dialect: BridgeDialect, id: String, message: [UInt8]) throws(BridgeError) {
        try self.init(dialect: dialect, id: id, message: JSON(parsing: message))
    }

    /// Reads a page's message that was parsed before, within the same limits.
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

    /// What the page is to hear: the calls that its runtime or its web view makes, in their order.
    public func calls(for outcome: BridgeOutcome) -> [PageCall] { reply.calls(for: outcome, id: id) }

    /// The outcome as an object: `{"value": ...}`, or `{"error": {"code", "message"}}`.
    ///
    /// The value is ``BridgeSymbol/json`` of the first symbol, in the dialect of WeChat what `success` gets. No symbol
    /// at all is an error of the code `nothing_found`.
    public func outcome(_ outcome: BridgeOutcome) -> JSON { reply.object(for: outcome) }

    /// What `prompt` is to return at once in the dialect of RecordApp: that nothing is known yet; nil in the others.
    public var promptAnswer: JSON? { reply.promptAnswer }
}

extension BridgeRequest: Hashable {
    /// Whether two requests ask for the same in the same way.
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
