public import SymbolContent

/// The path of a field in the parsed content: `gs1.10`, `gs1.gtin`, `wifi.ssid`, `gs1.17.meaning`, or only a kind.
///
/// A field is found by its name or its label, compared by letters and digits only and ignoring case.
struct ContentPath: Sendable, Hashable {
    /// The requested part of a field.
    private enum Part: String {
        case value, label, meaning
    }

    private let kind: SymbolContent.Kind
    private let field: String?
    private let part: Part

    /// Creates a path from its steps.
    ///
    /// - Throws: ``SyntaxError`` if there is no such kind of content or there are too many steps.
    init(_ steps: [String]) throws(SyntaxError) {
        kind = SymbolContent.Kind(rawValue: steps.first ?? "")
        guard SymbolContent.Kind.all.contains(kind) else {
            let names = SymbolContent.Kind.all.map(\.rawValue).joined(separator: ", ")
            throw SyntaxError("\"\(kind.rawValue)\" is not a kind of content; the kinds are \(names)")
        }
        field = steps.count > 1 ? steps[1] : nil
        guard steps.count < 4, field != "", let part = steps.count > 2 ? Part(rawValue: steps[2]) : .value else {
            throw SyntaxError(
                "\"\(steps.joined(separator: "."))\" is not a field of a content; write KIND.FIELD or "
                    + "KIND.FIELD.meaning"
            )
        }
        self.part = part
    }

    /// Indicates whether the field only exists in messages whose signature was checked.
    var isOfSignature: Bool { field.map { ["signature", "signedby"].contains(Self.folded($0)) } ?? false }

    /// The text at the path, or the name of the kind if it has no field; `nil` if the content lacks it.
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

/// A condition on the parsed content.
///
/// A kind, `gs1`; a field that must exist, `gs1.10`; or a field that must match a regular expression,
/// `gs1.01=^0950`.
public struct ContentCondition: Sendable {
    private let path: ContentPath
    private let pattern: TextPattern?

    /// Indicates whether the condition only holds for messages whose signature was checked.
    public var needsSigningKeys: Bool { path.isOfSignature }

    /// Parses a condition.
    ///
    /// - Throws: ``SyntaxError`` if there is no such kind of content or the pattern is not a regular expression.
    public init(_ text: String) throws(SyntaxError) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        path = try ContentPath(
            halves[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init))
        pattern = halves.count > 1 ? try TextPattern(String(halves[1])) : nil
    }

    /// Indicates whether the content meets the condition.
    public func holds(for content: SymbolContent) -> Bool {
        guard let text = path.text(in: content) else { return false }
        return pattern?.occurs(in: text) ?? true
    }
}
