import BarcodeCore
import CLinux
import DecodeReports
import DecodeWorkers
import Glibc
import ImageCodecs

/// One run of the program, with its settings.
struct DecodeRun {
    let settings: RunSettings

    /// Decodes one image in this process, which is fastest because it starts no other.
    ///
    /// If a library crashes or hangs, a signal handler writes an error report.
    func decodeAlone(_ picture: PictureName) -> RunStatus {
        var status = RunStatus()
        var formatter = settings.makeFormatter(isAlone: true)
        let annotation = AnnotationNames(folder: settings.annotationFolder)
        let explanation = settings.explanationFolder.map { ExplanationFolder($0) }
        do {
            try annotation?.makeFolder()
            try explanation?.makeFolder()
        } catch {
            Messages(isQuiet: settings.isQuiet).write("\(error)")
            status.hasFailed = true
            return status
        }
        let target = annotation?.next(for: picture)
        // Each page of a document is explained, one after the other.
        let isExplained =
            explanation != nil && ImageFormat.detect(inFileAt: picture.path.bytes)?.isDocument == true
        ProcessLimits.limitMemory(to: settings.workerMegabytes << 20)

        // Discard zbar's own messages; ours go to the original standard error.
        let standardError = dup(STDERR_FILENO)
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        if nowhere >= 0 { dup2(nowhere, STDERR_FILENO) }
        let messages = Messages(isQuiet: settings.isQuiet, descriptor: standardError)
        enterSandbox(for: picture, annotation)

        var number = settings.pages.first
        var rest: PageQueue?
        var tally = RunStatus.Tally()
        while true {
            let isFirst = rest == nil
            let page = PageRequest(number: number, resolution: settings.resolution)
            let report = guarded(picture, isFirst ? nil : number, messages: standardError) {
                decode(picture, page, fromStart: isExplained) { (image, symbols) throws(DecodeError) in
                    if let target { try AnnotatedPicture(image, symbols: symbols).write(to: target) }
                    try explanation?.write(
                        image, name: picture.display, page: isExplained ? number : nil, settings: settings)
                }
            }
            var reports = [report]
            var queue =
                rest
                ?? PageQueue(
                    after: report, selection: settings.pages, most: isExplained ? settings.maximumPages : 1)
            let next = queue.next()
            if next == nil && queue.excess > 0 {
                reports.append(
                    .excessPages(
                        of: report, queue.excess, most: settings.maximumPages, canBeReadAgain: isExplained))
            }
            for report in reports {
                status.add(report, to: &tally)
                status.remember(report)
            }
            if !write(reports, &formatter, isFirst: isFirst, isLast: next == nil, messages) { status.hasFailed = true }
            guard let next, !status.hasFailed else { break }
            (number, rest) = (next, queue)
        }
        status.close(tally)
        return status
    }

    /// Leaves this process what it needs for one image, before a reader of a damaged or hostile one gets it.
    private func enterSandbox(for picture: PictureName, _ annotation: AnnotationNames?) {
        // An explanation has folders of its own, which are made page by page.
        guard settings.explanationFolder == nil else { return }
        Sandbox.enter(
            forOnly: picture.bytes == Array("-".utf8) ? nil : picture, annotations: annotation?.folderName,
            // Documents are read in workers, if it can be seen before that they are some.
            mayBeDocument: picture.isStream || picture.bytes == Array("-".utf8))
    }

    /// Writes reports, and messages on them.
    ///
    /// - Returns: false if standard output could not be written.
    private func write(
        _ reports: [DecodeReport], _ formatter: inout any ReportFormatter, isFirst: Bool, isLast: Bool,
        _ messages: Messages
    ) -> Bool {
        var isWritten = true
        do {
            let answers = reports.flatMap { formatter.format($0) }
            try StandardOutput.write(
                (isFirst ? formatter.header() : []) + answers + (isLast ? formatter.footer() : []))
        } catch {
            messages.write("\(error)")
            isWritten = false
        }
        for message in reports.flatMap({ formatter.messages(on: $0) }) { messages.write(message) }
        if isLast { for message in formatter.closingMessages { messages.write(message) } }
        return isWritten
    }

