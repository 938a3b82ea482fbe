internal import FoundationEssentials
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import ScanEvents
internal import Synchronization

/// Explains why a certificate is not trusted.
///
/// BoringSSL verifies it, and NIOSSL reports that it failed but not why. So this requests the receiver's
/// certificates once more, in a handshake that it aborts before anything is sent, and examines them.
enum CertificateDiagnosis {
    /// The timeout for the receiver to present its certificates.
    private static let timeout: TimeAmount = .seconds(5)

    /// The relevant fields of a certificate.
    struct CertificateFields: Sendable, Hashable {
        var notBefore: Date
        var notAfter: Date
        /// The names in DER; `nil` if they cannot be found.
        var names: CertificateNames?
    }

    /// A clause that says why a receiver's certificate is not trusted; `nil` if the receiver presents none.
    static func reason(for receiver: HTTPReceiver, trusting roots: [NIOSSLCertificate]) async -> String? {
        guard let chain = try? await certificates(of: receiver), !chain.isEmpty else { return nil }
        let clause = clause(for: chain.map(fields), roots: roots.map(fields), now: Date())
        return "no trusted TLS connection to \(receiver.host):\(receiver.port): \(clause)"
    }

    /// The problem with a certificate chain, which begins with the receiver's own certificate.
    static func clause(for chain: [CertificateFields], roots: [CertificateFields], now: Date) -> String {
        guard let own = chain.first, let last = chain.last else { return "it has no certificate" }
        if own.notAfter < now { return "its certificate expired on \(day(own.notAfter))" }
        if own.notBefore > now {
            return "its certificate is not valid before \(day(own.notBefore)); check the clock of this machine"
        }
        if let old = chain.dropFirst().first(where: { $0.notAfter < now }) {
            return "the certificate of its authority expired on \(day(old.notAfter))"
        }
        if let root = roots.first(where: { $0.names != nil && $0.names?.subject == last.names?.issuer }) {
            if root.notAfter < now {
                return "the certificate in certificateAuthorities expired on \(day(root.notAfter))"
            }
            return "its certificate was not issued by the authority in certificateAuthorities, which has the same name"
        }
        let advice = "; if you trust it, set certificateAuthorities to its file"
        if chain.count == 1, let names = own.names, names.issuer == names.subject {
            return "its certificate is self-signed" + advice
        }
        return "its certificate was issued by an unknown authority"
            + "; if you trust it, set certificateAuthorities to the authority's file"
    }

    private static func day(_ date: Date) -> String { String(date.rfc3339.prefix(10)) }

    private static func fields(_ certificate: NIOSSLCertificate) -> CertificateFields {
        CertificateFields(
            notBefore: Date(timeIntervalSince1970: Double(certificate.notValidBefore)),
            notAfter: Date(timeIntervalSince1970: Double(certificate.notValidAfter)),
            names: (try? certificate.toDERBytes()).flatMap { CertificateNames(der: $0) })
    }

    /// The certificates that a receiver presents.
    private static func certificates(of receiver: HTTPReceiver) async throws -> [NIOSSLCertificate] {
        let address = try await AddressPin.address(for: receiver)
        let context = try NIOSSLContext(configuration: .makeClientConfiguration())
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let shown = loop.makePromise(of: [NIOSSLCertificate].self)
        // The first event completes the promise: the certificates, the end of the connection, or the timeout.
        let timer = loop.scheduleTask(in: timeout) { shown.fail(ChannelError.eof) }
        let name = AddressPin.isAddress(receiver.host) ? nil : receiver.host
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(timeout).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    NIOSSLClientHandler(context: context, serverHostname: name) {
                        (certificates: [NIOSSLCertificate], verification: EventLoopPromise<NIOSSLVerificationResult>) in
                        shown.succeed(certificates)
                        verification.succeed(.failed)
                    })
            }
        }
        let channel = bootstrap.connect(host: address, port: receiver.port)
        channel.whenFailure { shown.fail($0) }
        channel.whenSuccess { channel in channel.closeFuture.whenComplete { _ in shown.fail(ChannelError.eof) } }
        defer {
            timer.cancel()
            channel.whenSuccess { $0.close(mode: .all, promise: nil) }
        }
        return try await shown.futureResult.get()
    }
}

/// The issuer and subject names of a certificate, as encoded in it.
struct CertificateNames: Sendable, Hashable {
    var issuer: [UInt8]
    var subject: [UInt8]

    /// Finds the names in a certificate of RFC 5280, section 4.1; `nil` if it has another structure.
    init?(der: [UInt8]) {
        // A Certificate sequence, which contains the tbsCertificate sequence.
        var rest = der[...]
        guard let certificate = Self.next(&rest)?.content else { return nil }
        rest = certificate
        guard let signed = Self.next(&rest)?.content else { return nil }
        rest = signed
        // First come the version, which is [0] and optional, the serial number and the algorithm.
        guard let first = Self.next(&rest) else { return nil }
        if first.tag == 0xA0 { _ = Self.next(&rest) }
        guard Self.next(&rest) != nil, let issuer = Self.next(&rest), Self.next(&rest) != nil,
            let subject = Self.next(&rest)
        else { return nil }
        self.issuer = Array(issuer.content)
        self.subject = Array(subject.content)
    }

    /// Removes the next DER element from the bytes and returns it.
    private static func next(_ bytes: inout ArraySlice<UInt8>) -> (tag: UInt8, content: ArraySlice<UInt8>)? {
        guard let tag = bytes.popFirst(), let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first & 0x80 != 0 {
            let count = Int(first & 0x7F)
            guard (1...4).contains(count), bytes.count >= count else { return nil }
            length = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(count)
        }
        guard bytes.count >= length else { return nil }
        defer { bytes = bytes.dropFirst(length) }
        return (tag, bytes.prefix(length))
    }
}
