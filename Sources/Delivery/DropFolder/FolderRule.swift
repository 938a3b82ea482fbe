public import BarcodeCore
internal import Glibc

/// What is done with the files of some sub-folders or names; what is nil is as for all files.
public struct FolderRule: Sendable, Hashable {
    /// The rule's name, for messages.
    public var name: String
    /// Patterns of shells (fnmatch(3)), one of which a file must match; none is every file.
    ///
    /// A pattern without a slash is for the name of the file, one with a slash for its path below the watched folder. A
    /// star does not match a slash, unless two stars stand together somewhere in the pattern.
    public var patterns: [String] = []
    /// The symbologies to read.
    public var symbologies: Set<Symbology>?
    /// How hard to look.
    public var effort: DecodeOptions.Effort?
    /// The destinations that may get the events.
    public var destinations: Set<String>?
    /// What becomes of the files.
    public var after: AfterPolicy?
    /// Whether the answer is written beside a file that was read.
    public var writesSidecars: Bool?
    /// The command that runs before a file is read; empty for none.
    public var before: [String]?
    /// The command that runs after a file was put away; empty for none.
    public var afterEach: [String]?

    /// A rule that changes nothing.
    public init(name: String) {
        self.name = name
    }

    /// Whether the rule is for a file.
    func matches(_ path: RelativePath) -> Bool {
        patterns.isEmpty || patterns.contains { Self.matches($0, path) }
    }

    /// Whether a file matches a pattern.
    static func matches(_ pattern: String, _ path: RelativePath) -> Bool {
        let text = pattern.contains("/") ? path.bytes : path.name
        let flags = pattern.contains("**") ? 0 : FNM_PATHNAME
        return text.withPath { fnmatch(pattern, $0, flags) } == 0
    }
}

/// What is done with one file, after the rules.
struct FileSettings: Sendable {
    var decoding: DecodeOptions
    var destinations: Set<String>?
    var after: AfterPolicy
    var writesSidecars: Bool
    var before: [String]
    var afterEach: [String]
}

extension DropFolderSettings {
    /// What is done with a file: the first rule that is for it goes before the settings for all.
    func file(_ path: RelativePath) -> FileSettings {
        let rule = rules.first { $0.matches(path) }
        var decoding = decoding
        if let symbologies = rule?.symbologies { decoding.symbologies = symbologies }
        if let effort = rule?.effort { decoding.effort = effort }
        return FileSettings(
            decoding: decoding, destinations: rule?.destinations, after: rule?.after ?? after,
            writesSidecars: rule?.writesSidecars ?? writesSidecars, before: rule?.before ?? before,
            afterEach: rule?.afterEach ?? afterEach)
    }
}
