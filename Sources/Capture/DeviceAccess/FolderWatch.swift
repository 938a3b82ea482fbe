internal import Glibc

/// Tells that devices may have come to folders, by inotify(7).
///
/// udev's own messages would tell the same later and not everywhere: what it does shows in the folders (a device file, its
/// rights, a link to it), where no udev runs the kernel makes the files itself, and no library is needed. Used by one
/// thread.
package final class FolderWatch {
    private static let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR)

    /// The file to wait for; negative where the kernel has none left, for which poll(2) does not wait.
    package let descriptor: Int32
    private let folders: [String]
    /// Whether each folder, or what it will be made in, is watched; where not, devices must be looked for by the clock.
    package private(set) var isWhole = false

    /// Watches folders; one that is not there yet is watched from when it is made.
    ///
    /// - Parameter folders: absolute paths.
    package init(_ folders: [String]) {
        self.folders = folders
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        watch()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes what has happened: whether something came, or may be opened by others than before.
    package func take() -> Bool {
        guard descriptor >= 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 4096)
        var hasChanged = false
        while read(descriptor, &buffer, buffer.count) > 0 { hasChanged = true }
        // A folder may have been made, or made anew.
        if hasChanged { watch() }
        return hasChanged
    }

    private func watch() {
        guard descriptor >= 0 else { return }
        isWhole = folders.allSatisfy(watch)
    }

    /// Watches a folder, or the nearest one that it will be made in.
    private func watch(_ folder: String) -> Bool {
        // What was made after it was looked for and before its place was watched is never told: it is looked for again.
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
