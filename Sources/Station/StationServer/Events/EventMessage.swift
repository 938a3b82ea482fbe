/// A server-sent event that has no identifier: it is for who listens now.
struct EventMessage: Sendable {
    /// Who hears of it.
    enum Audience: Sendable, Hashable {
        /// Whoever has the station's token.
        case station
        /// The page of a session, and whoever has the station's token.
        case session(String)
        /// Those who asked for what is in view.
        case viewers
        /// The page that said last that it listens to scan guns.
        case gunListener
    }

    var audience: Audience
    /// The whole event, as it is sent.
    var bytes: [UInt8]

    /// An event of a name with JSON.
    init(_ name: String, _ data: some Encodable, to audience: Audience) throws {
        self.audience = audience
        bytes = try Self.bytes(name: name, data: JSONText.bytes(data))
    }

    /// An event as the HTML standard lays it out; JSON has no line feeds of its own.
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
