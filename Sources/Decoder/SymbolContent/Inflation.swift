internal import CZlib

/// Expands zlib streams (RFC 1950) inside messages.
enum Inflation {
    /// The most bytes that a stream may expand to; the largest certificates and tickets have 5,000.
    private static let maximumSize = 1 << 16

    /// Expands a stream; `nil` if it is damaged or expands to more than 64 KiB.
    static func expand(_ bytes: [UInt8]) -> [UInt8]? {
        var count = uLong(maximumSize)
        var status = Z_OK
        let expanded = [UInt8](unsafeUninitializedCapacity: maximumSize) { buffer, initialized in
            status = uncompress(buffer.baseAddress, &count, bytes, uLong(bytes.count))
            initialized = status == Z_OK ? Int(count) : 0
        }
        return status == Z_OK ? expanded : nil
    }
}
