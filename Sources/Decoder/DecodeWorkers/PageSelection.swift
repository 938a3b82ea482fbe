public import BarcodeCore
public import DecodeReports

/// Which pages of a document are wanted, such as `1-3,7` or `2-`.
public struct PageSelection: Sendable, Hashable {
    /// The wanted pages, in the order in which they were named.
    public var ranges: [ClosedRange<Int>]

    /// All pages.
    public static let all = PageSelection(ranges: [1...Int.max])

    /// The pages of the given ranges.
    public init(ranges: [ClosedRange<Int>]) {
        self.ranges = ranges
    }

    /// The pages that a text names: numbers and ranges with commas between them; a range without an end goes to the last.
    ///
    /// It is nil for a text that names none.
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

    /// The page that is asked for first: its report tells how many there are.
    public var first: Int { ranges.map(\.lowerBound).min() ?? 1 }

    /// Whether a page is wanted.
    public func contains(_ page: Int) -> Bool { ranges.contains { $0.contains(page) } }
}

/// The pages of one document that are still to be asked for, once the report on the first of them is there.
public struct PageQueue: Sendable {
    private let selection: PageSelection
    private let pages: Int?
    private var last: Int
    private var taken = 1
    /// The number of pages that were asked for and those that will be.
    public private(set) var count: Int

    /// The pages behind the one that a report is about.
    ///
    /// - Parameters:
    ///   - report: the report on the first page that was asked for, which says how many pages there are.
    ///   - selection: the pages that are wanted.
    ///   - most: the pages of one document that are read at most.
    public init(after report: DecodeReport, selection: PageSelection, most: Int) {
        self.selection = selection
        pages = report.pages
        last = selection.first
        // A document may claim any number.
        let pages = min(report.pages ?? 1, PageRequest.numbers.upperBound)
        let wanted = report.pages == nil || last > pages ? 1 : (last...pages).count { selection.contains($0) }
        count = max(1, min(wanted, most))
        excess = max(0, wanted - most)
    }

    /// The pages that are wanted and not read, because there are too many.
    public let excess: Int

    /// A report on one of the pages with its number, which a worker that was lost could not enter.
    public func numbered(_ report: DecodeReport, page: Int) -> DecodeReport {
        guard let pages else { return report }
        var report = report
        (report.page, report.pages) = (page, pages)
        return report
    }

    /// The next page, in the order of the document; nil when all were asked for.
    public mutating func next() -> Int? {
        guard taken < count else { return nil }
        repeat { last += 1 } while !selection.contains(last)
        taken += 1
        return last
    }
}

extension DecodeReport {
    /// A report that stands for the pages of a document that were not read.
    public static func pagesNotRead(
        of document: DecodeReport, _ count: Int, _ code: DecodeError.Code, _ reason: String
    ) -> DecodeReport {
        var report = DecodeReport(source: document.name)
        report.pages = document.pages
        report.error = DecodeError(code, "has \(document.pages ?? 1) pages, of which \(count) were not read: \(reason)")
        return report
    }
}
