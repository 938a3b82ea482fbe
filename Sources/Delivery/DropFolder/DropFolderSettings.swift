public import BarcodeCore

/// The treatment of a processed file.
public enum AfterPolicy: String, Sendable, Hashable, CaseIterable {
    /// Moves it to `done/`, `no-code/` or `failed/`, by day.
    case move
    /// Leaves it; it is not read again until it changes.
    case leave
    /// Deletes it if codes were read. Files without a code and unreadable files are moved nevertheless.
    case delete
}

/// The treatment of an image with the same content as an earlier one.
public enum DuplicatePolicy: String, Sendable, Hashable, CaseIterable {
    /// Reads it again and creates events again.
    case again
    /// Creates no events and moves it to where the first one went.
    case skip
}

/// The way to detect changes in the folder.
public enum WatchMode: String, Sendable, Hashable, CaseIterable {
    /// By inotify if the file system supports it, otherwise by polling.
    case auto
    /// By inotify.
    case inotify
    /// By polling.
    case poll
}

/// The settings of a watched folder.
public struct DropFolderSettings: Sendable {
    /// The folder, as an absolute path without links.
    ///
    /// Bytes, because a path need not be UTF-8.
    public var folder: [UInt8]
    /// The path given for the folder, which may contain links; `nil` to ignore changes of links.
    ///
    /// If it comes to lead to another folder, the watcher ends with ``FolderMoved``.
    public var name: [UInt8]?
    /// The folder that contains `done/`, `failed/` and `no-code/`, also without links; `nil` for the watched
    /// folder.
    public var destination: [UInt8]?
    /// The time for which a file must be unchanged before it is read.
    public var settle: Duration = .milliseconds(500)
    /// The way to detect changes.
    public var watch = WatchMode.auto
    /// The polling interval if there are no notifications, and for checking that the folder itself exists.
    public var poll: Duration = .seconds(2)
    /// The interval of full scans in any case.
    public var rescan: Duration = .seconds(300)
    /// The treatment of processed files.
    public var after = AfterPolicy.move
    /// The delay before an emptied sub-folder is removed after its last file was moved; `nil` for never.
    public var removeEmpty: Duration?
    /// Indicates whether the result is written as JSON beside a file.
    public var writesSidecars = false
    /// The treatment of duplicate contents.
    public var duplicates = DuplicatePolicy.again
    /// Indicates whether to end once the existing files are processed.
    public var once = false
    /// The maximum number of images decoded concurrently.
    public var jobs = 1
    /// The decoding options.
    public var decoding = DecodeOptions()
    /// The resource limits for an image.
    public var limits = Limits()
    /// The maximum number of pages read of one document.
    public var maximumPages = 1000
    /// The timeout for all pages of one document.
    public var documentTimeout: Duration = .seconds(600)
    /// The rules with different settings for some files; the first match applies.
    public var rules: [FolderRule] = []
    /// The rules for the location of files with codes; the first rule that one of the codes meets applies.
    public var filing: [FilingRule] = []
    /// The command to run before a file is read, with the file's path as its last argument; empty for none.
    ///
    /// A nonzero exit status moves the file to `failed/`. The command must not change the file, because it would
    /// then have to settle again.
    public var before: [String] = []
    /// The command to run after a file was moved, with its new path as the last argument; empty for none.
    public var afterEach: [String] = []
    /// The timeout of a command.
    public var hookTimeout: Duration = .seconds(30)
    /// The limits for remembering processed files.
    public var journalRetention = JournalRetention()

    /// Creates the default settings for a folder.
    public init(folder: [UInt8]) {
        self.folder = folder
    }
}

extension DropFolderSettings {
    /// The selection of file names to process in the folder.
    var selection: FileSelection { FileSelection(destination: destinationWithin) }

    /// The path of the destination relative to the folder; `nil` if it is not within the folder.
    var destinationWithin: RelativePath? {
        guard let destination, destination.starts(with: folder + [0x2F]) else { return nil }
        return RelativePath(Array(destination.dropFirst(folder.count + 1)))
    }
}

/// The limits for remembering processed files, by which duplicates are recognized.
public struct JournalRetention: Sendable, Hashable {
    /// The maximum age; 90 days by default.
    public var age: Duration = .seconds(90 * 86_400)
    /// The maximum number of files, at about 300 bytes each; a million by default.
    public var count = 1_000_000

    /// Creates the default limits.
    public init() {}
}
