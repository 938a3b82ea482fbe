internal import BarcodeCore
internal import Glibc
internal import Logging
internal import SystemPackage

/// An error that the name of the watched folder now leads to another folder.
///
/// The other folder has other files, another memory and, unless one is named, another outbox. After a restart it is
/// watched.
public struct FolderMoved: Error, Sendable, CustomStringConvertible {
    /// A sentence with the remedy.
    public let description: String
}

extension DropFolder {
    /// The result of opening the folder.
    private enum Opening: Sendable {
        case opened(FolderHandle)
        /// The name leads to another folder.
        case moved(to: [UInt8])
        case failed(Errno)
    }

    private static func open(_ settings: DropFolderSettings) -> Opening {
        if let name = settings.name, let place = resolve(name), place != settings.folder { return .moved(to: place) }
        do throws(Errno) { return .opened(try FolderHandle(path: settings.folder)) } catch { return .failed(error) }
    }

    /// Resolves a path to an absolute path without links; `nil` if it does not exist.
    private static func resolve(_ path: [UInt8]) -> [UInt8]? {
        guard let resolved = path.withPath({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:))
    }

    /// Opens the folder, and reopens it if it was replaced.
    func checkRoot(_ watch: inout WatchLoopState) async -> [WatchStateMachine.Event] {
        switch await Blocking.value({ [settings] in Self.open(settings) }) {
        case .opened(let handle):
            if watch.root != nil && watch.rootNumber == handle.number { return [.rootKept] }
            if let refusal = lock(handle) {
                close(&watch)
                // It was deleted after it was opened, so nobody uses it.
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
                        description: "\(name) now leads to \(RelativePath(place).display) instead of "
                            + "\(RelativePath(settings.folder).display); restart to watch it"))
            ]
        case .failed(let error):
            if watch.root != nil && ResourceShortage(errno: error.rawValue) != nil { return [.rootKept] }
            close(&watch)
            return [.rootLost(reason: "\(error)")]
        }
    }

    private func close(_ watch: inout WatchLoopState) {
        watch.root = nil
        watch.source = NoChangeSource()
    }

    /// Chooses the way to detect changes.
    private func openSource(_ root: FolderHandle, _ watch: inout WatchLoopState) -> WatchStateMachine.Event {
        watch.source = NoChangeSource()
        let silent = FileSystemKind.silent(root)
        if settings.watch == .poll { return .watching(by: "poll: configured", isPolling: true) }
        if settings.watch == .auto, let silent {
            return .watching(by: "poll: the file system is \(silent)", isPolling: true)
        }
        do throws(Errno) {
            watch.source = try InotifySource(wakeup: wakeup)
            return .watching(by: "inotify", isPolling: false)
        } catch {
            return .watching(
                by: "poll: inotify is unavailable: \(error); raise fs.inotify.max_user_instances (sysctl)",
                isPolling: true)
        }
    }

    /// Warns that no lock keeps another watcher away.
    func warn(of weakness: Errno) {
        logger.warning(
            "Cannot lock the watched folder; make sure that no other watcher uses it",
            metadata: ["reason": "\(weakness)"])
    }

    /// Locks the folder, which may differ from the previous one; returns the reason of a failure, or `nil` on
    /// success.
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
