internal import Glibc

/// The exclusive lock of one process on an outbox: a locked file beside the database, which names its holder.
///
/// The kernel releases it when the process ends in any way. Its second line is the number of transactions that have
/// stored events. It is written after each one without waiting for the disk, so it may be behind, but never ahead.
final class OutboxLock: Sendable {
    private let descriptor: Int32
    /// The number of transactions when the file was last written; `nil` if it is not in the file.
    let previousCount: TransactionCount?

    /// Locks the outbox at `path`.
    ///
    /// - Throws: ``OutboxError`` if another process has the lock or the file cannot be created.
    init(outbox path: String) throws(OutboxError) {
        let file = path + ".lock"
        // A link could lead to any file, which would then be overwritten.
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
                    + "one process at a time can open it: stop the other one, or wait for it")
        }
        previousCount = Self.lines(of: descriptor).dropFirst().first.flatMap { UInt32($0) }.map {
            TransactionCount(number: $0)
        }
        write(previousCount)
    }

    /// Records the number of transactions.
    func note(_ count: TransactionCount) { write(count) }

    private func write(_ count: TransactionCount?) {
        var text = "\(getpid())\n"
        if let count {
            // Zero-padded to the maximum width, so that no digits of an older number remain.
            let digits = String(count.number)
            text += String(repeating: "0", count: 10 - digits.count) + digits + "\n"
        }
        let bytes = Array(text.utf8)
        // A full disk must not prevent the delivery of a full outbox.
        if pwrite(descriptor, bytes, bytes.count, 0) == bytes.count { _ = ftruncate(descriptor, off_t(bytes.count)) }
    }

    deinit {
        // Unlock explicitly: a child process that is just being started shares the descriptor until it executes the
        // new program, and would keep the lock that long.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func lines(of descriptor: Int32) -> [String] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return bytes.prefix(max(0, count)).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }
}
