/// The address of a broker: `mqtt://host:1883` or `mqtts://host:8883`.
struct BrokerAddress: Sendable, Hashable, CustomStringConvertible {
    let isEncrypted: Bool
    let host: String
    let port: UInt16

    /// Parses an address.
    ///
    /// - Throws: ``ConfigurationError`` with a clause that omits anything that may be a password.
    init(_ text: String) throws(ConfigurationError) {
        guard let rest = text.firstRange(of: "://") else { throw Self.form("does not begin with mqtt:// or mqtts://") }
        switch text[..<rest.lowerBound].lowercased() {
        case "mqtt": isEncrypted = false
        case "mqtts": isEncrypted = true
        default: throw Self.form("does not begin with mqtt:// or mqtts://")
        }
        var place = text[rest.upperBound...]
        if place.hasSuffix("/") { place.removeLast() }
        if place.contains("@") {
            throw ConfigurationError(
                "contains a user name or password; put them into files, and set userFile and passwordFile")
        }
        var port: Substring?
        if place.hasPrefix("["), let end = place.firstIndex(of: "]") {
            let behind = place[place.index(after: end)...]
            guard behind.isEmpty || behind.hasPrefix(":") else { throw Self.form("has extra text after the address") }
            if !behind.isEmpty { port = behind.dropFirst() }
            place = place[place.index(after: place.startIndex)..<end]
        } else if !place.hasPrefix("["), let colon = place.lastIndex(of: ":") {
            port = place[place.index(after: colon)...]
            place = place[..<colon]
        }
        guard !place.isEmpty,
            !place.contains(where: { "/[]".contains($0) || $0.isWhitespace || $0 == "?" || $0 == "\0" })
        else {
            throw Self.form("does not contain exactly one host")
        }
        host = String(place)
        guard let port else {
            self.port = isEncrypted ? 8883 : 1883
            return
        }
        guard let number = UInt16(port), number > 0 else { throw Self.form("has a port outside 1 to 65535") }
        self.port = number
    }

    private static func form(_ problem: String) -> ConfigurationError {
        ConfigurationError("\(problem); write it as mqtts://broker.example:8883")
    }

    var description: String { "\(isEncrypted ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
