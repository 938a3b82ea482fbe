public import BridgeDialects
internal import NIOCore
internal import NIOSSL
public import SettingCodes

/// Where a station's server listens, and for whom.
public struct BridgeSettings: Sendable {
    /// The address that it listens at.
    public var address = "127.0.0.1"
    /// The port; 0 for any that is free.
    public var port = 6079
    /// Names that the station is known by besides those of loopback, with a port where it is another.
    public var hosts: [String] = []
    /// Origins whose pages may use the bridge, such as `https://oa.example`.
    public var origins: [String] = []
    /// The token that lets somebody in.
    public var token: AccessToken
    /// A folder of this process alone, for pictures while they are read.
    public var uploadFolder: String
    /// The most bytes of a body.
    public var maximumBodyBytes = 20 << 20
    /// How long the header of a request may take to arrive.
    public var headerTimeout: Duration = .seconds(10)
    /// The most connections.
    public var maximumConnections = 1024
    /// The most connections of one address other than loopback's.
    public var maximumConnectionsOfAddress = 256
    /// How long a body may take to arrive.
    public var bodyTimeout: Duration = .seconds(30)
    /// The most uploads that are under way.
    public var maximumUploads = 256
    /// How often a connection of events shows that it is alive.
    ///
    /// Pages take a station that is silent for four times as long for one that hangs.
    public var heartbeat: Duration = .seconds(2)
    /// How long a page that asked for a code may be silent, without listening, before its requests are given up.
    public var abandonment: Duration = .seconds(20)
    /// The dialects that pages may use.
    public var dialects = BridgeDialect.all
    /// What scan guns must read to be set.
    public var settingCodes = SettingTable()
    /// The folder of the pages that live on the station; nil for none.
    public var appFolder: String?
    /// Writes a text as a QR symbol, row by row, with 1 for a dark module; nothing where it is too long.
    public var symbol: @Sendable (String) -> [String] = { _ in [] }
    var tls: TLSConfiguration?

    /// The standard values: loopback, without TLS.
    public init(token: AccessToken, uploadFolder: String) {
        self.token = token
        self.uploadFolder = uploadFolder
    }

    /// Whether an address is reached from this machine alone.
    public static func isLoopback(_ address: String) -> Bool {
        address.lowercased() == "localhost" || address == "::1" || address.hasPrefix("127.")
    }

    /// Serves by TLS.
    ///
    /// - Parameters:
    ///   - certificate: a file of PEM, the server's own certificate first.
    ///   - key: a file of PEM.
    /// - Throws: ``TLSFileError``.
    public mutating func useTLS(certificate: String, key: String) throws(TLSFileError) {
        tls = try Self.serverTLS(certificate: certificate, key: key)
    }

    /// Tries whether a server can use two files of PEM.
    ///
    /// - Throws: ``TLSFileError``, which says which of them it cannot.
    public static func checkTLS(certificate: String, key: String) throws(TLSFileError) {
        _ = try serverTLS(certificate: certificate, key: key)
    }

    private static func serverTLS(certificate: String, key: String) throws(TLSFileError) -> TLSConfiguration {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(certificate), !chain.isEmpty else {
            throw TLSFileError(.certificate, "the file \(certificate) holds no certificate in PEM")
        }
        guard let secret = try? NIOSSLPrivateKey(file: key, format: .pem) else {
            throw TLSFileError(.key, "the file \(key) holds no private key in PEM, or one with a passphrase")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret))
        configuration.minimumTLSVersion = .tlsv12
        // A key of another certificate only shows when both are used.
        guard (try? NIOSSLContext(configuration: configuration)) != nil else {
            throw TLSFileError(.key, "the key \(key) does not belong to the certificate \(certificate)")
        }
        return configuration
    }

    /// `http` or `https`.
    public var scheme: String { tls == nil ? "http" : "https" }

    func policy(port: Int) -> HostPolicy {
        // A wildcard is no name that anybody asks by.
        let isName = !["0.0.0.0", "::", "*"].contains(address)
        let own = isName ? [address.contains(":") ? "[\(address)]" : address] : []
        return HostPolicy(port: port, isTLS: tls != nil, hosts: own + hosts, origins: origins)
    }
}

/// A certificate that cannot be used: a sentence for whoever starts the station.
public struct TLSFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which of the two files is wrong.
    public enum Part: Sendable, Hashable {
        /// The certificate.
        case certificate
        /// Its key.
        case key
    }

    /// Which of the two files is wrong.
    public let part: Part
    /// What is wrong, with the files.
    public let description: String

    init(_ part: Part, _ description: String) {
        self.part = part
        self.description = description
    }
}
