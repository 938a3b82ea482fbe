public import BarcodeCore
internal import Synchronization

/// The conditions for a destination to get an event.
///
/// An empty or `nil` condition accepts every event.
public struct EventFilter: Sendable {
    /// The accepted symbologies.
    public var symbologies: Set<Symbology>
    /// The accepted kinds of source.
    public var sources: Set<ScanSource.Kind>
    /// The pattern that must occur in the text.
    public var pattern: TextPattern?
    /// The conditions on the parsed content, at least one of which must hold.
    public var content: [ContentCondition]
    /// Indicates whether single symbols of a message that is spread over several are accepted; their whole message is
    /// an event of its own.
    public var acceptsParts = true

    /// Creates a filter; without arguments it accepts every event.
    public init(
        symbologies: Set<Symbology> = [], sources: Set<ScanSource.Kind> = [], pattern: TextPattern? = nil,
        content: [ContentCondition] = []
    ) {
        self.symbologies = symbologies
        self.sources = sources
        self.pattern = pattern
        self.content = content
    }

    /// Indicates whether the filter accepts an event.
    public func admits(_ event: ScanEvent) -> Bool {
        (acceptsParts || event.symbol.structuredAppend == nil)
            && (symbologies.isEmpty || symbologies.contains(event.symbol.symbology))
            && (sources.isEmpty || sources.contains(event.source.kind))
            && (pattern.map { $0.occurs(in: event.symbol.text) } ?? true)
            && (content.isEmpty
                || event.parsedContent.map { parsed in content.contains { $0.holds(for: parsed) } } ?? false)
    }
}

/// A regular expression in the syntax of Swift's `Regex`.
public final class TextPattern: Sendable {
    // A Regex is not Sendable; the lock makes it so.
    private let regex: Mutex<Regex<AnyRegexOutput>>

    /// Parses a pattern.
    ///
    /// - Throws: ``SyntaxError`` if it is not a regular expression.
    public init(_ text: String) throws(SyntaxError) {
        do {
            regex = Mutex(try Regex(text))
        } catch {
            throw SyntaxError("\"\(text)\" is not a regular expression")
        }
    }

    /// Indicates whether the pattern occurs in a text.
    public func occurs(in text: String) -> Bool {
        regex.withLock { (try? $0.firstMatch(in: text)) != nil }
    }

    /// Returns the first capture group in a text, or the whole match if there is no group; `nil` if the pattern
    /// does not occur.
    package func value(in text: String) -> String? {
        regex.withLock { regex in
            guard let match = try? regex.firstMatch(in: text) else { return nil }
            return (match.output.count > 1 ? match.output[1] : match.output[0]).substring.map(String.init)
        }
    }
}
