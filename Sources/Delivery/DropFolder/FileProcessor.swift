internal import BarcodeCore
internal import DecodeReports
internal import DecodeWorkers
internal import FoundationEssentials
internal import Glibc
internal import Logging
internal import ScanEvents
internal import ScanOutbox
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// Processes one file: opens, hashes and decodes it, commits its events with its row in the journal, and moves it.
struct FileProcessor: Sendable {
    let settings: DropFolderSettings
    let intake: ScanIntake
    let journal: FileJournal
    let archiver: FileArchiver
    let decode: @Sendable (WorkerRequest) async -> DecodeReport
    let logger: Logger

    /// Reads a file, stores its codes, and moves it.
    ///
    /// - Parameters:
    ///   - isOpen: true if the last notification said that it is being written.
    ///   - failures: the number of earlier failures to read it.
    func read(
        _ path: RelativePath, _ identity: FileIdentity, isOpen: Bool, root: FolderHandle, failures: Int
    ) async -> FileResult {
        var logger = logger
        logger[metadataKey: "file"] = "\(path.display)"
        let attempt = FileAttempt(
            path: path, identity: identity, settings: settings.file(path), root: root, failures: failures,
            logger: logger)
        let file: WatchedFile
        let isBusy: Bool?
        do {
            (file, isBusy) = try await Blocking.run {
                let file = try WatchedFile(root, path)
                var isBusy = file.isBeingWritten
                // The kernel reports a close before it forgets the writer: fsnotify_close() comes first in its
                // __fput(). Without this wait, a busy file would be checked again only half a second later.
                for _ in 0..<10 where isBusy == true && !isOpen {
                    usleep(2000)
                    isBusy = file.isBeingWritten
                }
                return (file, isBusy)
            }
        } catch let error as Errno {
            return await notOpened(attempt, error)
        } catch {
            return .postponed(identity, reason: "\(error)")
        }
        if file.identity != identity { return .changed(file.identity) }
        if isBusy == true { return .busy(identity) }
        if isBusy == nil && isOpen { return .perhapsBusy(identity) }

        let hook = Hook(command: attempt.settings.before, timeout: settings.hookTimeout)
        switch await hook.run(absolute(path)) {
        case nil: break
        case .shortage(let shortage): return .postponed(identity, reason: "\(shortage)")
        // A wrong command in the configuration says nothing about the image.
        case .notRun(let reason): return .postponed(identity, reason: "before a file is read, \(reason)")
        case .failure(let fault):
            let error = DecodeError(.hookFailed, "was not read: \(fault), which runs before a file is read")
            return await commit(attempt, [DecodeReport(source: attempt.name, error: error)], hash: [], tries: 1)
        }
        return await read(attempt, file)
    }

    /// An attempt to read a file.
    private struct FileAttempt: Sendable {
        var path: RelativePath
        var identity: FileIdentity
        var settings: FileSettings
        var root: FolderHandle
        /// The number of earlier failures to read it.
        var failures: Int
        /// A logger with the file as metadata.
        var logger: Logger

        var name: PictureName { PictureName(bytes: path.bytes) }
    }

    /// Hashes and decodes an open file, and stores its codes.
    private func read(_ attempt: FileAttempt, _ file: WatchedFile) async -> FileResult {
        let most = settings.limits.maximumFileBytes
        if file.identity.size > most {
            // It is not even hashed: a sparse file can have a practically unreadable size.
            let error = DecodeError(.tooLarge, "has \(file.identity.size) bytes; the limit is \(most)")
            return await commit(attempt, [DecodeReport(source: attempt.name, error: error)], hash: [], tries: 1)
        }
        let stop = archiver.stop
        async let hashing = Blocking.run(in: .reading) { try file.hash(until: stop) }
        do {
            if settings.duplicates == .skip {
                let hash = try await hashing
                let original = try? await journal.original(hash: hash, folder: settings.folder)
                if original != nil {
                    // If the original has been deleted by the time of the transaction, the file is read after all.
                    let outcome = await commit(attempt, [DecodeReport(source: attempt.name)], hash: hash, tries: 0)
                    if case .notStored = outcome {} else { return outcome }
                }
            }
            let (reports, tries) = await decode(attempt, file)
            let errors = reports.compactMap(\.error)
            if errors.contains(where: { $0.code == .cancelled }) { return .stopped }
            if let error = errors.first(where: { [.noWorker, .resourceShortage].contains($0.code) }) {
                return .postponed(attempt.identity, reason: error.message)
            }
            let hash = try await hashing
            let now = try await Blocking.run { try file.identityNow() }
            // The hash and the codes may mix old and new content.
            if now != attempt.identity { return .changed(now) }
            return await commit(attempt, reports, hash: hash, tries: tries)
        } catch Errno.canceled {
            return .stopped
        } catch {
            if let shortage = (error as? Errno).flatMap({ ResourceShortage(errno: $0.rawValue) }) {
                return .postponed(attempt.identity, reason: "reading \(attempt.path.display): \(shortage)")
            }
            return await notRead(attempt, "reading", .unreadable, error)
        }
    }

