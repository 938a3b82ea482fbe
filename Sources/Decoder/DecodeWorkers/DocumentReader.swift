internal import BarcodeCore
public import DecodeReports

/// Reads all pages of a document, each in a worker, and returns their reports.
public struct DocumentReader: Sendable {
    /// Decodes an image or one page, for example ``WorkerPool/decode(_:)``.
    public var decode: @Sendable (WorkerRequest) async -> DecodeReport
    /// The most pages that are read of one document.
    public var maximumPages: Int
    /// The time limit of one document; pages already in progress are still read.
    public var timeout: Duration
    /// The number of pages of a document that are requested at once.
    public var window: Int

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - maximumPages: the most pages that are read of one document.
    ///   - timeout: the time limit of one document.
    ///   - window: the number of pages that are requested at once; as many as there are workers.
    ///   - decode: decodes an image or one page.
    public init(
        maximumPages: Int = 1000, timeout: Duration = .seconds(600), window: Int,
        decode: @escaping @Sendable (WorkerRequest) async -> DecodeReport
    ) {
        self.decode = decode
        self.maximumPages = maximumPages
        self.timeout = timeout
        self.window = max(1, window)
    }

    /// Returns the reports on all pages of a document in order, or the single report on an image.
    ///
    /// A page that cannot be read gives a report with an error. So do, together, the pages beyond the page limit
    /// and those beyond the time limit.
    public func read(_ request: WorkerRequest) async -> [DecodeReport] {
        let deadline = ContinuousClock.now + timeout
        let first = await decode(request)
        var queue = PageQueue(after: first, selection: .all, most: maximumPages)
        var reports = [1: first]
        var last = 1
        await withTaskGroup(of: (Int, DecodeReport).self) { group in
            func askForPage() {
                guard ContinuousClock.now < deadline, !Task.isCancelled, let page = queue.next() else { return }
                last = page
                var request = request
                request.page.number = page
                group.addTask { [request] in (page, await decode(request)) }
            }
            for _ in 0..<window { askForPage() }
            for await (page, report) in group {
                reports[page] = queue.numbered(report, page: page)
                askForPage()
            }
        }
        var answer = reports.sorted { $0.key < $1.key }.map(\.value)
        if last < queue.count {
            answer.append(
                .pagesNotRead(of: first, queue.count - last, .timedOut, "the time limit for a document is \(timeout)"))
        }
        if queue.excess > 0 {
            answer.append(.pagesNotRead(of: first, queue.excess, .tooLarge, "the limit is \(maximumPages) pages"))
        }
        return answer
    }
}
