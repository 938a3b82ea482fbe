/// Where an HTTP destination is, and how it is spoken to.
public struct HTTPReceiver: Sendable, Hashable {
    /// The URL, `http` or `https`.
    public var url: String
    /// The host of the URL, without the brackets of an IPv6 address.
    public let host: String
    /// The secrets that every attempt is signed with, the newest first; none means unsigned.
    public var secrets: [WebhookSecret]
    /// A file of certificates in PEM that are trusted instead of the system's; nil for the system's.
    public var certificateAuthorities: String?
    /// The address to connect to whatever the name resolves to; nil to resolve it.
    public var address: String?
    /// Whether the host's name may resolve to a private address.
    public var allowsPrivateAddress: Bool

    /// A receiver at a URL.
    ///
    /// - Throws: ``ConfigurationError``, when it is no URL of a kind that can be posted to.
    public init(
        url: String, secrets: [WebhookSecret] = [], certificateAuthorities: String? = nil, address: String? = nil,
        allowsPrivateAddress: Bool = false
    ) throws(ConfigurationError) {
        guard let host = Self.host(of: url) else {
            throw ConfigurationError(
                "\"\(url)\" is no URL such as https://receiver.example/scans, without a user, password or fragment")
        }
        self.url = url
        self.host = host
        self.secrets = secrets
        self.certificateAuthorities = certificateAuthorities
        self.address = address
        self.allowsPrivateAddress = allowsPrivateAddress
    }

    private static func host(of url: String) -> String? {
        let lower = url.lowercased()
        guard lower.hasPrefix("http://") || lower.hasPrefix("https://") else { return nil }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !url.contains("#") else { return nil }
        let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        if authority.contains("@") { return nil }
        let host: Substring
        let rest: Substring
        if authority.hasPrefix("[") {
            host = authority.dropFirst().prefix { $0 != "]" }
            rest = authority.dropFirst(host.count + 2)
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority.dropFirst(host.count)
        }
        guard !host.isEmpty else { return nil }
        if !rest.isEmpty {
            guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()), (1...65_535).contains(port) else { return nil }
        }
        return String(host)
    }
}
