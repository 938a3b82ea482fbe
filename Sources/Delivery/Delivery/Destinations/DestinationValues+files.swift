internal import NIOSSL

extension DestinationKey {
    /// The certificate authorities that must have issued the receiver's certificate.
    static let certificateAuthorities = DestinationKey(
        "certificateAuthorities", "a PEM file of certificates to trust instead", fallback: "the system's")
}

extension DestinationValues {
    /// Validates a certificate file at the start; an invalid one would otherwise show only at the first delivery.
    mutating func checkCertificates(_ key: String) {
        guard let bytes = file(key) else { return }
        let certificates = bytes.isEmpty ? nil : try? NIOSSLCertificate.fromPEMBytes(bytes)
        if certificates?.isEmpty != false {
            report(key, "the file \(text(key) ?? "") contains no certificate in PEM, -----BEGIN CERTIFICATE-----")
        }
    }

    /// The first line of the file that a value names; `nil` if there is none.
    ///
    /// An empty line is reported.
    mutating func firstLine(_ key: String, isSecret: Bool) -> String? {
        guard let bytes = isSecret ? secretFile(key) : file(key) else { return nil }
        let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        if line.isEmpty { report(key, "the first line of the file \(text(key) ?? "") is empty") }
        return line
    }
}
