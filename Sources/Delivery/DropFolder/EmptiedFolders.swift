internal import Glibc
internal import Logging
internal import SystemPackage

/// Sub-folders out of which the last file may have been put away, and when they are to be removed if they are empty.
struct EmptiedFolders {
    private var due: [RelativePath: Duration] = [:]

    /// Notes that a file was put away out of a folder.
    mutating func note(_ folder: RelativePath, due time: Duration) {
        if folder != .root { due[folder] = time }
    }

    /// When the first is due.
    var next: Duration? { due.values.min() }

    /// Those that are due, the deepest first; all of them at the end.
    mutating func take(at now: Duration, all: Bool) -> [RelativePath] {
        let taken = due.filter { all || $0.value <= now }.keys.sorted { $0.bytes.count > $1.bytes.count }
        for folder in taken { due[folder] = nil }
        return taken
    }
}

extension DropFolder {
    /// Removes folders if they are empty, which the kernel sees to; returns those that it has removed.
    func remove(_ folders: [RelativePath], _ root: FolderHandle?) async -> [RelativePath] {
        guard let root else { return [] }
        let removed = await Blocking.value {
            folders.filter { folder in
                guard let above = try? root.folder(folder.folder) else { return false }
                return folder.name.withPath { unlinkat(above.descriptor, $0, AT_REMOVEDIR) } == 0
            }
        }
        for folder in removed { logger.debug("Removed an empty folder", metadata: ["folder": "\(folder.display)"]) }
        return removed
    }
}
