/// A server-sent event without an identifier, which is only for clients that are connected now.
struct EventMessage: Sendable {
    /// The receivers of a message.
    enum Audience: Sendable, Hashable {
        /// Clients with the station's token.
        case station
        /// The page of a session, and clients with the station's token.
        case session(String)
        /// Clients that requested the symbols in view.
        case viewers
        /// The page that last registered for the scans of guns.
        case gunListener
    }

    var audience: Audience
    /// The complete event, ready to send.
    var bytes: [UInt8]

    /// Creates an event from a name and a value, which is encoded as JSON.
    init(_ name: String, _ data: some Encodable, to audience: Audience) throws {
        self.audience = audience
        bytes = try Self.bytes(name: name, data: JSONText.bytes(data))
    }

    /// Formats an event as the HTML standard defines it; the JSON has no line feeds.
    static func bytes(id: String? = nil, name: String, data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 96)
        if let id { bytes += Array("id: \(id)\n".utf8) }
        bytes += Array("event: \(name)\ndata: ".utf8)
        bytes += data
        bytes += [0x0A, 0x0A]
        return bytes
    }
}
