import BarcodeCore
import DecodeReports
import DecodeWorkers
import Dispatch
import Glibc
import Logging
import ProgramSupport

extension DecodeRun {
    /// Decodes the pictures of a list in worker processes.
    func decodeAll(_ input: InputOptions) async -> RunStatus {
        let messages = Messages(isQuiet: settings.isQuiet)
        let annotation = AnnotationNames(folder: settings.annotationFolder)
        do {
            try annotation?.makeFolder()
        } catch {
            messages.write("\(error)")
            return RunStatus(hasFailed: true)
        }
        let pool = WorkerPool(
            settings: WorkerMode.pool(
                workers: settings.jobs, memoryMegabytes: settings.workerMegabytes, timeout: settings.timeout),
            logger: Logger(label: "decode-image") { _ in SwiftLogNoOpLogHandler() })
        var batch = Batch(
            formatter: settings.makeFormatter(isAlone: false), messages: messages,
            window: 4 * settings.jobs)
        batch.write(batch.formatter.header())

        let signals = StopSignals()
        let items = PictureList(input: input).items()
        await withTaskGroup(of: Event.self) { group in
            group.addTask {
                await pool.run()
                return .idle
            }
            group.addTask { await signals.first().map(Event.stop) ?? .idle }
            func askForItem() {
                group.addTask {
                    var iterator = items.makeAsyncIterator()
                    return .item(await iterator.next())
                }
            }
            askForItem()
            for await event in group {
                switch event {
                case .item(.picture(let name)?):
                    let place = batch.admit()
                    let request = WorkerRequest(
                        path: name.openedByAnotherProcess, name: name, options: settings.options,
                        limits: settings.limits,
                        annotation: annotation?.next(for: name))
                    group.addTask { .report(await pool.decode(request), place: place) }
                case .item(.problem(let message)?): batch.fail(message)
                case .item(.skipped(let count)?): batch.skippedFiles += count
                case .item(nil): batch.hasAllItems = true
                case .report(let report, let place): batch.accept(report, place: place)
                case .stop(let signal):
                    batch.stop(by: signal)
                    group.cancelAll()
                case .idle: break
                }
                if case .item = event { batch.awaitsItem = false }
                if batch.isDone { break }
                if !batch.awaitsItem && batch.hasRoom {
                    batch.awaitsItem = true
                    askForItem()
                }
            }
            pool.finish()
            group.cancelAll()
        }
        return batch.end()
    }

    private enum Event: Sendable {
        case item(PictureItem?)
        case report(DecodeReport, place: Int)
        case stop(Int32)
        case idle
    }
}

/// The state of a batch: what is under way, and what may be written next.
struct Batch {
    var formatter: any ReportFormatter
    let messages: Messages
    /// How many pictures may be under way or wait for one before them to be written.
    let window: Int

    var awaitsItem = true
    var hasAllItems = false
    var skippedFiles = 0
    private(set) var status = RunStatus()
    private var admitted = 0
    private var accepted = 0
    private var written = 0
    /// Reports that wait for one before them, where the order of the pictures is kept.
    private var waiting: [Int: DecodeReport] = [:]
    private var stopSignal: Int32?
    private var progress: ProgressLine

    init(formatter: any ReportFormatter, messages: Messages, window: Int) {
        self.formatter = formatter
        self.messages = messages
        self.window = window
        progress = ProgressLine(isShown: !messages.isQuiet && isatty(STDERR_FILENO) == 1)
    }

    /// Whether everything has been answered, or nothing more will be.
    var isDone: Bool { (hasAllItems && accepted == admitted) || stopSignal != nil || status.hasLostOutput }

    var hasRoom: Bool { !hasAllItems && admitted - (formatter.isUnordered ? accepted : written) < window }

    /// Takes one more picture in hand.
    mutating func admit() -> Int {
        defer { admitted += 1 }
        return admitted
    }

    /// Takes a report and writes what can be written.
    mutating func accept(_ report: DecodeReport, place: Int) {
        accepted += 1
        status.count(report)
        if formatter.isUnordered {
            write(report)
        } else {
            waiting[place] = report
            while let next = waiting.removeValue(forKey: written) {
                write(next)
            }
        }
        progress.show(done: accepted, of: admitted, isComplete: hasAllItems)
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

    private mutating func write(_ report: DecodeReport) {
        written += 1
        write(formatter.format(report))
        for message in formatter.messages(on: report) {
            progress.clear()
            messages.write(message)
        }
    }

    /// Writes what is left, and says what the run came to.
    mutating func end() -> RunStatus {
        for place in waiting.keys.sorted() {
            if let report = waiting.removeValue(forKey: place) { write(report) }
        }
        write(formatter.footer())
        progress.clear()
        if skippedFiles > 0 {
            messages.write(
                "\(skippedFiles.counted("file")) passed over: no pictures by their content")
        }
        if let stopSignal {
            messages.write(
                "stopped by signal \(stopSignal): \(accepted.counted("picture")) answered, "
                    + "\(admitted - accepted) under way and not answered"
                    + (hasAllItems ? "" : "; more were listed"))
            StopSignals.resend(stopSignal)
        }
        if !formatter.isUnordered || status.unreadable > 0 { messages.write(status.summary) }
        return status
    }
}

extension PictureName {
    /// The path by which a worker opens the picture: descriptors of this process go by its number.
    var openedByAnotherProcess: PictureName {
        let text = display
        let prefixes = ["/dev/fd/", "/proc/self/fd/"]
        if text == "-" || text == "/dev/stdin" { return PictureName("/proc/\(getpid())/fd/0") }
        for prefix in prefixes where text.hasPrefix(prefix) {
            return PictureName("/proc/\(getpid())/fd/\(text.dropFirst(prefix.count))")
        }
        return self
    }
}
