internal import Glibc

/// The right of one process to an outbox: a locked file beside the database, which names its holder.
///
/// The kernel lets go of it when the process ends, however it ends. Its second line is how many transactions have
/// stored events; it is written after each without waiting for the disk, so that it may be behind, and is never ahead.
final class OutboxLock: Sendable {
    private let descriptor: Int32
    /// How many transactions there were when the file was last written; nil where it does not say.
    let previousCount: TransactionCount?

    /// Takes the right to the outbox at `path`.
    ///
    /// - Throws: ``OutboxError``, when another process has it or the file cannot be made.
    init(outbox path: String) throws(OutboxError) {
        let file = path + ".lock"
        // A link could lead to any file, whose beginning would then be overwritten.
        descriptor = open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == ELOOP ? "it is a link; remove it" : String(cString: strerror(errno))
            throw OutboxError(
                errno == EROFS || errno == EACCES ? .readOnly : errno == ENOSPC ? .diskFull : .cannotOpen,
                "the outbox \(path) cannot be opened for writing: \(file): \(reason)")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.lines(of: descriptor).first ?? ""
            close(descriptor)
            throw OutboxError(
                .inUse,
                "the outbox \(path) is in use by process \(holder.isEmpty ? "unknown" : holder); "
                    + "one process at a time may open it: stop that one, or wait for it")
        }
        previousCount = Self.lines(of: descriptor).dropFirst().first.flatMap { UInt32($0) }.map {
            TransactionCount(number: $0)
        }
        write(previousCount)
    }

    /// Notes how many transactions there were.
    func note(_ count: TransactionCount) { write(count) }

    private func write(_ count: TransactionCount?) {
        var text = "\(getpid())\n"
        if let count {
            // As wide as the largest, so that no part of an older one is left behind it.
            let digits = String(count.number)
            text += String(repeating: "0", count: 10 - digits.count) + digits + "\n"
        }
        let bytes = Array(text.utf8)
        // A disk that is full must not keep a full outbox from being delivered.
        if pwrite(descriptor, bytes, bytes.count, 0) == bytes.count { _ = ftruncate(descriptor, off_t(bytes.count)) }
    }

    deinit {
        // Said aloud: a process that is just being started from this one has the descriptor until it is the new
        // program, and would keep the lock so long.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func lines(of descriptor: Int32) -> [String] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return bytes.prefix(max(0, count)).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }
}
