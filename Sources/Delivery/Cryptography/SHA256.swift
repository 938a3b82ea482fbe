internal import CCrypto

/// An incremental SHA-256 digest.
///
/// Computed by the system's libcrypto (OpenSSL 3).
public struct SHA256: ~Copyable {
    /// The number of bytes in a digest.
    public static let byteCount = 32

    private let context: OpaquePointer

    /// Creates the digest of an empty message.
    public init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            // As for any failed allocation in Swift; libcrypto has no other reason to fail here.
            preconditionFailure("libcrypto ran out of memory for a SHA-256 digest")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// Adds bytes.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The digest of all bytes so far; more may follow.
    public var digest: [UInt8] {
        let copy = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(copy) }
        precondition(EVP_MD_CTX_copy_ex(copy, context) == 1, "libcrypto ran out of memory for a SHA-256 digest")
        return [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
            EVP_DigestFinal_ex(copy, buffer.baseAddress, nil)
            count = Self.byteCount
        }
    }

    /// The digest of some bytes.
    public static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(Array(bytes))
        return hash.digest
    }
}

extension Collection<UInt8> {
    /// The bytes in lower-case hexadecimal, two digits each.
    public var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Compares with other bytes in a time that depends only on the two lengths.
    public func isEqualInConstantTime(to other: some Collection<UInt8>) -> Bool {
        count == other.count && zip(self, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
