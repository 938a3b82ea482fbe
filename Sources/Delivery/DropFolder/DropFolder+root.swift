internal import BarcodeCore
internal import Glibc
internal import Logging
internal import SystemPackage

/// The name under which a folder is watched leads to another folder now.
///
/// The other one has other files, another memory and, unless one is named, another outbox: whoever starts again
/// watches it.
public struct FolderMoved: Error, Sendable, CustomStringConvertible {
    /// A sentence with the remedy.
    public let description: String
}

extension DropFolder {
    /// What opening the folder has come to.
    private enum Opening: Sendable {
        case opened(FolderHandle)
        /// The name leads elsewhere.
        case moved(to: [UInt8])
        case failed(Errno)
    }

    private static func open(_ settings: DropFolderSettings) -> Opening {
        if let name = settings.name, let place = resolve(name), place != settings.folder { return .moved(to: place) }
        do throws(Errno) { return .opened(try FolderHandle(path: settings.folder)) } catch { return .failed(error) }
    }

    /// The absolute path without links of a path; nil where there is none.
    private static func resolve(_ path: [UInt8]) -> [UInt8]? {
        guard let resolved = path.withPath({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:))
    }

    /// Opens the folder, and again when it was replaced.
    func checkRoot(_ watch: inout FolderWatch) async -> [WatchStateMachine.Event] {
        switch await Blocking.value({ [settings] in Self.open(settings) }) {
        case .opened(let handle):
            if watch.root != nil && watch.rootNumber == handle.number { return [.rootKept] }
            if let refusal = lock(handle) {
                close(&watch)
                // One that was deleted after it was opened is no longer anybody's.
                if handle.number == nil { return [.rootLost(reason: "\(Errno.noSuchFileOrDirectory)")] }
                return [.rootInUse(reason: refusal)]
            }
            watch.root = handle
            watch.rootNumber = handle.number
            return [.rootOpened, openSource(handle, &watch)]
        case .moved(let place):
            let name = RelativePath(settings.name ?? []).display
            return [
                .rootMoved(
                    FolderMoved(
                        description: "\(name) leads to \(RelativePath(place).display) now, and no longer to "
                            + "\(RelativePath(settings.folder).display); start again to watch it"))
            ]
        case .failed(let error):
            if watch.root != nil && ResourceShortage(errno: error.rawValue) != nil { return [.rootKept] }
            close(&watch)
            return [.rootLost(reason: "\(error)")]
        }
    }

    private func close(_ watch: inout FolderWatch) {
        watch.root = nil
        watch.source = NoChangeSource()
    }

    /// Decides how changes are noticed.
    private func openSource(_ root: FolderHandle, _ watch: inout FolderWatch) -> WatchStateMachine.Event {
        watch.source = NoChangeSource()
        let silent = FileSystemKind.silent(root)
        if settings.watch == .poll { return .watching(by: "poll: it was chosen", isPolling: true) }
        if settings.watch == .auto, let silent {
            return .watching(by: "poll: the file system is \(silent)", isPolling: true)
        }
        do throws(Errno) {
            watch.source = try InotifySource(bell: bell)
            return .watching(by: "inotify", isPolling: false)
        } catch {
            return .watching(
                by: "poll: inotify cannot be had: \(error); raise fs.inotify.max_user_instances (sysctl)",
                isPolling: true)
        }
    }

    /// Says that nothing keeps another watcher away.
    func warn(of weakness: Errno) {
        logger.warning(
            "Cannot lock the watched folder; make sure that no other watcher uses it",
            metadata: ["reason": "\(weakness)"])
    }

    /// Locks the folder, which may be another than the one before; returns why it cannot, nil where it can.
    private func lock(_ handle: FolderHandle) -> String? {
        if let lock, lock.number == handle.number { return nil }
        do {
            let taken = try FolderLock(handle, path: settings.folder)
            if let weakness = taken.weakness { warn(of: weakness) }
            lock = taken
            return nil
        } catch {
            return "\(error)"
        }
    }
}
