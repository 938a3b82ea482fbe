internal import BarcodeCore
internal import DecodeReports
internal import FoundationEssentials
public import ScanEvents
internal import ScanOutbox
internal import SymbolContent

/// A rule for the location of files with certain codes: a folder, a name, or both, built from the code.
public struct FilingRule: Sendable {
    /// The rule's name, for messages.
    public var name: String
    /// The fnmatch patterns, one of which a file must match; empty for every file.
    ///
    /// See ``FolderRule/patterns``.
    public var patterns: [String] = []
    /// The conditions on the code.
    public var filter = EventFilter()
    /// The folder below `done/`, instead of the day and the original sub-folders; `nil` for those.
    public var folder: PathTemplate?
    /// The name of the file without its extension, which it keeps; `nil` for the original name.
    public var fileName: PathTemplate?

    /// The way to split a document at the pages with such a code; `nil` not to split it.
    ///
    /// Each part is named and filed by the code that it begins with.
    public var split: SplitPolicy?
    /// The texts of codes whose pages stand between parts as well, and are left out; `nil` for none.
    public var separator: TextPattern?

    /// Creates a rule that matches all codes and changes nothing.
    public init(name: String) {
        self.name = name
    }

    /// The filing of a file by one of its codes; `nil` if the rule does not match.
    func filing(of path: RelativePath, by event: ScanEvent) -> Filing? {
        guard patterns.isEmpty || patterns.contains(where: { FolderRule.matches($0, path) }), filter.admits(event)
        else {
            return nil
        }
        var filing = Filing()
        if let folder {
            guard let components = folder.names(for: event) else { return nil }
            filing.folder = Array(components.joined(separator: [0x2F]))
        }
        if let fileName {
            guard let stem = fileName.names(for: event)?.first else { return nil }
            filing.name = stem + Placement.parts(of: path.name).tail
        }
        return filing
    }
}

extension FilingRule {
    /// The filing of the parts that begin without a code, of a document whose first code is filed at `first`: the
    /// rule's folder, unless the code decides on it.
    func filingWithoutCode(_ first: Filing) -> Filing? {
        folder.flatMap { $0.isFixed ? Filing(folder: first.folder) : nil }
    }
}

/// A template for the name of a file or the path of a folder, with placeholders such as `{{symbol.text}}`.
///
/// A placeholder's value never adds a path component: characters that are unsafe in a name are replaced.
public struct PathTemplate: Sendable, Hashable {
    /// The maximum nesting depth of folders.
    static let maximumDepth = 8
    private let components: [TextTemplate]

    /// Parses the path of a folder below `done/`, with slashes between the folders.
    ///
    /// - Throws: ``SyntaxError`` if it leads elsewhere, contains an invalid name, or refers to a field that does
    ///   not exist.
    public init(folder text: String) throws(SyntaxError) {
        if text.hasPrefix("/") {
            throw SyntaxError(
                "\"\(text)\" begins with a slash; give a folder below done/; folder.to moves done/ elsewhere")
        }
        let components = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if components.count > Self.maximumDepth {
            throw SyntaxError("\"\(text)\" has \(components.count) folders; the limit is \(Self.maximumDepth)")
        }
        self.components = try components.map { component throws(SyntaxError) in try Self.component(component) }
    }

    /// Parses the name of a file.
    ///
    /// - Throws: ``SyntaxError`` if it is not a valid name or refers to a field that does not exist.
    public init(name text: String) throws(SyntaxError) {
        if text.contains("/") { throw SyntaxError("\"\(text)\" contains a slash; put folders into the key folder") }
        components = [try Self.component(text)]
    }

    /// Parses a component, whose fixed parts must be valid as they are.
    private static func component(_ text: String) throws(SyntaxError) -> TextTemplate {
        let template = try TextTemplate(text)
        for path in template.paths where path == "event" || path == "id" {
            throw SyntaxError("\"{{\(path)}}\" cannot be part of a name: a file may have many events")
        }
        // With a letter for each placeholder it must be a valid name.
        let sample = text.replacing(/\{\{.*?\}\}/, with: "x")
        guard let name = SafeName.name(sample), name == Array(sample.utf8) else {
            throw SyntaxError(
                "\"\(text)\" is not a safe name: it is empty, too long, begins with a dot, a hyphen or a space, ends "
                    + "with a dot or a space, is a device name of Windows, or contains one of \\ : * ? \" < > |")
        }
        return template
    }

    /// Indicates whether there are no placeholders.
    var isFixed: Bool { components.allSatisfy(\.paths.isEmpty) }

    /// The names for an event; `nil` if the event lacks a field or a name would be empty.
    func names(for event: ScanEvent) -> [[UInt8]]? {
        var names: [[UInt8]] = []
        for component in components {
            guard let name = component.text(for: event).flatMap(SafeName.name) else { return nil }
            names.append(name)
        }
        return names
    }
}

/// The location that a rule chooses for a file, which is stored with the file's row.
struct Filing: Sendable, Hashable {
    /// The folder below `done/`; `nil` for the default.
    var folder: [UInt8]?
    /// The name; `nil` for the file's own name.
    var name: [UInt8]?
}

/// The decision of the filing rules for a file.
struct FilingDecision: Sendable, Hashable {
    /// The rule's name.
    var rule: String
    /// The location of the file; `nil` for the default.
    var filing: Filing?
    /// The parts into which it is split first.
    var parts: [DocumentPart]
}

extension DropFolderSettings {
    /// The location and parts of a file by its codes.
    ///
    /// Signatures are checked with the given keys. The first rule that a code meets applies, and on each page the first code that meets it.
    func filing(
        of path: RelativePath, _ submission: ScanSubmission, keys: SigningKeys?, station: String, time: Date
    ) -> FilingDecision? {
        for rule in filing {
            var matches: [(page: Int, filing: Filing)] = []
            var separators: Set<Int> = []
            for symbol in submission.symbols where matches.isEmpty || rule.split != nil {
                let page = symbol.page ?? 1
                let event = ScanEvent(
                    time: time, station: station, source: submission.source, symbol: symbol
                ).checkingSignature(keys)
                if let separator = rule.separator, EventFilter(pattern: separator).admits(event) {
                    separators.insert(page)
                }
                if let last = matches.last, last.page >= page { continue }
                if let filing = rule.filing(of: path, by: event) { matches.append((page, filing)) }
            }
            guard let first = matches.first else { continue }
            let pages = submission.symbols.compactMap(\.pages).first ?? 1
            let leading = rule.filingWithoutCode(first.filing)
            let parts =
                rule.split.map {
                    DocumentPart.parts(
                        pages: pages, matches: matches, separators: separators, leading: leading, by: $0)
                } ?? []
            // Unless it is not split, the document itself goes to the default location.
            return FilingDecision(rule: rule.name, filing: parts.isEmpty ? first.filing : nil, parts: parts)
        }
        return nil
    }
}
