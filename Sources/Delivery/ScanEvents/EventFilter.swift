public import BarcodeCore
internal import Synchronization

/// Which events a destination gets.
///
/// What is empty or nil lets everything pass.
public struct EventFilter: Sendable {
    /// The symbologies.
    public var symbologies: Set<Symbology>
    /// The kinds of source.
    public var sources: Set<ScanSource.Kind>
    /// What has to occur in the text.
    public var pattern: TextPattern?
    /// What the message has to say: one of these has to hold.
    public var content: [ContentCondition]

    /// A filter; without arguments it lets everything pass.
    public init(
        symbologies: Set<Symbology> = [], sources: Set<ScanSource.Kind> = [], pattern: TextPattern? = nil,
        content: [ContentCondition] = []
    ) {
        self.symbologies = symbologies
        self.sources = sources
        self.pattern = pattern
        self.content = content
    }

    /// Whether an event passes.
    public func admits(_ event: ScanEvent) -> Bool {
        (symbologies.isEmpty || symbologies.contains(event.symbol.symbology))
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

    /// The pattern that a text spells.
    ///
    /// - Throws: ``SyntaxError``, when it is not a regular expression.
    public init(_ text: String) throws(SyntaxError) {
        do {
            regex = Mutex(try Regex(text))
        } catch {
            throw SyntaxError("\"\(text)\" is not a regular expression")
        }
    }

    /// Whether the pattern occurs in a text.
    public func occurs(in text: String) -> Bool {
        regex.withLock { (try? $0.firstMatch(in: text)) != nil }
    }

    /// What the first group of the pattern holds in a text, or all that it matches where it has no group; nil where it
    /// does not occur.
    package func value(in text: String) -> String? {
        regex.withLock { regex in
            guard let match = try? regex.firstMatch(in: text) else { return nil }
            return (match.output.count > 1 ? match.output[1] : match.output[0]).substring.map(String.init)
        }
    }
}
