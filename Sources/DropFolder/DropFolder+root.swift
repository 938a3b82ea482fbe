internal import BarcodeCore
internal import Glibc
internal import Logging
internal import Synchronization
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
    /// What a look at the path of the folder has come to.
    private enum RootLook: Sendable {
        case opened(FolderHandle)
        /// The name leads elsewhere.
        case moved(to: [UInt8])
        case failed(Errno)
    }

    private static func look(_ settings: DropFolderSettings) -> RootLook {
        if let name = settings.name, let place = resolve(name), place != settings.folder { return .moved(to: place) }
        do throws(Errno) { return .opened(try FolderHandle(path: settings.folder)) } catch { return .failed(error) }
    }

    /// The absolute path without links of a path; nil where there is none.
    private static func resolve(_ path: [UInt8]) -> [UInt8]? {
        guard let resolved = path.withPath({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:))
    }

    /// Opens the folder, and again when it was replaced; waits for it when it is gone.
    func checkRoot(_ watch: inout WatchStateMachine) async {
        let look = await Blocking.value { [settings] in Self.look(settings) }
        switch look {
        case .opened(let handle):
            watch.nextRootCheck = watch.now + settings.poll
            if watch.root != nil && watch.rootIdentity == handle.number { return }
            guard lock(handle, &watch) else { return }
            if watch.rootIdentity != nil { logger.notice("The folder is there again") }
            watch.root = handle
            watch.rootIdentity = handle.number
            watch.nextScan = watch.now
            openSource(handle, &watch)
        case .moved(let place):
            let name = RelativePath(settings.name ?? []).display
            watch.end = FolderMoved(
                description: "\(name) leads to \(RelativePath(place).display) now, and no longer to "
                    + "\(RelativePath(settings.folder).display); start again to watch it")
        case .failed(let error):
            let isShort = ResourceShortage(errno: error.rawValue) != nil
            watch.nextRootCheck = watch.now + min(settings.poll, .milliseconds(500))
            if isShort && watch.root != nil { return }
            if watch.root != nil {
                logger.warning("The folder is gone; it is waited for", metadata: ["reason": "\(error)"])
                watch.lastError = "the folder is gone: \(error)"
            }
            watch.root = nil
            watch.source = NoChangeSource()
        }
    }

    /// Says that nothing keeps another watcher away.
    func warn(of weakness: Errno) {
        logger.warning(
            "The folder cannot be locked; see that no other watcher has it", metadata: ["reason": "\(weakness)"])
    }

    /// Locks the folder, which may be another than the one before; false while another watcher has it.
    private func lock(_ handle: FolderHandle, _ watch: inout WatchStateMachine) -> Bool {
        let isNew = self.lock.withLock { $0 == nil || $0?.number != handle.number }
        guard isNew else { return true }
        do {
            let lock = try FolderLock(handle, path: settings.folder)
            if let weakness = lock.weakness { warn(of: weakness) }
            self.lock.withLock { $0 = lock }
            return true
        } catch {
            if watch.lastError != "\(error)" {
                logger.warning("The folder cannot be had; it is waited for", metadata: ["reason": "\(error)"])
            }
            watch.lastError = "\(error)"
            watch.root = nil
            watch.source = NoChangeSource()
            return false
        }
    }
}
