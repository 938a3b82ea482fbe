internal import Glibc

/// The unique owner of an iconv converter from a character set to Unicode.
///
/// It converts strictly: invalid bytes are an error, never a replacement character.
struct CharacterConverter: ~Copyable {
    private let handle: iconv_t

    /// Opens the converter of a character set, by a name that `iconv -l` lists; `nil` if the system does not have
    /// it.
    ///
    /// Releases after Debian 13 keep most converters in a package of their own, `libc-gconv-modules-extra`, which a
    /// small container lacks. Callers continue without that character set.
    init?(from name: String) {
        // UTF-32 with an explicit byte order has no byte order mark.
        guard let handle = iconv_open("UTF-32LE", name), Int(bitPattern: handle) != -1 else { return nil }
        self.handle = handle
    }

    deinit {
        iconv_close(handle)
    }

    /// Converts a whole text; `nil` if a byte is invalid or the last character is incomplete.
    func convert(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
        // No set has more characters than bytes, except for a few pairs of base and accent encoded in two bytes.
        var output = [UInt32](repeating: 0, count: bytes.count + 8)
        let written: Int? = bytes.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { output in
                // For historical reasons iconv takes a pointer to mutable bytes, but does not write through it.
                var from = UnsafeMutableRawPointer(mutating: input.baseAddress)?.assumingMemoryBound(to: CChar.self)
                var fromCount = input.count
                var to = output.baseAddress?.assumingMemoryBound(to: CChar.self)
                var toCount = output.count
                // A positive count is the number of characters replaced by others.
                guard iconv(handle, &from, &fromCount, &to, &toCount) == 0, fromCount == 0 else { return nil }
                // Some converters hold a character back until they know that no accent follows.
                guard iconv(handle, nil, nil, &to, &toCount) == 0 else { return nil }
                return (output.count - toCount) / MemoryLayout<UInt32>.size
            }
        }
        guard let written else { return nil }
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(written)
        for value in output.prefix(written) {
            guard let scalar = Unicode.Scalar(UInt32(littleEndian: value)) else { return nil }
            scalars.append(scalar)
        }
        return scalars
    }
}
