internal import BarcodeCore
internal import Glibc
internal import ScanEvents

/// An append-only file of lines, on a disk or a share.
///
/// It is opened anew for each line. After the file is moved away, or a share is mounted over its folder, the next
/// line goes to the file that the path then leads to.
struct LineFile: Sendable {
    /// The system calls that fail on a full disk.
    ///
    /// Tests replace them.
    struct Calls: Sendable {
        var write: @Sendable (Int32, UnsafeRawPointer, Int) -> Int = { Glibc.write($0, $1, $2) }
        var sync: @Sendable (Int32) -> Int32 = { fsync($0) }
    }

    /// A problem with a file, as a clause for people.
    struct Fault: Error {
        var outcome: DeliveryOutcome

        init(_ reason: String) { outcome = .failed(reason) }

        /// The fault for a system call.
        init(_ what: String, errno number: Int32) {
            let words = String(cString: strerror(number))
            switch number {
            case ENOSPC, EDQUOT: outcome = DeliveryOutcome(.postponed, reason: "\(what): \(words); free some space")
            default:
                outcome =
                    ResourceShortage(errno: number).map(DeliveryOutcome.postponed) ?? .failed("\(what): \(words)")
            }
        }
    }

    /// The maximum length of a line, and of the incomplete line that is examined, in bytes.
    private static let maximumLine = 1 << 20

    let path: String
    /// The first line of a new file, such as the column names, with its line break; empty for none.
    var header: [UInt8] = []
    /// Indicates whether bytes without a line break are a complete line; by default none are.
    var isWhole: @Sendable ([UInt8]) -> Bool = { _ in false }
    var calls = Calls()

    /// Appends a line and returns once it is synced to the disk.
    func append(_ line: [UInt8], timeout: Duration) -> DeliveryOutcome {
        do throws(Fault) {
            let descriptor = try opened(until: ContinuousClock.now + timeout)
            defer { close(descriptor) }
            try check(descriptor)
            let end = try repairedEnd(descriptor)
            try write(end == 0 ? header + line : line, to: descriptor, at: end)
            // Always, because an earlier attempt may have created the file and ended before this. It is cheap if
            // nothing is new.
            try syncFolder()
            return .delivered()
        } catch {
            return error.outcome
        }
    }

