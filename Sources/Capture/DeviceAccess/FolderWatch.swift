internal import Glibc

/// Detects hot-plug: watches the device folders with inotify(7) for new devices.
///
/// Messages from udev would say the same later and not everywhere. The effects of udev show in the folders (a
/// device file, its permissions, a link to it), the kernel makes the files itself if no udev runs, and no library
/// is needed. Used by one thread.
package final class FolderWatch {
    private static let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR)

    /// The descriptor to poll; negative if inotify is not available, and poll(2) ignores negative descriptors.
    package let descriptor: Int32
    private let folders: [String]
    /// Indicates whether every folder, or its nearest existing ancestor, is watched; if not, devices must be polled
    /// for.
    package private(set) var isWhole = false

    /// Watches folders; a folder that does not exist yet is watched as soon as it is made.
    ///
    /// - Parameter folders: absolute paths.
    package init(_ folders: [String]) {
        self.folders = folders
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        watch()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Drains the pending notifications, and indicates whether something was added or got other permissions.
    package func take() -> Bool {
        guard descriptor >= 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 4096)
        var hasChanged = false
        while read(descriptor, &buffer, buffer.count) > 0 { hasChanged = true }
        // A folder may have been created, or created again.
        if hasChanged { watch() }
        return hasChanged
    }

    private func watch() {
        guard descriptor >= 0 else { return }
        isWhole = folders.allSatisfy(watch)
    }

    /// Watches a folder, or its nearest existing ancestor; false if neither can be watched.
    private func watch(_ folder: String) -> Bool {
        // A folder made between the check and the start of the watch sends no notification, so this checks again.
        for _ in 0..<3 {
            var (path, missing) = (folder, "")
            while inotify_add_watch(descriptor, path, Self.mask) < 0 {
                guard errno == ENOENT || errno == ENOTDIR, let slash = path.lastIndex(of: "/"), path != "/" else {
                    return false
                }
                missing = path
                path = slash == path.startIndex ? "/" : String(path[..<slash])
            }
            if missing.isEmpty || access(missing, F_OK) != 0 { break }
        }
        return true
    }
}
