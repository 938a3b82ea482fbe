internal import Glibc

/// The sole owner of one of glibc's character converters, from some character set to Unicode.
///
/// It converts strictly: bytes that have no meaning in the set are a failure and never a replacement character.
struct CharacterConverter: ~Copyable {
    private let handle: iconv_t

    /// Opens the converter for a character set, by a name that `iconv -l` lists.
    ///
    /// Returns nil where the system has none. Releases after Debian 13 keep most of them in a package of their own,
    /// `libc-gconv-modules-extra`, which a small container lacks: a caller goes on without that character set.
    init?(from name: String) {
        // Named with its byte order, UTF-32 has no byte order mark in front.
        guard let handle = iconv_open("UTF-32LE", name), Int(bitPattern: handle) != -1 else { return nil }
        self.handle = handle
    }

    deinit {
        iconv_close(handle)
    }

    /// Converts a whole text; nil when a byte of it has no meaning or the last character is not complete.
    func convert(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
        // No set has more characters than bytes, except for a few pairs of base and accent that stand for two bytes.
        var output = [UInt32](repeating: 0, count: bytes.count + 8)
        let written: Int? = bytes.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { output in
                // iconv takes a pointer to mutable bytes for historical reasons and does not write through it.
                var from = UnsafeMutableRawPointer(mutating: input.baseAddress)?.assumingMemoryBound(to: CChar.self)
                var fromCount = input.count
                var to = output.baseAddress?.assumingMemoryBound(to: CChar.self)
                var toCount = output.count
                // A positive count is of characters that were replaced by others.
                guard iconv(handle, &from, &fromCount, &to, &toCount) == 0, fromCount == 0 else { return nil }
                // Some converters hold a character back until they have seen that no accent follows.
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
