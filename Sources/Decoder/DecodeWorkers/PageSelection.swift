public import BarcodeCore
public import DecodeReports

/// A selection of pages of a document, such as `1-3,7` or `2-`.
public struct PageSelection: Sendable, Hashable {
    /// The selected pages, in the order of the text.
    public var ranges: [ClosedRange<Int>]

    /// All pages.
    public static let all = PageSelection(ranges: [1...Int.max])

    /// Creates a selection.
    public init(ranges: [ClosedRange<Int>]) {
        self.ranges = ranges
    }

    /// Parses numbers and ranges with commas between them; a range without an end goes to the last page.
    ///
    /// `nil` for an invalid text.
    public init?(_ text: String) {
        ranges = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = ends.first.flatMap({ Int($0) }), PageRequest.numbers.contains(first) else { return nil }
            var last = first
            if ends.count == 2 {
                guard let named = ends[1].isEmpty ? Int.max : Int(ends[1]), named >= first else { return nil }
                last = named
            }
            ranges.append(first...last)
        }
    }

    /// The first page to request: its report tells how many pages there are.
    public var first: Int { ranges.map(\.lowerBound).min() ?? 1 }

    /// Indicates whether a page is selected.
    public func contains(_ page: Int) -> Bool { ranges.contains { $0.contains(page) } }
}

/// The remaining pages of a document, once its first selected page has a report.
public struct PageQueue: Sendable {
    private let selection: PageSelection
    private let pages: Int?
    private var last: Int
    private var taken = 1
    /// The number of pages requested so far and still to request.
    public private(set) var count: Int

    /// Creates the queue of the pages after the first one.
    ///
    /// - Parameters:
    ///   - report: the report on the first requested page, which has the number of pages.
    ///   - selection: the selected pages.
    ///   - most: the most pages that are read of one document.
    public init(after report: DecodeReport, selection: PageSelection, most: Int) {
        self.selection = selection
        pages = report.pages
        last = selection.first
        // A document may declare any number.
        let pages = min(report.pages ?? 1, PageRequest.numbers.upperBound)
        let wanted = report.pages == nil || last > pages ? 1 : (last...pages).count { selection.contains($0) }
        count = max(1, min(wanted, most))
        excess = max(0, wanted - most)
    }

    /// The number of selected pages beyond the page limit, which are not read.
    public let excess: Int

    /// Returns a report with its page number, which a lost worker could not fill in.
    public func numbered(_ report: DecodeReport, page: Int) -> DecodeReport {
        guard let pages else { return report }
        var report = report
        (report.page, report.pages) = (page, pages)
        return report
    }

    /// Returns the next page in document order; `nil` if all were requested.
    public mutating func next() -> Int? {
        guard taken < count else { return nil }
        repeat { last += 1 } while !selection.contains(last)
        taken += 1
        return last
    }
}

extension DecodeReport {
    /// Returns a report that stands for the unread pages of a document.
    public static func pagesNotRead(
        of document: DecodeReport, _ count: Int, _ code: DecodeError.Code, _ reason: String
    ) -> DecodeReport {
        var report = DecodeReport(source: document.name)
        report.pages = document.pages
        let unread = "\(count) \(count == 1 ? "was" : "were")"
        report.error = DecodeError(code, "has \(document.pages ?? 1) pages, of which \(unread) not read: \(reason)")
        return report
    }
}
