internal import BarcodeCore
internal import Glibc
internal import Logging
internal import SystemPackage

/// The sub-folders whose last file may have been moved, with the times at which to remove them if they are empty.
struct EmptiedFolders {
    private var due: [RelativePath: Duration] = [:]

    /// Records that a file was moved out of a folder.
    mutating func note(_ folder: RelativePath, due time: Duration) {
        if folder != .root { due[folder] = time }
    }

    /// The time when the first is due.
    var next: Duration? { due.values.min() }

    /// Removes and returns the folders that are due, deepest first; all of them at the end.
    mutating func take(at now: Duration, all: Bool) -> [RelativePath] {
        let taken = due.filter { all || $0.value <= now }.keys.sorted { $0.bytes.count > $1.bytes.count }
        for folder in taken { due[folder] = nil }
        return taken
    }
}

extension DropFolder {
    /// Removes those folders that the kernel finds empty; returns the removed ones.
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
