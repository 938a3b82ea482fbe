internal import Glibc

/// The identities of the open database and its write-ahead log, used to detect that they were deleted, moved or
/// replaced.
///
/// SQLite would continue to write to files without a name and report success.
struct OutboxFiles: Sendable {
    /// The identity of a file: its device and inode.
    private struct Identity: Sendable, Hashable {
        var device: dev_t
        var inode: ino_t

        /// Throws the reason for which the file at a path cannot be identified.
        init(path: String) throws(Errno) {
            var status = stat()
            guard stat(path, &status) == 0 else { throw Errno(number: errno) }
            device = status.st_dev
            inode = status.st_ino
        }
    }

    private struct Errno: Error {
        var number: Int32
        var words: String { String(cString: strerror(number)) }
    }

    private let path: String
    private let files: [(path: String, identity: Identity)]

    /// Records the files of the outbox at `path`, which must be open.
    ///
    /// - Throws: ``OutboxError`` if one of them does not exist.
    init(outbox path: String) throws(OutboxError) {
        self.path = path
        // SQLite puts the log beside the target of a symbolic link.
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        let log = (resolved.map { String(cString: $0) } ?? path) + "-wal"
        var files: [(path: String, identity: Identity)] = []
        for file in [path, log] {
            do throws(Errno) {
                files.append((file, try Identity(path: file)))
            } catch {
                throw OutboxError(
                    .cannotOpen, "the outbox \(path) cannot be opened: \(file): \(error.words)")
            }
        }
        self.files = files
    }

    /// Checks that the files still have their names.
    ///
    /// - Throws: ``OutboxError`` if one was deleted, moved or replaced, or if this cannot be determined.
    func check() throws(OutboxError) {
        for (file, identity) in files {
            let reason: String
            do throws(Errno) {
                if try Identity(path: file) == identity { continue }
                reason = "was replaced by another file"
            } catch {
                reason = error.number == ENOENT ? "was deleted or moved" : "cannot be examined (\(error.words))"
            }
            throw OutboxError(
                .moved,
                "not saved: \(file) \(reason) while the outbox \(path) was in use; "
                    + "move the files back, or restart the program, which then begins a new outbox")
        }
    }
}
