public import BarcodeCore
internal import Glibc

/// The different settings for some sub-folders or file names.
///
/// A `nil` setting is the same as for all files.
public struct FolderRule: Sendable, Hashable {
    /// The rule's name, for messages.
    public var name: String
    /// The fnmatch(3) patterns, one of which a file must match; empty for every file.
    ///
    /// A pattern without a slash is matched against the file name, one with a slash against the path below the
    /// watched folder. A star does not match a slash, unless the pattern contains two adjacent stars.
    public var patterns: [String] = []
    /// The symbologies to read.
    public var symbologies: Set<Symbology>?
    /// The decoding effort.
    public var effort: DecodeOptions.Effort?
    /// The destinations that may get the events.
    public var destinations: Set<String>?
    /// The treatment of processed files.
    public var after: AfterPolicy?
    /// Indicates whether the result is written as JSON beside a file.
    public var writesSidecars: Bool?
    /// The command to run before a file is read; empty for none.
    public var before: [String]?
    /// The command to run after a file was moved; empty for none.
    public var afterEach: [String]?

    /// Creates a rule that changes nothing.
    public init(name: String) {
        self.name = name
    }

    /// Indicates whether the rule applies to a file.
    func matches(_ path: RelativePath) -> Bool {
        patterns.isEmpty || patterns.contains { Self.matches($0, path) }
    }

    /// Indicates whether a file matches a pattern.
    static func matches(_ pattern: String, _ path: RelativePath) -> Bool {
        let text = pattern.contains("/") ? path.bytes : path.name
        let flags = pattern.contains("**") ? 0 : FNM_PATHNAME
        return text.withPath { fnmatch(pattern, $0, flags) } == 0
    }
}

/// The settings for one file, after the rules.
struct FileSettings: Sendable {
    var decoding: DecodeOptions
    var destinations: Set<String>?
    var after: AfterPolicy
    var writesSidecars: Bool
    var before: [String]
    var afterEach: [String]
}

extension DropFolderSettings {
    /// The settings for a file: the first matching rule overrides the general settings.
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
