public import BarcodeCore

/// What becomes of a file that is done with.
public enum AfterPolicy: String, Sendable, Hashable, CaseIterable {
    /// It goes to `done/`, `no-code/` or `failed/`, by the day.
    case move
    /// It stays, and is not read again until it changes.
    case leave
    /// It is deleted where codes were read; what had none, or could not be read, is moved all the same.
    case delete
}

/// What becomes of a picture whose content has been there before.
public enum DuplicatePolicy: String, Sendable, Hashable, CaseIterable {
    /// It is read again, and makes events again.
    case again
    /// It makes no events, and goes where the first one went.
    case skip
}

/// How changes of the folder are noticed.
public enum WatchMode: String, Sendable, Hashable, CaseIterable {
    /// By inotify where the file system tells what happens in it, by looking where it does not.
    case auto
    /// By inotify.
    case inotify
    /// By looking now and then.
    case poll
}

/// Which folder is watched, and how.
public struct DropFolderSettings: Sendable {
    /// The folder, an absolute path without links; bytes, because a path need not be UTF-8.
    public var folder: [UInt8]
    /// The path by which the folder was named, which may lead through links; nil where nobody follows them.
    ///
    /// When it leads to another folder, the watcher ends with ``FolderMoved``.
    public var name: [UInt8]?
    /// The folder in which `done/`, `failed/` and `no-code/` are, such a path too; nil for the watched one.
    public var destination: [UInt8]?
    /// How long a file must be unchanged before it is read.
    public var settle: Duration = .milliseconds(500)
    /// How changes are noticed.
    public var watch = WatchMode.auto
    /// How often is looked where nothing else tells, and whether the folder itself is still there.
    public var poll: Duration = .seconds(2)
    /// How often everything is looked at all the same.
    public var rescan: Duration = .seconds(300)
    /// What becomes of files.
    public var after = AfterPolicy.move
    /// How long after its last file was put away a sub-folder that is empty is removed; nil for never.
    public var removeEmpty: Duration?
    /// Whether the answer is written beside a file that was read, as JSON.
    public var writesSidecars = false
    /// What becomes of a content that was there before.
    public var duplicates = DuplicatePolicy.again
    /// Whether to end once what is there has been taken in.
    public var once = false
    /// How many pictures are decoded at the same time.
    public var jobs = 1
    /// What to look for in a picture.
    public var decoding = DecodeOptions()
    /// What a picture may cost.
    public var limits = Limits()
    /// The pages of one document that are read at most.
    public var maximumPages = 1000
    /// How long the pages of one document may take together.
    public var documentTimeout: Duration = .seconds(600)
    /// What is different for some files; the first that matches counts.
    public var rules: [FolderRule] = []
    /// Where files with codes go; the first rule that one of the codes meets counts.
    public var filing: [FilingRule] = []
    /// The command that runs before a file is read, with the file's path as its last argument; empty for none.
    ///
    /// A status that is not 0 sends the file to `failed/`. The command must not change the file, which would then have
    /// to settle again.
    public var before: [String] = []
    /// The command that runs after a file was put away, with its new path as the last argument; empty for none.
    public var afterEach: [String] = []
    /// How long a command may take.
    public var hookTimeout: Duration = .seconds(30)
    /// How long, and how much, is remembered of files that are done with.
    public var memory = IntakeMemory()

    /// The standard settings for a folder.
    public init(folder: [UInt8]) {
        self.folder = folder
    }
}

extension DropFolderSettings {
    /// Which names in the folder are pictures to take.
    var selection: FileSelection { FileSelection(destination: destinationWithin) }

    /// The path of the destination below the folder; nil where it is elsewhere.
    var destinationWithin: RelativePath? {
        guard let destination, destination.starts(with: folder + [0x2F]) else { return nil }
        return RelativePath(Array(destination.dropFirst(folder.count + 1)))
    }
}

/// How long files that are done with are remembered, by which a duplicate is known.
public struct IntakeMemory: Sendable, Hashable {
    /// Ninety days unless said otherwise.
    public var age: Duration = .seconds(90 * 86_400)
    /// A million files unless said otherwise, of about 300 bytes each.
    public var count = 1_000_000

    /// The standard values.
    public init() {}
}