    /// Handles a file that cannot be opened or read: retries a few times, then reports it as failed.
    private func notRead(
        _ attempt: FileAttempt, _ doing: String, _ code: DecodeError.Code, _ error: any Error
    ) async -> FileResult {
        if RetryPlan.brief.wait(after: attempt.failures + 1) != nil {
            return .postponed(attempt.identity, reason: "\(doing) \(attempt.path.display): \(error)")
        }
        let report = DecodeReport(source: attempt.name, error: DecodeError(code, "could not be read: \(error)"))
        return await commit(attempt, [report], hash: [], tries: attempt.failures + 1)
    }

    private func absolute(_ path: RelativePath) -> [UInt8] { settings.folder + [0x2F] + path.bytes }

    private func notOpened(_ attempt: FileAttempt, _ error: Errno) async -> FileResult {
        if let shortage = ResourceShortage(errno: error.rawValue) {
            return .postponed(attempt.identity, reason: "opening \(attempt.path.display): \(shortage)")
        }
        switch error {
        case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .invalidArgument,
            .noSuchAddressOrDevice:
            return .gone
        // The log and the status ask for a remedy; until then the file stays in place.
        case .permissionDenied, .notPermitted:
            return .postponed(attempt.identity, reason: "opening \(attempt.path.display): \(error)")
        default: return await notRead(attempt, "opening", .unreadable, error)
        }
    }

    /// Decodes all pages.
    ///
    /// A page that crashes its worker is retried once in a new worker.
    private func decode(_ attempt: FileAttempt, _ file: WatchedFile) async -> ([DecodeReport], tries: Int) {
        let request = WorkerRequest(
            path: file.pathOfOpenFile, name: attempt.name, options: attempt.settings.decoding, limits: settings.limits)
        let tries = Atomic(1)
        let decodePage: @Sendable (WorkerRequest) async -> DecodeReport = decode
        let reader = DocumentReader(
            maximumPages: settings.maximumPages, timeout: settings.documentTimeout, window: settings.jobs
        ) { request in
            let report = await decodePage(request)
            guard let error = report.error, error.isLossOfWorker else { return report }
            tries.store(2, ordering: .relaxed)
            attempt.logger.notice(
                "Retrying the picture in a fresh worker",
                metadata: ["error": "\(error.code.rawValue)", "page": "\(request.page.number)"])
            return await decodePage(request)
        }
        let reports = await reader.read(request)
        return (reports, tries.load(ordering: .relaxed))
    }

    /// Stores the codes of a file and moves it.
    ///
    /// - Parameter tries: the number of times that it was read; 0 for a duplicate that was not read.
    private func commit(
        _ attempt: FileAttempt, _ reports: [DecodeReport], hash: [UInt8], tries: Int
    ) async -> FileResult {
        let now = Date()
        let stays = attempt.settings.after == .leave
        let submission = ScanSubmission(
            reports, source: ScanSource(kind: .folder, fileOf: DecodeReport(source: attempt.name)))
        let filing =
            attempt.settings.after == .move && reports.allSatisfy { $0.error == nil }
            ? settings.filing(
                of: attempt.path, submission, keys: intake.signingKeys, station: intake.station, time: now) : nil
        let record = FileRecord(
            folder: settings.folder, path: attempt.path.bytes, hash: hash, identity: attempt.identity, time: now,
            state: stays ? .left : .stored,
            outcome: reports.contains { $0.error != nil }
                ? .failed : reports.allSatisfy(\.symbols.isEmpty) ? .noCode : .done,
            note: stays ? nil : note(attempt, reports, tries: tries, now), filing: filing?.filing,
            parts: filing?.parts ?? [])
        let receipt: FileReceipt
        do {
            let (journal, duplicates) = (journal, settings.duplicates)
            receipt = try await intake.accept(submission, to: attempt.settings.destinations, at: now) {
                transaction, entries in
                try journal.enter(record, entries, duplicates: duplicates, isUnread: tries == 0, in: &transaction)
            }
        } catch {
            return .notStored(attempt.identity, reason: "\(error)")
        }
        let codes = receipt.isStored ? reports.reduce(0) { $0 + $1.symbols.count } : 0
        log(attempt, reports, receipt, codes: codes, tries: tries, rule: filing?.rule)
        if stays {
            await runAfterEach(receipt.record, absolute(attempt.path), attempt.logger)
            return .left(receipt, codes: codes)
        }
        switch await move(receipt.record, root: attempt.root) {
        case .moved(_, let place): return .archived(receipt, codes: codes, place: place)
        case .notMoved(let record, let reason):
            return .stored(
                FileReceipt(record: record, original: receipt.original, isStored: receipt.isStored), codes: codes,
                reason: reason)
        default: return .stored(receipt, codes: codes, reason: "")
        }
    }

