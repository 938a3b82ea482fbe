import BarcodeCore
import DecodeReports
import DecodeWorkers
import Dispatch
import Glibc
import ImageCodecs
import Logging
import ProgramSupport

extension DecodeRun {
    /// Decodes images and the pages of documents in worker processes.
    ///
    /// - Parameter isAlone: true if there is only one, which needs no name.
    func decodeAll(_ items: PictureItems, isAlone: Bool = false) async -> RunStatus {
        let messages = Messages(isQuiet: settings.isQuiet)
        let annotation = AnnotationNames(folder: settings.annotationFolder)
        var earlier: EarlierReports?
        do {
            try annotation?.makeFolder()
            if let file = settings.resumedFile { earlier = try EarlierReports(adoptingFile: file, settings: settings) }
        } catch {
            messages.write("\(error)")
            return RunStatus(hasFailed: true)
        }
        let pool = WorkerPool(
            settings: WorkerMode.pool(
                workers: settings.jobs, memoryMegabytes: settings.workerMegabytes, timeout: settings.timeout,
                folders: Sandbox.Folders(annotations: annotation?.folderForWorkers)),
            logger: Logger(label: "decode-image") { _ in SwiftLogNoOpLogHandler() })
        var batch = Batch(
            formatter: settings.makeFormatter(isAlone: isAlone), messages: messages, isAlone: isAlone,
            selection: settings.pages, maximumPages: settings.maximumPages, window: 4 * settings.jobs,
            outputName: settings.resumedFile.map { RawArguments.name($0).display } ?? "standard output")
        batch.write(batch.formatter.header())

        // One signal is enough to stop.
        let (stops, stop) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(1))
        let signals = StopSignals { stop.yield($0) }
        defer { signals.end() }
        await withTaskGroup(of: Event.self) { group in
            group.addTask {
                await pool.run()
                return .idle
            }
            group.addTask {
                for await signal in stops { return .stop(signal) }
                return .idle
            }
            func askForItem() {
                group.addTask { .item(await items.next()) }
            }
            func ask(for page: Batch.Page) {
                let request = request(for: page, annotation)
                group.addTask { .report(await pool.decode(request), of: page) }
            }
            askForItem()
            for await event in group {
                switch event {
                case .item(let item):
                    batch.awaitsItem = false
                    if let page = take(item, into: &batch, earlier: &earlier) { ask(for: page) }
                case .report(let report, let page): batch.accept(report, of: page)
                case .stop(let signal):
                    batch.stop(by: signal)
                    group.cancelAll()
                case .idle: break
                }
                if batch.isDone { break }
                while let page = batch.nextPage() { ask(for: page) }
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

    /// Adds an item to a batch, or notes its end.
    ///
    /// - Returns: the page to decode; `nil` if there is none, or if an earlier run reported the picture.
    private func take(_ item: PictureItem?, into batch: inout Batch, earlier: inout EarlierReports?) -> Batch.Page? {
        switch item {
        case .picture(let name)?:
            guard let result = earlier?.take(name) else { return batch.start(name) }
            batch.passOver(result)
        case .problem(let message)?: batch.fail(message)
        case .skipped(let count)?: batch.skippedFiles += count
        case nil: batch.hasAllItems = true
        }
        return nil
    }

    private func request(for page: Batch.Page, _ annotation: AnnotationNames?) -> WorkerRequest {
        let path = page.picture.path
        return WorkerRequest(
            path: path, name: page.picture, options: settings.options, limits: settings.limits,
            annotation: annotation.map { annotation in
                let isDocument = ImageFormat.detect(inFileAt: path.bytes)?.isDocument == true
                return annotation.next(for: page.picture, page: isDocument ? page.number : nil)
            },
            page: PageRequest(number: page.number, resolution: settings.resolution))
    }

    private enum Event: Sendable {
        case item(PictureItem?)
        case report(DecodeReport, of: Batch.Page)
        case stop(Int32)
        case idle
    }
}

extension PictureName {
    /// Indicates whether the image is not a file but a pipe or similar, which may never end.
    var isStream: Bool {
        var status = stat()
        let code =
            bytes == Array("-".utf8) ? fstat(STDIN_FILENO, &status) : bytes.withPath { stat($0, &status) }
        return code == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// Returns the number of pages to read of a document: one if it is a pipe, which can be read only once.
    func readablePages(atMost most: Int) -> Int { isStream ? 1 : most }

    /// The path by which the image is opened.
    var path: PictureName { bytes == Array("-".utf8) ? PictureName("/dev/stdin") : self }
}
