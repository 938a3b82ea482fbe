internal import BarcodeCore
internal import CLinux
internal import Glibc

/// Reads whole files and pipes, within a time and a size limit.
///
/// A file is read instead of mapped: truncating a mapped file ends the process with SIGBUS.
struct FileReader {
    var limits: Limits
    var timeout: Duration

    /// Opens the file at `path`, which has no terminating zero byte.
    ///
    /// - Parameter followsProcessLinks: whether links of `/proc` to open files of processes are followed.
    static func open(path: [UInt8], followsProcessLinks: Bool = true) throws(DecodeError) -> Descriptor {
        guard !path.isEmpty else {
            throw DecodeError(
                .notFound, "the name of a picture is empty", cause: SystemError("open", errno: ENOENT))
        }
        guard !path.contains(0) else { throw .openFailure(ENOENT) }
        let characters = path.map { CChar(bitPattern: $0) } + [0]
        // Without O_NONBLOCK, opening a pipe blocks until it has a writer.
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
        let descriptor =
            followsProcessLinks
            ? Glibc.open(characters, flags) : qz_open_without_process_links(characters, flags)
        guard descriptor >= 0 else { throw .openFailure(errno) }
        return Descriptor(number: descriptor)
    }

    /// Reads an open file from its current offset.
    func read(descriptor: CInt) throws(DecodeError) -> FileBytes {
        try read(descriptor: descriptor, isOpenFile: true)
    }

    /// Reads a file from its current offset; the whole file if it was opened for this purpose.
    func read(descriptor: CInt, isOpenFile: Bool) throws(DecodeError) -> FileBytes {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .readFailure(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            // Files in /proc report a size of zero, so they are read as streams, like the rest of an open file.
            if status.st_size > 0, !isOpenFile {
                return try readFile(descriptor, size: Int(status.st_size))
            }
        case S_IFIFO, S_IFCHR:
            break
        case S_IFSOCK where isOpenFile:
            // Standard input may be a socket, since some programs start others that way.
            break
        case S_IFDIR:
            throw DecodeError(.isDirectory, "is a folder; give the pictures in it")
        default:
            throw DecodeError(.unreadable, "is a device or socket, not a file")
        }
        return try readStream(descriptor)
    }

    private func readFile(_ descriptor: CInt, size: Int) throws(DecodeError) -> FileBytes {
        try limits.check(fileBytes: size)
        var buffer = FileBytes()
        try buffer.reserve(size)
        // Bytes appended to the file from now on are ignored; if it is truncated, reading ends early.
        while buffer.count < size {
            let got = try buffer.append(atMost: size - buffer.count, from: descriptor)
            if got == 0 { break }
        }
        guard buffer.count > 0 else { throw .empty }
        return buffer
    }

    private func readStream(_ descriptor: CInt) throws(DecodeError) -> FileBytes {
        var buffer = FileBytes()
        while true {
            guard buffer.count <= limits.maximumFileBytes else {
                throw DecodeError(
                    .tooLarge, "has more than \(limits.maximumFileSize), the limit for a file")
            }
            try waitForBytes(descriptor)
            let room = limits.maximumFileBytes - buffer.count
            let step = max(buffer.count, 65536)
            // One byte above the limit reveals that there is more.
            let wanted = room < step ? room + 1 : step
            try buffer.reserve(wanted)
            guard let got = try buffer.append(atMost: wanted, from: descriptor) else { continue }
            if got == 0 { break }
        }
        guard buffer.count > 0 else { throw .empty }
        return buffer
    }

    /// Waits for bytes or the end of the stream.
    private func waitForBytes(_ descriptor: CInt) throws(DecodeError) {
        let clock = ContinuousClock()
        let deadline = clock.now + timeout
        while true {
            let left = max(clock.now.duration(to: deadline), .zero).components
            let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // One extra millisecond, so that the wait does not end just before its time.
            let found = poll(&request, 1, CInt(clamping: milliseconds + 1))
            if found > 0 { return }
            if found < 0, errno != EINTR { throw .readFailure(errno) }
            if clock.now >= deadline {
                throw DecodeError(.timedOut, "sent no bytes for \(timeout)")
            }
        }
    }
}

extension DecodeError {
    /// The error for a file that could not be opened.
    static func openFailure(_ number: CInt) -> DecodeError {
        let cause = SystemError("open", errno: number)
        return switch number {
        case ENOENT, ENOTDIR:
            DecodeError(.notFound, "there is no such file", cause: cause)
        case EACCES, EPERM:
            DecodeError(
                .permissionDenied, "may not be read by this user; see its permissions and its folder's", cause: cause)
        case ENXIO, ENODEV:
            DecodeError(.unreadable, "is a device or socket, not a file", cause: cause)
        case EMFILE, ENFILE:
            DecodeError(
                .resourceShortage, "could not be opened: too many files are open; see `ulimit -n`", cause: cause)
        default:
            DecodeError(.unreadable, "could not be opened: \(String(cString: strerror(number)))", cause: cause)
        }
    }

    /// The error for a file that could not be read.
    static func readFailure(_ number: CInt) -> DecodeError {
        DecodeError(
            .unreadable, "could not be read: \(String(cString: strerror(number)))",
            cause: SystemError("read", errno: number))
    }
}
