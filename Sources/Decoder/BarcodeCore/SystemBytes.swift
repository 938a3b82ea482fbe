internal import Glibc

extension [UInt8] {
    /// Passes the bytes as a C path.
    ///
    /// A path with a NUL is cut off there; the kernel returns no such names.
    package func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (self + [0]).withUnsafeBytes { bytes in
            // The buffer has at least the terminating zero, so it has an address.
            body(bytes.assumingMemoryBound(to: CChar.self).baseAddress!)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Writes all of the bytes to a descriptor; returns 0, or the number of the error.
    package func write(to descriptor: Int32) -> Int32 {
        var rest = self
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0 && errno == EINTR { continue }
            if count < 0 { return errno }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return 0
    }
}
