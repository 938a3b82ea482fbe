internal import BarcodeCore
public import DecodeReports

/// Reads all pages of a document, each in a worker, and hands back what they show together.
public struct DocumentReader: Sendable {
    /// Reads a picture or one page, such as ``WorkerPool/decode(_:)``.
    public var decode: @Sendable (WorkerRequest) async -> DecodeReport
    /// The pages of one document that are read at most.
    public var maximumPages: Int
    /// How long one document may take; pages that are under way by then are still read.
    public var timeout: Duration
    /// How many pages of a document are asked for at the same time.
    public var window: Int

    /// A reader.
    ///
    /// - Parameters:
    ///   - maximumPages: the pages of one document that are read at most.
    ///   - timeout: how long one document may take.
    ///   - window: how many of its pages are asked for at the same time; as many as there are workers.
    ///   - decode: reads a picture or one page.
    public init(
        maximumPages: Int = 1000, timeout: Duration = .seconds(600), window: Int,
        decode: @escaping @Sendable (WorkerRequest) async -> DecodeReport
    ) {
        self.decode = decode
        self.maximumPages = maximumPages
        self.timeout = timeout
        self.window = max(1, window)
    }

    /// The reports on all pages of a document, in their order; the only one on a picture.
    ///
    /// A page that cannot be read is a report with an error, as are, together, pages that are too many or for which the
    /// time did not suffice.
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
                .pagesNotRead(of: first, queue.count - last, .timedOut, "a document may take \(timeout)"))
        }
        if queue.excess > 0 {
            answer.append(.pagesNotRead(of: first, queue.excess, .tooLarge, "\(maximumPages) are the most"))
        }
        return answer
    }
}
