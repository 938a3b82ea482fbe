import BarcodeCore
import DecodeReports
import DecodeWorkers
import Glibc
import ProgramSupport

/// The state of a batch: the pages in progress and the reports to write next.
struct Batch {
    var formatter: any ReportFormatter
    let messages: Messages
    /// Indicates whether there is only one image or document.
    let isAlone: Bool
    /// The selected pages.
    let selection: PageSelection
    /// The maximum number of pages read of one document.
    let maximumPages: Int
    /// The maximum number of pages in progress; an image is one page.
    let window: Int
    /// The name of the output in messages.
    let outputName: String

    /// The maximum number of pages that are in progress or wait for an earlier one to be written.
    ///
    /// While one page hangs until its timeout, the others are read.
    private static let maximumUnwritten = 4096
    /// The maximum number of symbols in waiting reports, at about 1 KB each.
    private static let maximumWaitingSymbols = 65_536

    /// A page requested from a worker.
    struct Page: Sendable {
        var picture: PictureName
        /// The index of its image or document in the list.
        var documentIndex: Int
        /// The page number, counted from 1.
        var number: Int
        /// Its index among the selected pages.
        var index: Int
    }

    /// An unfinished image or document.
    private struct Document {
        var picture: PictureName
        /// The remaining pages; `nil` until the first report, which contains the number of pages.
        var queue: PageQueue?
        var tally = RunStatus.Tally()
        var asked = 1
        var answered = 0
        var written = 0
        /// The reports that wait for an earlier one, if the order is kept.
        var waiting: [Int: DecodeReport] = [:]

        var isAnswered: Bool { queue.map { answered == $0.count } ?? false }
    }

    var awaitsItem = true
    var hasAllItems = false
    var skippedFiles = 0
    /// The number of images skipped because an earlier run has reported on them.
    private var answeredEarlier = 0
    private(set) var status = RunStatus()
    /// The numbers of images and documents listed, done, and (in ordered output) written.
    private var started = 0
    private var accepted = 0
    private var written = 0
    /// The numbers of pages requested, answered, and written.
    private var pagesAsked = 0
    private var pagesAnswered = 0
    private var pagesWritten = 0
    /// The number of symbols in reports that wait for an earlier one.
    private var waitingSymbols = 0
    /// By index.
    private var documents: [Int: Document] = [:]
    /// The indices of documents with pages still to be requested.
    private var unfinished: [Int] = []
    private var stopSignal: Int32?
    private var progress: ProgressLine

    init(
        formatter: any ReportFormatter, messages: Messages, isAlone: Bool, selection: PageSelection, maximumPages: Int,
        window: Int, outputName: String = "standard output"
    ) {
        self.formatter = formatter
        self.messages = messages
        self.isAlone = isAlone
        self.selection = selection
        self.maximumPages = maximumPages
        self.window = window
        self.outputName = outputName
        progress = ProgressLine(isShown: !messages.isQuiet && isatty(STDERR_FILENO) == 1)
    }

    /// Indicates whether all reports have arrived, or no more will.
    var isDone: Bool { (hasAllItems && accepted == started) || stopSignal != nil || status.hasLostOutput }

    /// Indicates whether another image may be started.
    var hasRoom: Bool { !hasAllItems && unfinished.isEmpty && hasRoomForPage }

    private var hasRoomForPage: Bool {
        pagesAsked - pagesAnswered < window && pagesAsked - pagesWritten < Self.maximumUnwritten
            && waitingSymbols < Self.maximumWaitingSymbols
    }

    /// Starts another image; returns the page to request first.
    mutating func start(_ picture: PictureName) -> Page {
        defer { started += 1 }
        pagesAsked += 1
        documents[started] = Document(picture: picture)
        return Page(picture: picture, documentIndex: started, number: selection.first, index: 0)
    }

    /// The next page of a document whose first page was answered; `nil` if there is none, or no room for it.
    mutating func nextPage() -> Page? {
        while let index = unfinished.first {
            guard var document = documents[index] else {
                unfinished.removeFirst()
                continue
            }
            // The others wait for the document that is to be written next, which always continues.
            let hasRoom =
                index == written
                ? document.asked - document.written < Self.maximumUnwritten && pagesAsked - pagesAnswered < window
                : hasRoomForPage
            guard hasRoom || formatter.isUnordered && hasRoomForPage else { return nil }
            guard let number = document.queue?.next() else {
                unfinished.removeFirst()
                continue
            }
            let page = Page(picture: document.picture, documentIndex: index, number: number, index: document.asked)
            document.asked += 1
            documents[index] = document
            pagesAsked += 1
            return page
        }
        return nil
    }

