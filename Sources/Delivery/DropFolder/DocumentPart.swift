/// The way to split a document at the pages with a code that a rule is for.
public enum SplitPolicy: String, Sendable, Hashable, CaseIterable {
    /// Each such page is the first page of a part.
    case code
    /// Each such page separates two parts and belongs to neither.
    case separator
}

/// A range of pages of a document, which becomes its own file.
struct DocumentPart: Sendable, Hashable {
    /// The pages, counted from 1.
    var pages: ClosedRange<Int>
    /// The location chosen by a rule; `nil` for that of the document.
    var filing: Filing?
    /// The target path; `nil` until it is decided.
    var target: [UInt8]?
    /// The SHA-256 of the file, which identifies it after a crash; `nil` until it is written.
    var hash: [UInt8]?

    /// Returns the parts of a document; empty if it is not split.
    ///
    /// - Parameters:
    ///   - pages: the number of pages of the document.
    ///   - matches: the pages with such a code, in order, and the location for the part that begins there.
    ///   - separators: more pages that stand between parts, unless they have such a code.
    ///   - leading: the location for the parts that begin without such a code; `nil` for that of the document.
    static func parts(
        pages: Int, matches: [(page: Int, filing: Filing)], separators: Set<Int> = [], leading: Filing? = nil,
        by policy: SplitPolicy
    ) -> [DocumentPart] {
        let between = separators.subtracting(matches.map(\.page))
        var boundaries = between.map { (page: $0, filing: leading, isLeftOut: true) }
        boundaries += matches.map { (page: $0.page, filing: $0.filing, isLeftOut: policy == .separator) }
        boundaries.sort { $0.page < $1.page }
        var parts: [DocumentPart] = []
        var first = 1
        var filing = leading
        func end(before page: Int) {
            if first < page { parts.append(DocumentPart(pages: first...page - 1, filing: filing)) }
        }
        for boundary in boundaries {
            end(before: boundary.page)
            first = boundary.isLeftOut ? boundary.page + 1 : boundary.page
            filing = boundary.filing
        }
        end(before: pages + 1)
        return parts.map(\.pages) == [1...max(1, pages)] ? [] : parts
    }
}
