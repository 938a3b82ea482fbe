import BarcodeCore
import DecodeReports
import DecodeWorkers
import Synchronization
import Testing

/// The selection of pages of a document, and the reports on skipped ones.
@Suite struct PageSelectionTests {
    private static func report(pages: Int?) -> DecodeReport {
        var report = DecodeReport(source: PictureName("a.pdf"))
        report.pages = pages
        return report
    }

    @Test(
        arguments: [
            ("all of a picture", PageSelection.all, nil, 1000, [], 0), ("all", .all, 4, 1000, [2, 3, 4], 0),
            ("too many", .all, 9, 3, [2, 3], 6),
            ("some", PageSelection(ranges: [5...6, 2...3, 8...Int.max]), 9, 1000, [3, 5, 6, 8, 9], 0),
            ("beyond the end", PageSelection(ranges: [5...6]), 3, 1000, [], 0),
        ] as [(String, PageSelection, Int?, Int, [Int], Int)])
    func queue(label: String, selection: PageSelection, pages: Int?, most: Int, expected: [Int], excess: Int) {
        var queue = PageQueue(after: Self.report(pages: pages), selection: selection, most: most)
        var found: [Int] = []
        while let page = queue.next() { found.append(page) }
        #expect(found == expected)
        #expect(queue.count == expected.count + 1)
        #expect(queue.excess == excess)
    }

    @Test func allPagesInOrder() async {
        let asked = Mutex<[Int]>([])
        let reader = DocumentReader(maximumPages: 5, window: 3) { request in
            asked.withLock { $0.append(request.page.number) }
            await Task.yield()
            var report = Self.report(pages: 7)
            report.page = request.page.number
            return report
        }
        let reports = await reader.read(WorkerRequest(path: PictureName("a.pdf")))
        #expect(reports.map(\.page) == [1, 2, 3, 4, 5, nil])
        #expect(reports.map(\.error?.code) == [nil, nil, nil, nil, nil, .tooLarge])
        #expect(asked.withLock { $0.sorted() } == [1, 2, 3, 4, 5])
    }

    @Test func timeOfADocument() async {
        let reader = DocumentReader(timeout: .zero, window: 2) { _ in Self.report(pages: 3) }
        let reports = await reader.read(WorkerRequest(path: PictureName("a.pdf")))
        #expect(reports.map(\.error?.code) == [nil, .timedOut])
    }
}
