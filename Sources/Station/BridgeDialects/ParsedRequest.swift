/// What a dialect has read from a page's message.
public struct ParsedRequest: Sendable {
    /// Where the code is to come from.
    public var source: BridgeRequest.Source
    /// What is asked for.
    public var symbologies: RequestedSymbologies
    /// How long the request stays open; nil where the page says nothing.
    public var timeout: Duration?
    /// How the page is answered.
    public var reply: any BridgeReply

    /// What a dialect has read.
    public init(
        source: BridgeRequest.Source, symbologies: RequestedSymbologies, timeout: Duration? = nil,
        reply: any BridgeReply
    ) {
        self.source = source
        self.symbologies = symbologies
        self.timeout = timeout
        self.reply = reply
    }

    /// What the usual fields of a message say: `source` or `onlyFromCamera`, `formats`, `timeout`.
    ///
    /// - Throws: ``BridgeError``.
    public init(_ message: BridgeMessage, reply: any BridgeReply) throws(BridgeError) {
        self.init(
            source: try message.source(), symbologies: try RequestedSymbologies(message.names("formats")),
            timeout: try message.timeout(), reply: reply)
    }
}
