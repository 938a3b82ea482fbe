/// How a document is split at the pages that carry a code which a rule is for.
public enum SplitPolicy: String, Sendable, Hashable, CaseIterable {
    /// Each such page is the first of a part.
    case code
    /// Each such page stands between two parts, and is in none.
    case separator
}

/// Some pages of a document, which become a file of their own.
struct DocumentPart: Sendable, Hashable {
    /// The pages, from 1.
    var pages: ClosedRange<Int>
    /// Where a rule wants it; nil for where the document goes.
    var filing: Filing?
    /// Where it is being put, as a path; nil until that is decided.
    var target: [UInt8]?
    /// The SHA-256 of the file, by which it is known after a crash; nil until it is written.
    var hash: [UInt8]?

    /// The parts of a document; none where it stays in one piece.
    ///
    /// - Parameters:
    ///   - pages: how many pages it has.
    ///   - matches: the pages that carry such a code, in their order, and where what begins there goes.
    static func parts(
        pages: Int, matches: [(page: Int, filing: Filing)], by policy: SplitPolicy
    ) -> [DocumentPart] {
        var parts: [DocumentPart] = []
        var first = 1
        var filing: Filing?
        func end(before page: Int) {
            if first < page { parts.append(DocumentPart(pages: first...page - 1, filing: filing)) }
        }
        for match in matches {
            end(before: match.page)
            first = policy == .separator ? match.page + 1 : match.page
            filing = match.filing
        }
        end(before: pages + 1)
        return parts.map(\.pages) == [1...max(1, pages)] ? [] : parts
    }
}
