internal import BarcodeCore
internal import CLinux
internal import Glibc

/// Reads the input of a worker: lines, the image bytes that follow some of them, and open files that come with lines.
struct WorkerInputReader: ~Copyable {
    /// The longest request line in bytes; the longest path has 4,096 bytes.
    static let maximumLineBytes = 1 << 20

    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    /// The range of unread bytes in the buffer.
    private var filled = 0..<0
    /// The open file that came with the line in the buffer; -1 for none.
    private var passed: CInt = -1

    /// F_SETPIPE_SZ of fcntl(2).
    private static let setPipeSize: Int32 = 1031

    /// Creates a reader of an open descriptor, which the caller closes.
    ///
    /// A pipe is enlarged to hold a camera frame, so that the writer does not block.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        // A failure is harmless, because the pipe then keeps its size.
        _ = fcntl(descriptor, Self.setPipeSize, 1 << 20 as Int32)
    }

    deinit {
        if passed >= 0 { close(passed) }
    }

    /// Returns the open file that came with the last line, over a Unix socket; `nil` if none did.
    ///
    /// The caller closes it.
    mutating func takePassedFile() -> CInt? {
        defer { passed = -1 }
        return passed < 0 ? nil : passed
    }

    /// Returns the next line without its line feed, which may be missing at the end; `nil` at the end of the input.
    mutating func line() throws(DecodeError) -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            if let end = buffer[filled].firstIndex(of: 0x0A) {
                line += buffer[filled.lowerBound..<end]
                filled = (end + 1)..<filled.upperBound
                return line
            }
            line += buffer[filled]
            filled = 0..<0
            guard line.count <= Self.maximumLineBytes else {
                throw DecodeError(
                    .invalidRequest,
                    "the input has a line of more than \(Self.maximumLineBytes) bytes, which is not a valid request")
            }
            guard try fill() else { return line.isEmpty ? nil : line }
        }
    }

    /// Returns the next `count` bytes; the caller has checked `count` against the limits.
    mutating func bytes(_ count: Int) throws(DecodeError) -> [UInt8] {
        var failure: DecodeError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
            do throws(DecodeError) {
                let held = min(count, filled.count)
                _ = target.update(fromContentsOf: buffer[filled.prefix(held)])
                filled.removeFirst(held)
                initialized = held
                while initialized < count {
                    let got = try receive(
                        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[initialized...]))
                    guard got > 0 else { throw Self.endedEarly(initialized, of: count) }
                    initialized += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Skips the next `count` bytes, without more memory than the buffer.
    mutating func skip(_ count: Int) throws(DecodeError) {
        var rest = count
        while rest > 0 {
            if filled.isEmpty, try !fill() { throw Self.endedEarly(count - rest, of: count) }
            let held = min(rest, filled.count)
            filled.removeFirst(held)
            rest -= held
        }
    }

    private static func endedEarly(_ got: Int, of count: Int) -> DecodeError {
        DecodeError(.invalidRequest, "the input ends after \(got) of the \(count) bytes of a picture")
    }

    /// Fills the empty buffer; false at the end of the input.
    private mutating func fill() throws(DecodeError) -> Bool {
        var file: CInt = -1
        let count = qz_receive(descriptor, &buffer, buffer.count, &file)
        guard count >= 0 else { throw Self.readFailure }
        if file >= 0 {
            if passed >= 0 { close(passed) }
            passed = file
        }
        filled = 0..<count
        return count > 0
    }

    private func receive(_ target: UnsafeMutableRawBufferPointer) throws(DecodeError) -> Int {
        while true {
            let count = read(descriptor, target.baseAddress, target.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw Self.readFailure }
        }
    }

    private static var readFailure: DecodeError {
        DecodeError(.unreadable, "the input cannot be read: \(String(cString: strerror(errno)))")
    }
}

extension Range<Int> {
    fileprivate func prefix(_ count: Int) -> Range { lowerBound..<(lowerBound + count) }

    fileprivate mutating func removeFirst(_ count: Int) { self = (lowerBound + count)..<upperBound }
}

/// Writes complete lines to a descriptor.
enum BlockingLineWriter {
    /// Writes a line to `descriptor`.
    ///
    /// - Throws: ``DecodeError`` if it is closed.
    static func write(_ line: [UInt8], to descriptor: Int32) throws(DecodeError) {
        guard line.withUnsafeBytes({ $0.write(to: descriptor) }) == 0 else {
            throw DecodeError(.unreadable, "the worker's standard output is closed")
        }
    }
}
