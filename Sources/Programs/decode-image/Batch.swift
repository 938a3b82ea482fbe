import BarcodeCore
import DecodeReports
import DecodeWorkers
import Glibc
import ProgramSupport

/// The state of a batch: what is under way, and what may be written next.
struct Batch {
    var formatter: any ReportFormatter
    let messages: Messages
    /// Whether there is one picture or document only.
    let isAlone: Bool
    /// Which pages are wanted.
    let selection: PageSelection
    /// The pages of one document that are read at most.
    let maximumPages: Int
    /// How many pages may be under way; a picture is a page.
    let window: Int

    /// How many pages may be under way, or wait for one before them to be written.
    ///
    /// While one hangs, which takes until its time is up, the others are read.
    private static let maximumUnwritten = 4096
    /// How many symbols may stand in reports that wait to be written, about a kilobyte each.
    private static let maximumWaitingSymbols = 65_536

    /// A page that a worker is asked for.
    struct Page: Sendable {
        var picture: PictureName
        /// The place of its picture or document in the list.
        var place: Int
        /// The page, from 1.
        var number: Int
        /// Its place among the wanted pages.
        var index: Int
    }

    /// A picture or document that is not done.
    private struct Document {
        var picture: PictureName
        /// The pages to come; nil until the first is there, which tells how many they are.
        var queue: PageQueue?
        var tally = RunStatus.Tally()
        var asked = 1
        var answered = 0
        var written = 0
        /// Reports that wait for one before them, where the order is kept.
        var waiting: [Int: DecodeReport] = [:]

        var isAnswered: Bool { queue.map { answered == $0.count } ?? false }
    }

    var awaitsItem = true
    var hasAllItems = false
    var skippedFiles = 0
    /// Pictures that were passed over because an earlier run has answered them.
    private var answeredEarlier = 0
    private(set) var status = RunStatus()
    /// Pictures and documents: listed, done, and written where the order is kept.
    private var admitted = 0
    private var accepted = 0
    private var written = 0
    /// Pages: asked for, answered, and written.
    private var pagesAsked = 0
    private var pagesAnswered = 0
    private var pagesWritten = 0
    /// The symbols in reports that wait for one before them.
    private var waitingSymbols = 0
    /// By their place.
    private var documents: [Int: Document] = [:]
    /// The places of those of which pages are still to be asked for.
    private var unfinished: [Int] = []
    private var stopSignal: Int32?
    private var progress: ProgressLine

    init(
        formatter: any ReportFormatter, messages: Messages, isAlone: Bool, selection: PageSelection, maximumPages: Int,
        window: Int
    ) {
        self.formatter = formatter
        self.messages = messages
        self.isAlone = isAlone
        self.selection = selection
        self.maximumPages = maximumPages
        self.window = window
        progress = ProgressLine(isShown: !messages.isQuiet && isatty(STDERR_FILENO) == 1)
    }

    /// Whether everything has been answered, or nothing more will be.
    var isDone: Bool { (hasAllItems && accepted == admitted) || stopSignal != nil || status.hasLostOutput }

    /// Whether one more picture may be taken in hand.
    var hasRoom: Bool { !hasAllItems && unfinished.isEmpty && hasRoomForPage }

    private var hasRoomForPage: Bool {
        pagesAsked - pagesAnswered < window && pagesAsked - pagesWritten < Self.maximumUnwritten
            && waitingSymbols < Self.maximumWaitingSymbols
    }

    /// Takes one more picture in hand, and tells which of its pages is asked for first.
    mutating func admit(_ picture: PictureName) -> Page {
        defer { admitted += 1 }
        pagesAsked += 1
        documents[admitted] = Document(picture: picture)
        return Page(picture: picture, place: admitted, number: selection.first, index: 0)
    }

