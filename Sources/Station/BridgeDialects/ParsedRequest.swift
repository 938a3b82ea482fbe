/// A scan request as a dialect parsed it from a page's message.
public struct ParsedRequest: Sendable {
    /// The wanted source of the code.
    public var source: BridgeRequest.Source
    /// The requested symbologies.
    public var symbologies: RequestedSymbologies
    /// The time for which the request stays open; `nil` if the page gives none.
    public var timeout: Duration?
    /// The way to answer the page.
    public var reply: any BridgeReply

    /// Creates a parsed request.
    public init(
        source: BridgeRequest.Source, symbologies: RequestedSymbologies, timeout: Duration? = nil,
        reply: any BridgeReply
    ) {
        self.source = source
        self.symbologies = symbologies
        self.timeout = timeout
        self.reply = reply
    }

    /// Parses the common fields of a message: `source` or `onlyFromCamera`, `formats`, `timeout`.
    ///
    /// - Throws: ``BridgeError``.
    public init(_ message: BridgeMessage, reply: any BridgeReply) throws(BridgeError) {
        self.init(
            source: try message.source(), symbologies: try RequestedSymbologies(message.names("formats")),
            timeout: try message.timeout(), reply: reply)
    }
}
