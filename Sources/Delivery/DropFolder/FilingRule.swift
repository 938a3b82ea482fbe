internal import BarcodeCore
internal import DecodeReports
internal import FoundationEssentials
public import ScanEvents

/// Where files go in which a code is read that meets conditions: a folder, a name, or both, made of the code.
public struct FilingRule: Sendable {
    /// The rule's name, for messages.
    public var name: String
    /// Patterns of shells, one of which a file must match; none is every file.
    ///
    /// They are those of ``FolderRule/patterns``.
    public var patterns: [String] = []
    /// What the code must be.
    public var filter = EventFilter()
    /// The folder below `done/`, in place of the day and the folders that the file lay in; nil for those.
    public var folder: PlaceTemplate?
    /// The name of the file but for its extension, which it keeps; nil for its own.
    public var fileName: PlaceTemplate?

    /// How a document is split at the pages that carry such a code, where it is; each part is named and filed by the
    /// code that it begins with.
    public var split: SplitPolicy?

    /// A rule for all codes, which changes nothing.
    public init(name: String) {
        self.name = name
    }

    /// The place for a file by one of its codes; nil where the rule is not for that.
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

/// The name of a file, or the path of a folder, with placeholders such as `{{symbol.text}}`.
///
/// What a placeholder stands for never adds a component: of it, only what is safe in a name is left.
public struct PlaceTemplate: Sendable, Hashable {
    /// The most folders one below the other.
    static let maximumDepth = 8
    private let components: [TextTemplate]

    /// The path of a folder below `done/`, with a slash between two folders.
    ///
    /// - Throws: ``SyntaxError``, when it leads elsewhere, a name in it cannot be one, or a field cannot be.
    public init(folder text: String) throws(SyntaxError) {
        if text.hasPrefix("/") {
            throw SyntaxError(
                "\"\(text)\" begins with a slash; it is a folder below done/, see folder.to for another place")
        }
        let components = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if components.count > Self.maximumDepth {
            throw SyntaxError("\"\(text)\" has \(components.count) folders; \(Self.maximumDepth) are the most")
        }
        self.components = try components.map { component throws(SyntaxError) in try Self.component(component) }
    }

    /// The name of a file.
    ///
    /// - Throws: ``SyntaxError``, when it cannot be one, or a field cannot be.
    public init(name text: String) throws(SyntaxError) {
        if text.contains("/") { throw SyntaxError("\"\(text)\" has a slash, which no name has; use folder") }
        components = [try Self.component(text)]
    }

    /// A component whose fixed parts stay as they are.
    private static func component(_ text: String) throws(SyntaxError) -> TextTemplate {
        let template = try TextTemplate(text)
        for path in template.paths where path == "event" || path == "id" {
            throw SyntaxError("\"{{\(path)}}\" makes no name: a file may have many events")
        }
        // With a letter for each placeholder it has to be a name as it stands.
        let sample = text.replacing(/\{\{.*?\}\}/, with: "x")
        guard let name = SafeName.name(sample), name == Array(sample.utf8) else {
            throw SyntaxError(
                "\"\(text)\" makes no safe name: it is empty, too long, begins with a dot, a hyphen or a blank, ends with "
                    + "a dot or a blank, is a device of Windows, or has one of \\ : * ? \" < > |")
        }
        return template
    }

    /// The names for an event; nil where it lacks a field, or nothing is left of a name.
    func names(for event: ScanEvent) -> [[UInt8]]? {
        var names: [[UInt8]] = []
        for component in components {
            guard let name = component.text(for: event).flatMap(SafeName.name) else { return nil }
            names.append(name)
        }
        return names
    }
}

/// Where a rule wants a file, which is stored with the row of the file.
struct Filing: Sendable, Hashable {
    /// The folder below `done/`; nil for the usual one.
    var folder: [UInt8]?
    /// The name; nil for the file's own.
    var name: [UInt8]?
}

/// What a rule says of a file.
struct FilingDecision: Sendable, Hashable {
    /// The rule's name.
    var rule: String
    /// Where the file goes; nil for where it goes without a rule.
    var filing: Filing?
    /// What it is split into before.
    var parts: [DocumentPart]
}

extension DropFolderSettings {
    /// Where a file goes by its codes, and in which parts: by the first rule that one of them meets, and on each page by
    /// the first of its codes that does.
    func filing(
        of path: RelativePath, _ sighting: ScanSighting, station: String, time: Date
    ) -> FilingDecision? {
        for rule in filing {
            var matches: [(page: Int, filing: Filing)] = []
            for symbol in sighting.symbols where matches.isEmpty || rule.split != nil {
                let page = symbol.page ?? 1
                if let last = matches.last, last.page >= page { continue }
                let event = ScanEvent(
                    time: time, station: station, source: sighting.source, symbol: symbol)
                if let filing = rule.filing(of: path, by: event) { matches.append((page, filing)) }
            }
            guard let first = matches.first else { continue }
            let pages = sighting.symbols.compactMap(\.pages).first ?? 1
            let parts = rule.split.map { DocumentPart.parts(pages: pages, matches: matches, by: $0) } ?? []
            // The document itself goes where it goes without a rule, unless it stays in one piece.
            return FilingDecision(rule: rule.name, filing: parts.isEmpty ? first.filing : nil, parts: parts)
        }
        return nil
    }
}