    /// The next page of a document of which others were answered; nil where there is none, or no room for it.
    mutating func nextPage() -> Page? {
        while let place = unfinished.first {
            guard var document = documents[place] else {
                unfinished.removeFirst()
                continue
            }
            // The others wait for the document whose turn it is to be written: it goes on whatever waits.
            let hasRoom =
                place == written
                ? document.asked - document.written < Self.maximumUnwritten && pagesAsked - pagesAnswered < window
                : hasRoomForPage
            guard hasRoom || formatter.isUnordered && hasRoomForPage else { return nil }
            guard let number = document.queue?.next() else {
                unfinished.removeFirst()
                continue
            }
            let page = Page(picture: document.picture, place: place, number: number, index: document.asked)
            document.asked += 1
            documents[place] = document
            pagesAsked += 1
            return page
        }
        return nil
    }

    /// Takes a report and writes what can be written.
    mutating func accept(_ report: DecodeReport, of page: Page) {
        guard var document = documents[page.place] else { return }
        var reports = [report]
        if document.queue == nil {
            let queue = PageQueue(after: report, selection: selection, most: maximumPages)
            document.queue = queue
            if queue.count > 1 {
                unfinished.append(page.place)
                unfinished.sort()
            }
        }
        pagesAnswered += 1
        document.answered += 1
        if let queue = document.queue { reports[0] = queue.numbered(report, page: page.number) }
        if let queue = document.queue, queue.excess > 0, document.isAnswered {
            reports.append(
                .tooManyPages(of: reports[0], queue.excess, most: maximumPages))
        }
        for report in reports { status.add(report, to: &document.tally) }
        if document.isAnswered {
            accepted += 1
            status.close(document.tally)
        }
        if formatter.isUnordered {
            for report in reports { write(report) }
            pagesWritten += 1
            documents[page.place] = document.isAnswered ? nil : document
        } else {
            // What is said of the pages that were not read comes behind those that were.
            for (report, index) in zip(reports, [page.index, document.queue?.count ?? 1]) {
                document.waiting[index] = report
                waitingSymbols += report.symbols.count
            }
            documents[page.place] = document
            writeInOrder()
        }
        progress.show(
            done: pagesAnswered, of: pagesKnown, isComplete: hasAllItems, noun: status.pages > 0 ? "pages" : "pictures")
    }

    /// The pages that were asked for and those that will be, as far as they are known.
    private var pagesKnown: Int {
        unfinished.reduce(pagesAsked) { sum, place in
            sum + (documents[place].map { ($0.queue?.count ?? 1) - $0.asked } ?? 0)
        }
    }

    /// Passes over a picture that an earlier run has answered.
    mutating func passOver(_ result: RunStatus.Tally) {
        answeredEarlier += 1
        status.passOver(result)
    }

    /// Notes something that is wrong with the list itself.
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
        do {
            try StandardOutput.write(bytes)
        } catch {
            messages.write("\(error)")
            status.hasLostOutput = true
        }
    }

    /// Writes the reports whose turn it is.
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

    /// Writes what is left, and says what the run came to.
    mutating func end() -> RunStatus {
        for (_, document) in documents.sorted(by: { $0.key < $1.key }) {
            for (_, report) in document.waiting.sorted(by: { $0.key < $1.key }) { write(report) }
        }
        write(formatter.footer())
        progress.clear()
        if skippedFiles > 0 {
            messages.write(
                "\(skippedFiles.counted("file")) passed over: no pictures by their content")
        }
        if answeredEarlier > 0 { messages.write("\(answeredEarlier.counted("picture")) passed over: answered before") }
        if let stopSignal {
            messages.write(
                "stopped by signal \(stopSignal): \(accepted.counted("picture")) answered, "
                    + "\(admitted - accepted) under way and not answered"
                    + (hasAllItems ? "" : "; more were listed"))
            StopSignals.resend(stopSignal)
        }
        // One picture speaks for itself.
        let isSummed = !isAlone || status.pages > 0
        if isSummed && (!formatter.isUnordered || status.unreadable > 0) { messages.write(status.summary) }
        return status
    }
}

extension DecodeReport {
    /// A report that stands for the pages that were not read because they are too many.
    static func tooManyPages(of document: DecodeReport, _ count: Int, most: Int) -> DecodeReport {
        .pagesNotRead(of: document, count, .tooLarge, "\(most) are the most; choose with --pages, or --max-pages")
    }
}
