/// The signature of a message, with the bytes that it signs.
struct ContentSignature {
    /// The digest of the signed bytes.
    enum Digest {
        case sha256
        /// The digest that suits the size of the key (ICAO Doc 9303-13, BSI TR-03116-2).
        case bySizeOfKey
        /// SHA-1 for a DSA key of 1024 bits, else SHA-256 (UIC 918.3).
        case byKind
    }

    /// The signed bytes.
    var message: [UInt8]
    /// The signature: of EC and DSA the numbers r and s in DER, of RSA as it is.
    var bytes: [UInt8]
    var digest: Digest

    /// Creates the signature of a message.
    ///
    /// - Parameter bytes: the signature in the form that ``bytes`` describes.
    init(_ bytes: [UInt8], of message: [UInt8], _ digest: Digest) {
        (self.bytes, self.message, self.digest) = (bytes, message, digest)
    }

    /// Creates a signature from the numbers r and s, one after the other in the same number of bytes.
    init(pair: some Collection<UInt8>, of message: [UInt8], _ digest: Digest) {
        let half = pair.count / 2
        self.init(
            Self.element(0x30, Self.integer(pair.prefix(half)) + Self.integer(pair.dropFirst(half))), of: message,
            digest)
    }

    /// Encodes a positive number in DER (ISO/IEC 8825-1).
    private static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return element(0x02, (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits)
    }

    private static func element(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
        // No number of a signature, nor both together, has more than 255 bytes.
        value.count < 0x80
            ? [tag, UInt8(value.count)] + value : [tag, 0x81, UInt8(truncatingIfNeeded: value.count)] + value
    }
}
