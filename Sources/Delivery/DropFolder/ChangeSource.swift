/// What tells of changes below a folder.
protocol ChangeSource: AnyObject, Sendable {
    /// Wants to hear of what happens in a folder from now on; called before the folder is read.
    func watch(_ folder: FolderHandle, _ path: RelativePath)

    /// What has happened since the last call.
    func take() -> FolderChanges

    /// Why it tells nothing any more; nil while it does.
    var failure: String? { get }
}

/// What has happened below a folder.
struct FolderChanges: Sendable, Equatable {
    /// What has happened to a file, last of all.
    enum Kind: Sendable {
        /// It was made or written to, and not closed since.
        case opened
        /// It was closed after writing, or renamed into place.
        case finished
        /// Its permissions have changed, or its owner.
        case attributes
        /// It was deleted, or renamed to elsewhere.
        case gone
    }

    /// The files, in the order in which something happened first.
    var files: [RelativePath: Kind] = [:]
    var order: [RelativePath] = []
    /// Folders that are new.
    var folders: [RelativePath] = []
    /// Folders that are gone.
    var goneFolders: [RelativePath] = []
    /// Whether something was lost, so that everything has to be looked at.
    var isLossy = false
    /// Whether the folder itself was deleted, moved or unmounted.
    var rootHasChanged = false

    /// The most files that are remembered; beyond it everything is looked at.
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

/// Tells nothing: everything is found by looking.
final class NoChangeSource: ChangeSource {
    func watch(_ folder: FolderHandle, _ path: RelativePath) {}
    func take() -> FolderChanges { FolderChanges() }
    var failure: String? { nil }
}
