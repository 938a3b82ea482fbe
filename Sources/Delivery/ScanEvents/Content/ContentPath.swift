public import SymbolContent

/// The name of a part of what messages say: `gs1.10`, `gs1.gtin`, `wifi.ssid`, `gs1.17.meaning`, or a kind alone.
///
/// A field is found by its name or by its label, in which case and all but letters and digits make no difference.
struct ContentPath: Sendable, Hashable {
    /// What is asked of a field.
    private enum Part: String {
        case value, label, meaning
    }

    private let kind: SymbolContent.Kind
    private let field: String?
    private let part: Part

    /// The path of these steps.
    ///
    /// - Throws: ``SyntaxError``, when there is no such kind of content, or the steps are too many.
    init(_ steps: [String]) throws(SyntaxError) {
        kind = SymbolContent.Kind(rawValue: steps.first ?? "")
        guard SymbolContent.Kind.all.contains(kind) else {
            let names = SymbolContent.Kind.all.map(\.rawValue).joined(separator: ", ")
            throw SyntaxError("\"\(kind.rawValue)\" is no kind of content; there are \(names)")
        }
        field = steps.count > 1 ? steps[1] : nil
        guard steps.count < 4, field != "", let part = steps.count > 2 ? Part(rawValue: steps[2]) : .value else {
            throw SyntaxError(
                "\"\(steps.joined(separator: "."))\" is no part of a content; write KIND.FIELD or KIND.FIELD.meaning")
        }
        self.part = part
    }

    /// The text at the path, of a kind alone its name; nil where the content has none.
    func text(in content: SymbolContent) -> String? {
        guard content.kind == kind else { return nil }
        guard let name = field else { return kind.rawValue }
        guard
            let field = content.fields.first(where: { $0.name == name })
                ?? content.fields.first(where: { Self.folded($0.label ?? $0.name) == Self.folded(name) })
        else { return nil }
        switch part {
        case .value: return field.value
        case .label: return field.label ?? field.name
        case .meaning: return field.meaning ?? field.value
        }
    }

    private static func folded(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
}

/// A condition on what a message says: a kind, `gs1`; a field that has to be there, `gs1.10`; or a field in which a
/// regular expression has to occur, `gs1.01=^0950`.
public struct ContentCondition: Sendable {
    private let path: ContentPath
    private let pattern: TextPattern?

    /// The condition that a text spells.
    ///
    /// - Throws: ``SyntaxError``, when there is no such kind of content, or the pattern is no regular expression.
    public init(_ text: String) throws(SyntaxError) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        path = try ContentPath(
            halves[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init))
        pattern = halves.count > 1 ? try TextPattern(String(halves[1])) : nil
    }

    /// Whether a content meets the condition.
    public func holds(for content: SymbolContent) -> Bool {
        guard let text = path.text(in: content) else { return false }
        return pattern?.occurs(in: text) ?? true
    }
}
