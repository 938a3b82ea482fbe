internal import Glibc

/// The right of one process to an outbox: a locked file beside the database, which names its holder.
///
/// The kernel lets go of it when the process ends, however it ends.
struct OutboxLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the right to the outbox at `path`.
    ///
    /// - Throws: ``OutboxError``, when another process has it or the file cannot be made.
    init(outbox path: String) throws(OutboxError) {
        let file = path + ".lock"
        descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw OutboxError(
                errno == EROFS || errno == EACCES ? .readOnly : errno == ENOSPC ? .diskFull : .cannotOpen,
                "the outbox \(path) cannot be opened for writing: \(file): \(reason)")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.text(of: descriptor)
            close(descriptor)
            throw OutboxError(
                .inUse,
                "the outbox \(path) is in use by process \(holder.isEmpty ? "unknown" : holder); "
                    + "one process at a time may open it: stop that one, or wait for it")
        }
        let holder = Array("\(getpid())\n".utf8)
        // The number is for people alone: a disk that is full must not keep a full outbox from being delivered.
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, holder, holder.count, 0) }
    }

    deinit {
        // Said aloud: a process that is just being started from this one has the descriptor until it is the new
        // program, and would keep the lock so long.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func text(of descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
