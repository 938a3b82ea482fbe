internal import BarcodeCore
internal import Glibc

/// The bytes of a file, in uninitialized memory; an array would write each byte twice.
struct FileBytes: ~Copyable {
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    init() {}

    deinit {
        free(base)
    }

    /// Reserves room for `additional` bytes.
    mutating func reserve(_ additional: Int) throws(DecodeError) {
        guard capacity - count < additional else { return }
        guard let grown = realloc(base, count + additional) else { throw .noMemory }
        base = grown
        capacity = count + additional
    }

    /// Appends the result of one `read`, for which room was reserved.
    ///
    /// - Returns: the number of bytes, 0 at the end of the file, and `nil` if there are none at the moment.
    mutating func append(atMost wanted: Int, from descriptor: CInt) throws(DecodeError) -> Int? {
        guard let base else { return 0 }
        let got = Glibc.read(descriptor, base + count, min(wanted, capacity - count))
        if got >= 0 {
            count += got
            return got
        }
        guard errno == EINTR || errno == EAGAIN else { throw .readFailure(errno) }
        return nil
    }

    /// Passes the bytes to `body`; the pointer is valid until it returns.
    borrowing func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(DecodeError) -> Result
    ) throws(DecodeError) -> Result {
        try body(UnsafeRawBufferPointer(start: base, count: count))
    }
}