    private func log(
        _ attempt: FileAttempt, _ reports: [DecodeReport], _ receipt: FileReceipt, codes: Int, tries: Int,
        rule: String?
    ) {
        if let report = reports.first(where: { $0.error != nil }), let error = report.error {
            var metadata: Logger.Metadata = [
                "error": "\(error.code.rawValue)", "reason": "\(error.message)", "tries": "\(tries)",
            ]
            if let page = report.page { metadata["page"] = "\(page)" }
            attempt.logger.warning("Cannot read the picture", metadata: metadata)
        } else if receipt.isStored {
            var metadata: Logger.Metadata = ["codes": "\(codes)", "verdict": "\(receipt.record.outcome.rawValue)"]
            if let rule { metadata["filing"] = "\(rule)" }
            if reports.contains(where: \.isTruncated) { metadata["truncated"] = "true" }
            attempt.logger.info("Stored", metadata: metadata)
        } else {
            attempt.logger.info("Skipped a duplicate", metadata: ["verdict": "\(receipt.record.outcome.rawValue)"])
        }
        for part in Set(receipt.incomplete.map { [$0.symbology.rawValue, $0.structuredAppend?.missingWords ?? ""] }) {
            attempt.logger.notice(
                "Parts of a message in several symbols have not been read yet",
                metadata: ["format": "\(part[0])", "missing": "\(part[1])"])
        }
    }

    /// Moves a file whose events are stored.
    func move(_ record: FileRecord, root: FolderHandle) async -> FileResult {
        let path = RelativePath(record.path)
        do {
            let archived = try await archiver.archive(record, from: root, after: settings.file(path).after)
            if archived.isNew {
                var logger = logger
                logger[metadataKey: "file"] = "\(path.display)"
                if let refusal = archived.refusal {
                    logger.warning(
                        "Cannot apply the filing rule; filed the file without it",
                        metadata: ["reason": "\(refusal)"])
                }
                await runAfterEach(
                    record, archived.place.map { archiver.destination + [0x2F] + $0.bytes } ?? [], logger)
            }
            return .moved(record, place: archived.place ?? (archived.isNew ? .deleted : nil))
        } catch {
            var record = record
            record.target = (error as? ArchiveError)?.target ?? record.target
            record.parts = (error as? ArchiveError)?.parts ?? record.parts
            return .notMoved(record, reason: "\(error)")
        }
    }

    private func runAfterEach(_ record: FileRecord, _ file: [UInt8], _ logger: Logger) async {
        let path = RelativePath(record.path)
        let hook = Hook(command: settings.file(path).afterEach, timeout: settings.hookTimeout)
        let variables = ["QUIETZONE_NAME": path.bytes, "QUIETZONE_VERDICT": Array(record.outcome.rawValue.utf8)]
        guard let fault = await hook.runPatiently(file, variables) else { return }
        FolderMetrics.hookFailed()
        logger.error("The afterEach command failed", metadata: ["reason": "\(fault)"])
    }

    private struct FailureNote: Encodable {
        struct Reason: Encodable {
            var code: String
            var message: String
            /// The page of a document: the first unreadable one.
            var page: Int?
        }
        var file: String
        /// The exact bytes if they are not UTF-8.
        var fileBytes: Data?
        var error: Reason
        var tries: Int
        var time: String
    }

    /// The note to write beside a file, as JSON; `nil` for none.
    private func note(_ attempt: FileAttempt, _ reports: [DecodeReport], tries: Int, _ now: Date) -> Data? {
        if let report = reports.first(where: { $0.error != nil }), let error = report.error {
            let note = FailureNote(
                file: attempt.name.display, fileBytes: attempt.name.isUTF8 ? nil : Data(attempt.name.bytes),
                error: .init(code: error.code.rawValue, message: error.message, page: report.page),
                tries: tries, time: now.rfc3339)
            return (try? JSONLine.encode(note)).map { Data($0) }
        }
        guard attempt.settings.writesSidecars, tries > 0 else { return nil }
        // One line a page.
        return (try? reports.flatMap { try JSONLine.encode($0) }).map { Data($0) }
    }
}

extension DecodeError.Code {
    /// The user's command to run before a file is read has failed.
    static let hookFailed = DecodeError.Code(rawValue: "hook_failed")
}