    /// Accepts a report and writes the reports that are ready.
    mutating func accept(_ report: DecodeReport, of page: Page) {
        guard var document = documents[page.documentIndex] else { return }
        var reports = [report.namingOptions]
        if document.queue == nil {
            let queue = PageQueue(
                after: report, selection: selection, most: page.picture.readablePages(atMost: maximumPages))
            document.queue = queue
            if queue.count > 1 {
                unfinished.append(page.documentIndex)
                unfinished.sort()
            }
        }
        pagesAnswered += 1
        document.answered += 1
        if let queue = document.queue { reports[0] = queue.numbered(reports[0], page: page.number) }
        if let queue = document.queue, queue.excess > 0, document.isAnswered {
            reports.append(
                .excessPages(
                    of: reports[0], queue.excess, most: maximumPages, canBeReadAgain: !page.picture.isStream))
        }
        for report in reports { status.add(report, to: &document.tally) }
        if document.isAnswered {
            accepted += 1
            status.close(document.tally)
        }
        if formatter.isUnordered {
            for report in reports { write(report) }
            pagesWritten += 1
            documents[page.documentIndex] = document.isAnswered ? nil : document
        } else {
            // The report on unread pages follows those on the pages read.
            for (report, index) in zip(reports, [page.index, document.queue?.count ?? 1]) {
                document.waiting[index] = report
                waitingSymbols += report.symbols.count
            }
            documents[page.documentIndex] = document
            writeInOrder()
        }
        progress.show(
            done: pagesAnswered, of: pagesKnown, isComplete: hasAllItems, noun: status.pages > 0 ? "pages" : "pictures")
    }

    /// The number of pages requested and still to be requested, as far as it is known.
    private var pagesKnown: Int {
        unfinished.reduce(pagesAsked) { sum, index in
            sum + (documents[index].map { ($0.queue?.count ?? 1) - $0.asked } ?? 0)
        }
    }

    /// Skips an image on which an earlier run has reported.
    mutating func passOver(_ result: RunStatus.Tally) {
        answeredEarlier += 1
        status.passOver(result)
    }

    /// Reports a problem with the list itself.
    mutating func fail(_ message: String) {
        progress.clear()
        messages.write(message)
        status.hasFailed = true
    }

    mutating func stop(by signal: Int32) {
        stopSignal = signal
    }

    mutating func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, !status.hasLostOutput else { return }
        progress.clear()
        do throws(DecodeError) {
            try StandardOutput.write(bytes)
        } catch {
            messages.write("\(error.about(outputName))")
            status.hasLostOutput = true
        }
    }

    /// Writes the reports that are next in order.
    private mutating func writeInOrder() {
        while var document = documents[written] {
            while let next = document.waiting.removeValue(forKey: document.written) {
                if document.written < document.queue?.count ?? 1 { pagesWritten += 1 }
                document.written += 1
                waitingSymbols -= next.symbols.count
                write(next)
            }
            let isDone = document.isAnswered && document.waiting.isEmpty
            documents[written] = isDone ? nil : document
            guard isDone else { return }
            written += 1
        }
    }

    private mutating func write(_ report: DecodeReport) {
        status.remember(report)
        write(formatter.format(report))
        for message in formatter.messages(on: report) {
            progress.clear()
            messages.write(message)
        }
    }

    /// Writes the remaining reports and the summary.
    mutating func end() -> RunStatus {
        for (_, document) in documents.sorted(by: { $0.key < $1.key }) {
            for (_, report) in document.waiting.sorted(by: { $0.key < $1.key }) { write(report) }
        }
        write(formatter.footer())
        progress.clear()
        for message in formatter.closingMessages { messages.write(message) }
        if skippedFiles > 0 {
            messages.write(
                "\(skippedFiles.counted("file")) skipped: \(skippedFiles == 1 ? "not a picture" : "not pictures")")
        }
        if answeredEarlier > 0 { messages.write("\(answeredEarlier.counted("picture")) skipped: answered before") }
        if let stopSignal {
            messages.write(
                "stopped by signal \(stopSignal): \(accepted.counted("picture")) answered, "
                    + "\(started - accepted) in progress and not answered"
                    + (hasAllItems ? "" : "; more are in the list"))
            StopSignals.resend(stopSignal)
        }
        if hasAllItems, started == 0, answeredEarlier == 0, !status.hasFailed {
            messages.write("no pictures were found, so nothing was read")
            return status
        }
        // A single image needs no summary.
        let isSummed = !isAlone || status.pages > 0
        if isSummed && (!formatter.isUnordered || status.unreadable > 0) { messages.write(status.summary) }
        return status
    }
}

extension DecodeReport {
    /// Returns a report for the pages that were not read because there are too many, or because they are on a pipe.
    static func excessPages(
        of document: DecodeReport, _ count: Int, most: Int, canBeReadAgain: Bool
    ) -> DecodeReport {
        canBeReadAgain
            ? .pagesNotRead(
                of: document, count, .tooLarge, "the limit is \(most); choose with --pages, or raise --max-pages")
            : .pagesNotRead(
                of: document, count, .unreadable,
                "only one page is read from a pipe: save the document to a file")
    }
}
