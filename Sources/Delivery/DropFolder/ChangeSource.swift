/// A source of change notifications for a folder.
protocol ChangeSource: AnyObject, Sendable {
    /// Starts to watch a folder; called before the folder is read.
    func watch(_ folder: FolderHandle, _ path: RelativePath)

    /// Returns the changes since the last call.
    func take() -> FolderChanges

    /// The reason why it no longer reports changes; `nil` while it does.
    var failure: String? { get }
}

/// The changes below a folder.
struct FolderChanges: Sendable, Equatable {
    /// The last change of a file.
    enum Kind: Sendable {
        /// The file was created or written to, and has not been closed since.
        case opened
        /// The file was closed after writing, or renamed into place.
        case finished
        /// The permissions or the owner of the file have changed.
        case attributes
        /// The file was deleted or renamed to elsewhere.
        case gone
    }

    /// The changed files; `order` lists them by their first change.
    var files: [RelativePath: Kind] = [:]
    var order: [RelativePath] = []
    /// New folders.
    var folders: [RelativePath] = []
    /// Deleted or moved folders.
    var goneFolders: [RelativePath] = []
    /// Indicates whether notifications were lost, so that everything must be scanned.
    var isLossy = false
    /// Indicates whether the folder itself was deleted, moved or unmounted.
    var rootHasChanged = false

    /// The maximum number of files to record; above it everything is scanned.
    static let maximumFiles = 50_000

    mutating func note(_ path: RelativePath, _ kind: Kind) {
        if files.updateValue(kind, forKey: path) == nil { order.append(path) }
        if files.count > Self.maximumFiles {
            files = [:]
            order = []
            isLossy = true
        }
    }
}

/// A source without notifications: changes are found by scanning only.
final class NoChangeSource: ChangeSource {
    func watch(_ folder: FolderHandle, _ path: RelativePath) {}
    func take() -> FolderChanges { FolderChanges() }
    var failure: String? { nil }
}
