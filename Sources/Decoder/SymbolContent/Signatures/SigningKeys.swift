internal import CSignatures

/// The public keys that are given to check signatures of messages.
///
/// A signature is valid if one of them confirms it. Neither the dates of a certificate nor its issuer are checked: who
/// gives a key trusts it.
public struct SigningKeys: Sendable, Hashable {
    /// A key with the name by which it was given.
    private struct Named: Hashable {
        var name: String
        var key: PublicKey
    }

    /// The largest size of a key or certificate, in bytes; those in use have one or two thousand.
    public static let maximumBytes = 65_536

    private var keys: [Named] = []

    /// Creates an empty set of keys.
    public init() {}

    /// The number of keys.
    public var count: Int { keys.count }

    /// True if libcrypto is installed, without which no key can be added.
    public static var areAvailable: Bool { qz_signatures_available() }

    /// Adds a public key, or that of an X.509 certificate, in PEM or DER: RSA, elliptic curve or DSA.
    ///
    /// A PEM file may have several.
    ///
    /// - Returns: false if the bytes have something else; nothing is added then.
    public mutating func add(_ bytes: [UInt8], named name: String) -> Bool {
        let all = Self.parts(bytes).map { PublicKey($0) }
        guard all.allSatisfy({ $0 != nil }) else { return false }
        keys += all.compactMap { $0 }.map { Named(name: name, key: $0) }
        return true
    }

    /// Splits a PEM file where each of its keys begins; DER and a file with one key are one part.
    private static func parts(_ bytes: [UInt8]) -> [[UInt8]] {
        let mark = Array("-----BEGIN ".utf8)
        let starts = bytes.indices.filter { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
        guard starts.count > 1 else { return [bytes] }
        return zip(starts, starts.dropFirst() + [bytes.count]).map { Array(bytes[$0..<$1]) }
    }

    /// The name of the key that confirms a signature; `nil` if none does.
    func signer(of signature: ContentSignature) -> String? { keys.first { $0.key.confirms(signature) }?.name }
}

/// A public key, owned; equal only to itself.
// Unchecked: libcrypto's keys are never changed after they were read, and may then be used by several threads.
private final class PublicKey: @unchecked Sendable, Hashable {
    private let key: OpaquePointer

    init?(_ bytes: [UInt8]) {
        guard let key = qz_public_key_new(bytes, bytes.count) else { return nil }
        guard ["RSA", "EC", "DSA"].contains(where: { (name: String) in qz_public_key_is(key, name) }) else {
            qz_public_key_free(key)
            return nil
        }
        self.key = key
    }

    deinit { qz_public_key_free(key) }

    static func == (one: PublicKey, other: PublicKey) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    func confirms(_ signature: ContentSignature) -> Bool {
        qz_public_key_verify(
            key, name(of: signature.digest), signature.bytes, signature.bytes.count, signature.message,
            signature.message.count)
    }

    private func name(of digest: ContentSignature.Digest) -> String {
        let bits = qz_public_key_bits(key)
        return switch digest {
        case .sha256: "SHA256"
        case .byKind: qz_public_key_is(key, "DSA") && bits <= 1024 ? "SHA1" : "SHA256"
        case .bySizeOfKey: bits <= 224 ? "SHA224" : bits <= 256 ? "SHA256" : bits <= 384 ? "SHA384" : "SHA512"
        }
    }
}
