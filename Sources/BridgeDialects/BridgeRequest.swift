public import BarcodeCore

/// What a page asks for, in whatever dialect, and how it wants to hear of it.
public struct BridgeRequest: Sendable, Hashable {
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
    public let formats: Set<Symbology>
    /// Names of formats that were asked for besides and cannot be read, such as `pdf417`.
    public let ignoredFormats: [String]
    /// How long the request stays open: what the page said, and ``defaultTimeout`` where it said nothing.
    public let timeout: Duration

    /// What the answer needs of the message.
    let reply: Reply

    /// How a page is answered.
    enum Reply: Sendable, Hashable {
        /// The function is called with the text, and with the page's own identifier where it gave one.
        case function([String], eventID: JSON?)
        /// The page's runtime settles a promise.
        case promise
        /// The page's runtime calls `success` or `fail`.
        case wechat(WeChatDialect.Call)
        /// `AppJsBridgeRequest.Call` hears of it.
        case recordApp(action: String, callback: String)
    }

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
            throw BridgeError(.badIdentifier, "The identifier of a request has 1 to 128 characters.")
        }
        let message = try Message(message)
        let parse =
            switch dialect {
            case .hospital: try HospitalDialect.parse(message)
            case .promise: try PromiseDialect.parse(message)
            case .wechat: try WeChatDialect.parse(message)
            case .herald: try HeraldDialect.parse(message)
            case .recordapp: try RecordAppDialect.parse(message)
            }
        self.dialect = dialect
        self.id = id
        source = parse.source
        formats = parse.formats.readable
        ignoredFormats = parse.formats.ignored
        timeout = parse.timeout ?? Self.defaultTimeout
        reply = parse.reply
    }

    /// What the page is to hear: the calls that its runtime or its web view makes, in their order.
    ///
    /// Hospital and Herald pages know no word for a request that came to nothing, and hear nothing then: an empty text
    /// would be written into their form.
    public func calls(for outcome: BridgeOutcome) -> [PageCall] {
        switch reply {
        case .function(let function, let eventID):
            guard case .symbols(let symbols) = outcome, let symbol = symbols.first else { return [] }
            return [PageCall(function: function, arguments: [.string(symbol.text)] + (eventID.map { [$0] } ?? []))]
        case .promise, .wechat:
            return [PageCall(function: ["quietzone", "_settle"], arguments: [.string(id), self.outcome(outcome)])]
        case .recordApp(let action, let callback):
            return [RecordAppDialect.call(action: action, callback: callback, outcome)]
        }
    }

    /// The outcome as an object: `{"value": ...}`, or `{"error": {"code", "message"}}`.
    ///
    /// The value is ``BridgeSymbol/json`` of the first symbol, in the dialect of WeChat what `success` gets. No symbol
    /// at all is an error of the code `nothing_found`.
    public func outcome(_ outcome: BridgeOutcome) -> JSON {
        if case .wechat(let call) = reply { return WeChatDialect.outcome(outcome, call: call) }
        switch outcome {
        case .symbols(let symbols):
            guard let symbol = symbols.first else {
                return ["error": ["code": "nothing_found", "message": .string(BridgeOutcome.nothingFound)]]
            }
            return ["value": symbol.json]
        case .failed(let code, let sentence):
            return ["error": ["code": .string(code), "message": .string(sentence)]]
        case .cancelled:
            return ["error": ["code": "cancelled", "message": "The scan was cancelled."]]
        }
    }
}

extension BridgeOutcome {
    /// What a page hears of a picture without a code.
    static let nothingFound = "No code was found."
}
