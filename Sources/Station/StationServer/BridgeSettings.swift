public import BridgeDialects
internal import NIOCore
internal import NIOSSL
public import StationDevices

/// The settings of a station's server: its address, its limits and its authorized callers.
public struct BridgeSettings: Sendable {
    /// The address to listen on.
    public var address = "127.0.0.1"
    /// The port; 0 chooses a free one.
    public var port = 6079
    /// The host names of the station besides those of loopback, with a port if it differs from the server's.
    public var hosts: [String] = []
    /// Origins whose pages may use the bridge, such as `https://oa.example`.
    public var origins: [String] = []
    /// The token that grants access.
    public var token: AccessToken
    /// A folder that only this process uses, for pictures while they are decoded.
    public var uploadFolder: String
    /// The maximum size of a body, in bytes.
    public var maximumBodyBytes = 20 << 20
    /// The timeout for the header of a request.
    public var headerTimeout: Duration = .seconds(10)
    /// The maximum number of connections.
    public var maximumConnections = 1024
    /// The maximum number of connections per address, except for loopback.
    public var maximumConnectionsOfAddress = 256
    /// The timeout for a body.
    public var bodyTimeout: Duration = .seconds(30)
    /// The maximum number of concurrent uploads.
    public var maximumUploads = 256
    /// The number of pictures that are decoded at once.
    public var workers = 2
    /// The interval of heartbeats on a connection of server-sent events.
    ///
    /// Pages regard a station as hung after a silence of four intervals.
    public var heartbeat: Duration = .seconds(2)
    /// The time after which the requests of a page are cancelled if it neither listens nor sends anything.
    public var abandonment: Duration = .seconds(20)
    /// The dialects that pages may use.
    public var dialects = BridgeDialect.all
    /// The setting codes of scan guns.
    public var settingCodes = SettingTable()
    /// The folder of the hosted apps; `nil` for none.
    public var appFolder: String?
    /// Encodes a text as a QR code, row by row, with 1 for a dark module; empty if the text is too long.
    public var symbol: @Sendable (String) -> [String] = { _ in [] }
    var tls: TLSConfiguration?

    /// Creates the default settings: loopback, without TLS.
    public init(token: AccessToken, uploadFolder: String) {
        self.token = token
        self.uploadFolder = uploadFolder
    }

    /// Indicates whether an address is reachable from this machine only.
    public static func isLoopback(_ address: String) -> Bool {
        // Not a name such as 127.example, which may be that of any machine.
        address.lowercased() == "localhost" || address == "::1"
            || address.hasPrefix("127.") && address.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
    }

    /// Enables TLS.
    ///
    /// - Parameters:
    ///   - certificate: the path of a PEM file, with the server's own certificate first.
    ///   - key: the path of a PEM file.
    /// - Throws: ``TLSFileError``.
    public mutating func useTLS(certificate: String, key: String) throws(TLSFileError) {
        tls = try Self.serverTLS(certificate: certificate, key: key)
    }

    /// Checks that a server can use two PEM files.
    ///
    /// - Throws: ``TLSFileError`` with the file that cannot be used.
    public static func checkTLS(certificate: String, key: String) throws(TLSFileError) {
        _ = try serverTLS(certificate: certificate, key: key)
    }

    private static func serverTLS(certificate: String, key: String) throws(TLSFileError) -> TLSConfiguration {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(certificate), !chain.isEmpty else {
            throw TLSFileError(.certificate, "the file \(certificate) contains no certificate in PEM")
        }
        guard let secret = try? NIOSSLPrivateKey(file: key, format: .pem) else {
            throw TLSFileError(.key, "the file \(key) contains no private key in PEM, or one with a passphrase")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret))
        configuration.minimumTLSVersion = .tlsv12
        // A mismatch of key and certificate only shows when both are used.
        guard (try? NIOSSLContext(configuration: configuration)) != nil else {
            throw TLSFileError(.key, "the key \(key) does not belong to the certificate \(certificate)")
        }
        return configuration
    }

    /// `http` or `https`.
    public var scheme: String { tls == nil ? "http" : "https" }

    func policy(port: Int) -> HostPolicy {
        // A wildcard address is not a host name.
        let isName = !["0.0.0.0", "::", "*"].contains(address)
        let own = isName ? [address.contains(":") ? "[\(address)]" : address] : []
        return HostPolicy(port: port, isTLS: tls != nil, hosts: own + hosts, origins: origins)
    }
}

/// A certificate or key that cannot be used, with a message for the person who starts the station.
public struct TLSFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file at fault.
    public enum Part: Sendable, Hashable {
        /// The certificate.
        case certificate
        /// The private key.
        case key
    }

    /// The file at fault.
    public let part: Part
    /// The fault, with the paths of the files.
    public let description: String

    init(_ part: Part, _ description: String) {
        self.part = part
        self.description = description
    }
}