    /// Decodes an image, or a page of a document.
    ///
    /// - Parameter fromStart: true to open standard input anew, because it is a file of which other pages are read too.
    private func decode(
        _ picture: PictureName, _ page: PageRequest, fromStart: Bool,
        inspect: @escaping (LumaImage, [Symbol]) throws(DecodeError) -> Void
    ) -> DecodeReport {
        PictureDecoder(limits: settings.limits, timeout: settings.timeout).report(
            on: picture.bytes == Array("-".utf8) && !fromStart ? .descriptor(STDIN_FILENO) : .file(picture.path),
            name: picture, options: settings.options, page: page, inspect: inspect
        ).namingOptions
    }

    /// Reads an image or page under signal handlers that report a crash or timeout.
    ///
    /// - Parameter laterPage: the page, if earlier pages have been reported.
    private func guarded(
        _ picture: PictureName, _ laterPage: Int?, messages: Int32, _ work: () -> DecodeReport
    ) -> DecodeReport {
        let crash = fallbackOutput(
            picture, laterPage,
            DecodeError(.readerCrashed, "crashed the library that read it; it is damaged or hostile"))
        let memory = fallbackOutput(
            picture, laterPage,
            DecodeError(.outOfMemory, "needs more memory than --worker-megabytes allows; allow more"))
        let timeOut = fallbackOutput(
            picture, laterPage,
            DecodeError(
                .timedOut,
                picture.isStream
                    ? "did not end within \(settings.timeout); allow more with --timeout"
                    : "took longer than \(settings.timeout); allow more with --timeout, or use --effort fast"))
        return CrashGuard.run(
            crash: crash, memory: memory, timeOut: timeOut, messages: messages, timeout: settings.timeout, work)
    }

    /// The output for the case that the process crashes or hangs.
    private func fallbackOutput(
        _ picture: PictureName, _ laterPage: Int?, _ error: DecodeError
    ) -> CrashGuard.FallbackOutput {
        var formatter = settings.makeFormatter(isAlone: true)
        var report = DecodeReport(source: picture, error: error)
        report.page = laterPage
        let header = formatter.header()
        let answer = (laterPage == nil ? header : []) + formatter.format(report) + formatter.footer()
        let isSilent = settings.isQuiet || formatter.showsErrors
        let message = isSilent ? "" : "decode-image: \("\(error.about(report.source))".printable)\n"
        return CrashGuard.FallbackOutput(output: answer, message: Array(message.utf8))
    }
}

/// Runs work under signal handlers that report a crash or timeout.
enum CrashGuard {
    /// The output and message to write instead of the report.
    struct FallbackOutput {
        var output: [UInt8]
        var message: [UInt8]
    }

    static func run<Result>(
        crash: FallbackOutput, memory: FallbackOutput, timeOut: FallbackOutput, messages: Int32, timeout: Duration,
        _ work: () -> Result
    ) -> Result {
        withOutput(crash) { crash in
            withOutput(memory) { memory in
                withOutput(timeOut) { timeOut in
                    // Without the guard, a crash is still visible in the shell.
                    qz_crash_guard_install(crash, memory, timeOut, messages, 1, timeout / .seconds(1))
                    defer { qz_crash_guard_remove() }
                    return work()
                }
            }
        }
    }

    private static func withOutput<Result>(_ fallback: FallbackOutput, _ body: (qz_fallback_output) -> Result) -> Result
    {
        fallback.output.withUnsafeBytes { output in
            fallback.message.withUnsafeBytes { message in
                body(
                    qz_fallback_output(
                        output: output.baseAddress, output_length: output.count,
                        message: message.baseAddress, message_length: message.count))
            }
        }
    }
}
