internal import CCrypto

/// Message authentication codes: HMAC (RFC 2104) with SHA-256.
public enum HMACSHA256 {
    /// The authentication code of a message, 32 bytes.
    public static func code(for message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        let message = Array(message)
        return [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
            var length: UInt32 = 0
            // An empty key must not be a null pointer, which stands for the key of the previous call.
            (key + [0]).withUnsafeBytes { key in
                _ = HMAC(
                    EVP_sha256(), key.baseAddress, Int32(key.count - 1), message, message.count, buffer.baseAddress,
                    &length)
            }
            precondition(length == SHA256.byteCount, "libcrypto ran out of memory for an HMAC")
            count = SHA256.byteCount
        }
    }
}