    /// Opens the file, creates it if necessary, and locks it against other programs that append to it.
    private func opened(until deadline: ContinuousClock.Instant) throws(Fault) -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o640)
            guard descriptor >= 0 else {
                let number = errno
                if number == ENOENT {
                    throw Fault("the folder \(folder) does not exist; create it, or mount its share")
                }
                throw Fault("the file \(path) cannot be opened", errno: number)
            }
            do throws(Fault) {
                try lock(descriptor, until: deadline)
                if try isAtPath(descriptor) { return descriptor }
            } catch {
                close(descriptor)
                throw error
            }
            // It was moved away while another program had the lock.
            close(descriptor)
        }
    }

    private var folder: String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    private func lock(_ descriptor: Int32, until deadline: ContinuousClock.Instant) throws(Fault) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            // Not every network share supports locks.
            guard errno == EWOULDBLOCK || errno == EINTR else { return }
            if ContinuousClock.now >= deadline { throw Fault("another program has locked the file \(path)") }
            usleep(20_000)
        }
    }

    private func isAtPath(_ descriptor: Int32) throws(Fault) -> Bool {
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0 else { throw Fault("the file \(path)", errno: errno) }
        guard opened.st_mode & S_IFMT == S_IFREG else { throw Fault("\(path) is not a regular file") }
        return stat(path, &named) == 0 && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
    }

    /// Repairs the last line and returns the offset of the next one.
    ///
    /// Adds a missing line break, as many editors omit it, and removes an incomplete line, such as after a power
    /// cut. The event of an incomplete line is delivered again, as it was not reported as delivered. The removed
    /// bytes go to a file beside this one: they may belong to another program.
    private func repairedEnd(_ descriptor: Int32) throws(Fault) -> Int64 {
        let size = Int64(lseek(descriptor, 0, SEEK_END))
        guard size >= 0 else { throw Fault("the file \(path)", errno: errno) }
        if size == 0 { return 0 }
        if try bytes(of: descriptor, at: size - 1, count: 1) == [0x0A] { return size }
        let start = max(0, size - Int64(Self.maximumLine))
        let tail = try bytes(of: descriptor, at: start, count: Int(size - start))
        let lineFeed = tail.lastIndex(of: 0x0A)
        guard lineFeed != nil || start == 0 else {
            throw Fault("the file \(path) does not consist of lines; move it away or change the path")
        }
        let kept = lineFeed.map { start + Int64($0) + 1 } ?? 0
        let last = Array(tail[Int(kept - start)...])
        if isWhole(last.last == 0x0D ? last.dropLast() : last) {
            let lineBreak: [UInt8] = header.isEmpty || last.last == 0x0D ? [0x0A] : [0x0D, 0x0A]
            try write(lineBreak, to: descriptor, at: size)
            return size + Int64(lineBreak.count)
        }
        let half = LineFile(path: path + ".half", calls: calls)
        try half.keep(last + [0x0A])
        guard ftruncate(descriptor, off_t(kept)) == 0 else {
            throw Fault("the incomplete line at the end of \(path) cannot be removed", errno: errno)
        }
        return kept
    }

    private func keep(_ bytes: [UInt8]) throws(Fault) {
        let descriptor = try opened(until: ContinuousClock.now)
        defer { close(descriptor) }
        try write(bytes, to: descriptor, at: Int64(lseek(descriptor, 0, SEEK_END)))
        try syncFolder()
    }

    private func bytes(of descriptor: Int32, at offset: Int64, count: Int) throws(Fault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        guard got == count else { throw Fault("the file \(path) cannot be read", errno: got < 0 ? errno : EIO) }
        return bytes
    }

    /// Compares the first line, if it is complete, with the header.
    ///
    /// A spreadsheet may have saved the file with other quotation marks.
    private func check(_ descriptor: Int32) throws(Fault) {
        guard !header.isEmpty else { return }
        var first = [UInt8](repeating: 0, count: header.count + 64)
        let got = first.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard got >= 0 else { throw Fault("the file \(path) cannot be read", errno: errno) }
        let line = first[..<got].prefix { $0 != 0x0A }
        if line.count == got, got < first.count, !SpreadsheetCell.isForeign(Array(line)) { return }
        guard Self.names(line) != Self.names(header.prefix { $0 != 0x0A }) else { return }
        throw Fault(
            "the file \(path) has other columns (\(Self.names(line).prefix(200))); move it away, or set them in columns"
        )
    }

    /// The column names without quotation marks, carriage return and byte order mark.
    private static func names(_ line: ArraySlice<UInt8>) -> String {
        var line = line
        if line.starts(with: "\u{FEFF}".utf8) { line = line.dropFirst(3) }
        return String(decoding: line.filter { $0 != 0x22 && $0 != 0x0D }, as: UTF8.self)
    }

    /// Writes all bytes at the end, and removes them again on failure.
    private func write(_ bytes: [UInt8], to descriptor: Int32, at end: Int64) throws(Fault) {
        var number: Int32 = 0
        var count = 0
        bytes.withUnsafeBytes { bytes in
            while count < bytes.count, number == 0 {
                let written = calls.write(descriptor, bytes.baseAddress.unsafelyUnwrapped + count, bytes.count - count)
                if written >= 0 { count += written } else if errno != EINTR { number = errno }
            }
        }
        if number == 0, calls.sync(descriptor) != 0 { number = errno }
        guard number != 0 else { return }
        // If this fails too, the next attempt finds the incomplete line.
        _ = ftruncate(descriptor, off_t(end))
        throw Fault("the file \(path) cannot be written", errno: number)
    }

    /// Syncs the folder, so that the name of the file is durable.
    private func syncFolder() throws(Fault) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Fault("the folder \(folder) cannot be opened", errno: errno) }
        defer { close(descriptor) }
        // A network share may not support it.
        if fsync(descriptor) != 0, errno != EINVAL, errno != EBADF, errno != EACCES, errno != EROFS {
            throw Fault("the folder \(folder) cannot be written", errno: errno)
        }
    }
}
