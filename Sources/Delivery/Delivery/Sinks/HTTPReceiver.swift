internal import NIOSSL

/// The address, secrets and TLS settings of an HTTP destination.
public struct HTTPReceiver: Sendable, Hashable {
    /// The URL, `http` or `https`, with the scheme and the host in lower case, which is equivalent.
    public let url: String
    /// The host of the URL, in lower case and without the brackets of an IPv6 address.
    public let host: String
    /// The port of the URL, or the default of its scheme.
    public let port: Int
    /// Indicates whether the receiver uses TLS.
    public let isSecure: Bool
    /// The secrets that sign every attempt, newest first; if empty, requests are unsigned.
    public var secrets: [WebhookSecret]
    /// A PEM file of certificates to trust instead of the system's; `nil` for the system's.
    public var certificateAuthorities: String?
    /// The address to connect to instead of resolving the name; `nil` to resolve it.
    public var address: String?
    /// Indicates whether the host's name may resolve to a private address.
    public var allowsPrivateAddress: Bool

    /// Creates a receiver from a URL.
    ///
    /// - Throws: ``ConfigurationError`` if the URL is not one that can be posted to. The message omits the URL,
    ///   which may contain a password.
    public init(
        url: String, secrets: [WebhookSecret] = [], certificateAuthorities: String? = nil, address: String? = nil,
        allowsPrivateAddress: Bool = false
    ) throws(ConfigurationError) {
        let parts = try Self.parts(of: url)
        self.url = parts.normalized
        host = parts.host
        port = parts.port
        isSecure = parts.isSecure
        self.secrets = secrets
        self.certificateAuthorities = certificateAuthorities
        self.address = address
        self.allowsPrivateAddress = allowsPrivateAddress
    }

    private static func parts(
        of url: String
    ) throws(ConfigurationError) -> (normalized: String, host: String, port: Int, isSecure: Bool) {
        let example = "such as https://receiver.example/scans"
        guard let scheme = ["http://", "https://"].first(where: { url.lowercased().hasPrefix($0) }) else {
            throw ConfigurationError("is not an http or https URL, \(example)")
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ConfigurationError(
                "is not a URL: it contains a space or a character that is not ASCII; escape it with %")
        }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if authority.contains("@") {
            throw ConfigurationError(
                "contains a user name or a password, which are not sent; remove them: a secret signs each request")
        }
        if url.contains("#") { throw ConfigurationError("contains a fragment (#), which is not sent; remove it") }
        let host: Substring
        let behind: Substring
        if authority.hasPrefix("[") {
            host = authority.dropFirst().prefix { $0 != "]" }
            behind = authority.dropFirst(host.count + 2)
        } else {
            host = authority.prefix { $0 != ":" }
            behind = authority.dropFirst(host.count)
        }
        guard !host.isEmpty else { throw ConfigurationError("is a URL without a host, \(example)") }
        let isSecure = scheme == "https://"
        var port = isSecure ? 443 : 80
        if !behind.isEmpty {
            guard behind.hasPrefix(":"), let number = Int(behind.dropFirst()), (1...65_535).contains(number) else {
                throw ConfigurationError("is a URL with a port outside 1 to 65535")
            }
            port = number
        }
        let normalized = scheme + authority.lowercased() + String(rest.dropFirst(authority.count))
        return (normalized, host.lowercased(), port, isSecure)
    }
}

extension HTTPReceiver {
    /// The TLS settings and certificates of ``certificateAuthorities``; `nil` and none for the system's.
    ///
    /// - Throws: ``ConfigurationError`` if the file cannot be read.
    func trust() throws(ConfigurationError) -> (tls: TLSConfiguration?, roots: [NIOSSLCertificate]) {
        guard let file = certificateAuthorities else { return (nil, []) }
        guard let roots = try? NIOSSLCertificate.fromPEMFile(file), !roots.isEmpty else {
            throw ConfigurationError("the file \(file) contains no certificate in PEM, or cannot be read")
        }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.trustRoots = .certificates(roots)
        return (tls, roots)
    }
}
