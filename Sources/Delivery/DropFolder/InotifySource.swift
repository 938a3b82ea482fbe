internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Change notifications by inotify(7).
final class InotifySource: ChangeSource {
    private struct State {
        var paths: [Int32: RelativePath] = [:]
        var changes = FolderChanges()
        var failure: String?
    }

    private static let mask = UInt32(
        IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)

    private let descriptor: Int32
    private let state = Mutex(State())
    // A Dispatch source may be used from any thread, although its protocol does not say so. It is canceled once.
    private nonisolated(unsafe) let reader: any DispatchSourceRead

    /// Creates a source that wakes the loop after changes.
    ///
    /// - Throws: `Errno` if the user has too many inotify instances.
    init(wakeup: WakeupSignal) throws(Errno) {
        let descriptor = try FolderHandle.check(inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)))
        self.descriptor = descriptor
        reader = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "inotify"))
        reader.setEventHandler { [weak self] in
            self?.read()
            wakeup.wake()
        }
        // The descriptor must outlive its last use.
        reader.setCancelHandler { close(descriptor) }
        reader.activate()
    }

    deinit { reader.cancel() }

    var failure: String? { state.withLock { $0.failure } }

    func watch(_ folder: FolderHandle, _ path: RelativePath) {
        state.withLock { state in
            // By descriptor, so that the watched folder is the one that will be read, whatever has its name by now.
            let number = inotify_add_watch(descriptor, "/proc/self/fd/\(folder.descriptor)", Self.mask)
            if number >= 0 {
                state.paths[number] = path
            } else if errno == ENOSPC {
                state.failure = "the limit of inotify watches is reached; raise fs.inotify.max_user_watches (sysctl)"
            } else if errno != ENOENT {
                state.failure = "a folder cannot be watched: \(Errno(rawValue: errno))"
            }
        }
    }

    func take() -> FolderChanges {
        state.withLock { state in
            defer { state.changes = FolderChanges() }
            return state.changes
        }
    }

    private func read() {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                state.withLock { state in
                    Self.forEachEvent(in: UnsafeRawBufferPointer(rebasing: buffer[..<count])) { number, mask, name in
                        accept(number, mask, name, &state)
                    }
                }
            }
        }
    }

    /// Parses the output of read(2): for each event a header of 16 bytes and a name padded with NUL.
    static func forEachEvent(
        in bytes: UnsafeRawBufferPointer, _ body: (_ watch: Int32, _ mask: UInt32, _ name: [UInt8]) -> Void
    ) {
        var offset = 0
        while offset + 16 <= bytes.count {
            let watch = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            guard offset + 16 + length <= bytes.count else { return }
            body(watch, mask, Array(bytes[(offset + 16)..<(offset + 16 + length)].prefix { $0 != 0 }))
            offset += 16 + length
        }
    }

    private func accept(_ number: Int32, _ mask: UInt32, _ name: [UInt8], _ state: inout State) {
        func has(_ bit: Int32) -> Bool { mask & UInt32(bit) != 0 }
        if has(IN_Q_OVERFLOW) {
            state.changes.isLossy = true
            return
        }
        guard let folder = state.paths[number] else { return }
        if has(IN_IGNORED) {
            state.paths.removeValue(forKey: number)
            return
        }
        if name.isEmpty {
            // A deletion is reported only when no process has the folder open, but we do: checking its path reveals
            // it.
            if has(IN_UNMOUNT) || folder == .root { state.changes.rootHasChanged = true }
            return
        }
        let path = folder.appending(name)
        if has(IN_ISDIR) {
            // A folder whose permissions have changed may be readable now.
            if has(IN_CREATE) || has(IN_MOVED_TO) || has(IN_ATTRIB) { state.changes.folders.append(path) }
            if has(IN_DELETE) || has(IN_MOVED_FROM) {
                state.changes.goneFolders.append(path)
                // The folders watched below it have other paths now, and are watched again where they turn up.
                for number in state.paths.filter({ $0.value.isWithin(path) }).keys {
                    inotify_rm_watch(descriptor, number)
                    state.paths.removeValue(forKey: number)
                }
            }
            return
        }
        if has(IN_DELETE) || has(IN_MOVED_FROM) {
            state.changes.note(path, .gone)
        } else if has(IN_CLOSE_WRITE) || has(IN_MOVED_TO) {
            state.changes.note(path, .finished)
        } else if has(IN_CREATE) || has(IN_MODIFY) {
            state.changes.note(path, .opened)
        } else if has(IN_ATTRIB), state.changes.files[path] == nil {
            state.changes.note(path, .attributes)
        }
    }
}
