internal import BarcodeCore
internal import Glibc

/// Reads whole files, pipes among them, without waiting for ever and without taking more than the limit.
///
/// A file is read and not mapped: one that is made shorter while it is mapped ends the process with SIGBUS.
struct FileReader {
    var limits: Limits
    var timeout: Duration

    /// Opens the file at `path`, which has no zero byte at its end.
    func open(path: [UInt8]) throws(DecodeError) -> Descriptor {
        guard !path.isEmpty, !path.contains(0) else { throw .openFailure(ENOENT) }
        let characters = path.map { CChar(bitPattern: $0) } + [0]
        // Without O_NONBLOCK, opening a pipe waits until someone writes to it.
        let descriptor = Glibc.open(characters, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .openFailure(errno) }
        return Descriptor(number: descriptor)
    }

    /// Reads an open file from where it stands.
    func read(descriptor: CInt) throws(DecodeError) -> FileBytes {
        try read(descriptor: descriptor, isOpenFile: true)
    }

    /// Reads a file from where it stands; one that was opened for this has its size as its length.
    func read(descriptor: CInt, isOpenFile: Bool) throws(DecodeError) -> FileBytes {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .readFailure(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            // A file of /proc claims to be empty; it is read as a stream, and so is what is left of an open file.
            if status.st_size > 0, !isOpenFile {
                return try readFile(descriptor, size: Int(status.st_size))
            }
        case S_IFIFO, S_IFCHR:
            break
        case S_IFSOCK where isOpenFile:
            // Standard input may be a socket: that is how some programs start others.
            break
        case S_IFDIR:
            throw DecodeError(.isDirectory, "is a folder; name the pictures in it")
        default:
            throw DecodeError(.unreadable, "is a device or socket, not a file")
        }
        return try readStream(descriptor)
    }

    private func readFile(_ descriptor: CInt, size: Int) throws(DecodeError) -> FileBytes {
        try limits.check(fileBytes: size)
        var buffer = FileBytes()
        try buffer.reserve(size)
        // What is added to the file from now on is left out; when it becomes shorter there is an early end.
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
                    .tooLarge, "has more than \(limits.maximumFileBytes) bytes, which are the most a file may have")
            }
            try waitForBytes(descriptor)
            let room = limits.maximumFileBytes - buffer.count
            let step = max(buffer.count, 65536)
            // One byte above the limit shows that there is more.
            let wanted = room < step ? room + 1 : step
            try buffer.reserve(wanted)
            guard let got = try buffer.append(atMost: wanted, from: descriptor) else { continue }
            if got == 0 { break }
        }
        guard buffer.count > 0 else { throw .empty }
        return buffer
    }

    /// Waits until there are bytes or the end of the stream.
    private func waitForBytes(_ descriptor: CInt) throws(DecodeError) {
        let clock = ContinuousClock()
        let deadline = clock.now + timeout
        while true {
            let left = max(clock.now.duration(to: deadline), .zero).components
            let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // One millisecond more than is left, so that the wait does not end just before its time.
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
