internal import BarcodeCore
internal import BarcodeDecoding
internal import DecodeWorkers
internal import FoundationEssentials
internal import Glibc
internal import Logging
internal import ResultDispatch
internal import SystemPackage

/// One file's way: opened, hashed, decoded, committed with its row in the journal, put away.
struct Taking: Sendable {
    /// What became of a file.
    enum Outcome: Sendable {
        /// Its events are stored, and it was put away.
        case taken(IntakeReceipt, codes: Int, place: RelativePath?)
        /// Its events are stored; it could not be put away.
        case stored(IntakeReceipt, codes: Int, reason: String)
        /// It stays where it is, as is wished.
        case left(IntakeReceipt, codes: Int)
        /// It was put away, or is gone, and its row can be closed.
        case moved(IntakeRecord, place: RelativePath?)
        /// It could not be put away.
        case notMoved(IntakeRecord, reason: String)
        /// It is another now than when it was noticed.
        case changed(FileIdentity)
        /// Somebody is still writing it.
        case busy(FileIdentity)
        /// Perhaps somebody is still writing it; the kernel does not say.
        case perhapsBusy(FileIdentity)
        /// It is not there any more, or is no regular file any more.
        case gone
        /// It could not be taken for a reason that is not its own.
        case postponed(FileIdentity, reason: String)
        /// The program is about to end.
        case stopped
    }

    let settings: DropFolderSettings
    let folderName: [UInt8]
    let intake: ScanIntake
    let outbox: Outbox
    let putting: PuttingAway
    let decode: @Sendable (WorkerRequest) async -> DecodeReport
    let logger: Logger

    /// Takes a file in.
    ///
    /// - Parameters:
    ///   - isOpen: whether it was last heard of as being written to.
    ///   - failures: how often it could not be read before.
    func take(
        _ path: RelativePath, _ identity: FileIdentity, isOpen: Bool, root: FolderHandle, failures: Int
    ) async -> Outcome {
        var logger = logger
        logger[metadataKey: "file"] = "\(path.display)"
        let file: PictureFile
        let isBusy: Bool?
        do {
            (file, isBusy) = try await Blocking.run {
                let file = try PictureFile(root, path)
                return (file, file.isBeingWritten)
            }
        } catch let error as Errno {
            return await notOpened(path, identity, error, root, failures, logger)
        } catch {
            return .postponed(identity, reason: "\(error)")
        }
        if file.identity != identity { return .changed(file.identity) }
        if isBusy == true { return .busy(identity) }
        if isBusy == nil && isOpen { return .perhapsBusy(identity) }

        let hashing = Task { try await Blocking.run { try file.hash() } }
        if settings.duplicates == .skip, let hash = try? await hashing.value,
            (try? await outbox.intake(hash: hash, folder: folderName)) != nil
        {
            // Whether it still is one is decided in the transaction.
            let report = DecodeReport(source: PictureName(bytes: path.bytes))
            return await commit(report, path, identity, hash: hash, tries: 0, root, logger)
        }
        let (report, tries) = await read(file, path, logger)
        if report.error?.code == .cancelled { return .stopped }
        do {
            let hash = try await hashing.value
            let now = try await Blocking.run { try file.identityNow() }
            // What was hashed and decoded may be half of the old and half of the new.
            if now != identity { return .changed(now) }
            return await commit(report, path, identity, hash: hash, tries: tries, root, logger)
        } catch {
            if let wait = RetryPlan.brief.wait(after: failures + 1), wait > .zero {
                return .postponed(identity, reason: "reading \(path.display): \(error)")
            }
            let report = DecodeReport(
                source: PictureName(bytes: path.bytes), error: DecodeError(.unreadable, "could not be read: \(error)"))
            return await commit(report, path, identity, hash: [], tries: failures + 1, root, logger)
        }
    }

    private func notOpened(
        _ path: RelativePath, _ identity: FileIdentity, _ error: Errno, _ root: FolderHandle, _ failures: Int,
        _ logger: Logger
    ) async -> Outcome {
        switch error {
        case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .invalidArgument,
            .noSuchAddressOrDevice:
            return .gone
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory:
            return .postponed(identity, reason: "opening \(path.display): \(error)")
        default: break
        }
        if RetryPlan.brief.wait(after: failures + 1) != nil {
            return .postponed(identity, reason: "opening \(path.display): \(error)")
        }
        let code: DecodeError.Code = error == .permissionDenied ? .permissionDenied : .unreadable
        let report = DecodeReport(
            source: PictureName(bytes: path.bytes), error: DecodeError(code, "could not be opened: \(error)"))
        return await commit(report, path, identity, hash: [], tries: failures + 1, root, logger)
    }

    /// Decodes, once more in a fresh worker when the first one was lost over it.
    private func read(_ file: PictureFile, _ path: RelativePath, _ logger: Logger) async -> (DecodeReport, tries: Int) {
        let name = PictureName(bytes: path.bytes)
        if file.identity.size > settings.limits.maximumFileBytes {
            return (
                DecodeReport(
                    source: name,
                    error: DecodeError(
                        .tooLarge,
                        "has \(file.identity.size) bytes; \(settings.limits.maximumFileBytes) are the most")), 1
            )
        }
        let request = WorkerRequest(
            path: file.pathForWorkers, name: name, options: settings.decoding, limits: settings.limits)
        var report = await decode(request)
        guard let code = report.error?.code, [.readerCrashed, .timedOut].contains(code) else { return (report, 1) }
        logger.notice("The picture is tried once more in a fresh worker", metadata: ["error": "\(code.rawValue)"])
        report = await decode(request)
        return (report, 2)
    }

    private func commit(
        _ report: DecodeReport, _ path: RelativePath, _ identity: FileIdentity, hash: [UInt8], tries: Int,
        _ root: FolderHandle, _ logger: Logger
    ) async -> Outcome {
        let now = Date()
        let verdict: Verdict = report.error != nil ? .failed : report.symbols.isEmpty ? .noCode : .done
        var record = IntakeRecord(
            folder: folderName, path: path.bytes, hash: hash, device: identity.device, inode: identity.inode,
            size: identity.size, modified: identity.modified, time: now,
            state: settings.after == .leave ? .left : .stored, verdict: verdict.rawValue)
        if settings.after != .leave { record.note = note(report, path, tries: tries, now) }
        let size = ImageSize(width: report.width, height: report.height)
        let details = report.sourceBytes.map { ["nameBytes": Data($0).base64EncodedString()] }
        let look: ScanIntake.Look = (
            report.symbols.map { ScannedSymbol($0, image: size) },
            ScanSource(kind: .folder, name: report.source, details: details), nil
        )
        let receipt: IntakeReceipt
        do {
            receipt = try await intake.accept(
                look, from: record, duplicates: tries == 0 ? false : settings.duplicates == .again, at: now
            ).receipt
        } catch {
            return .postponed(identity, reason: "\(error)")
        }
        let codes = receipt.isStored ? report.symbols.count : 0
        if let error = report.error {
            logger.warning(
                "The picture could not be read",
                metadata: ["error": "\(error.code.rawValue)", "reason": "\(error.message)", "tries": "\(tries)"])
        } else {
            logger.info(
                receipt.isStored ? "Stored" : "Skipped a duplicate",
                metadata: ["codes": "\(codes)", "verdict": "\(receipt.record.verdict)"])
        }
        if settings.after == .leave { return .left(receipt, codes: codes) }
        switch await putAway(receipt.record, root: root) {
        case .moved(_, let place): return .taken(receipt, codes: codes, place: place)
        case .notMoved(_, let reason): return .stored(receipt, codes: codes, reason: reason)
        default: return .stored(receipt, codes: codes, reason: "")
        }
    }

    /// Puts a file away whose events are stored.
    func putAway(_ record: IntakeRecord, root: FolderHandle) async -> Outcome {
        do {
            switch try await putting.put(record, from: root) {
            case .put(let place): return .moved(record, place: place)
            case .gone: return .moved(record, place: record.target.map { RelativePath($0) })
            case .left: return .moved(record, place: nil)
            }
        } catch let error as PutAwayError {
            return .notMoved(record, reason: error.description)
        } catch {
            return .notMoved(record, reason: "\(error)")
        }
    }

    private struct FailureNote: Encodable {
        struct Reason: Encodable {
            var code: String
            var message: String
        }
        var file: String
        var error: Reason
        var tries: Int
        var time: String
    }

    /// What stands beside a file in its place, as JSON; nil for nothing.
    private func note(_ report: DecodeReport, _ path: RelativePath, tries: Int, _ now: Date) -> Data? {
        if let error = report.error {
            let note = FailureNote(
                file: path.display, error: .init(code: error.code.rawValue, message: error.message), tries: tries,
                time: now.rfc3339)
            return (try? JSONLine.encode(note)).map { Data($0) }
        }
        return settings.writesSidecars && tries > 0 ? (try? JSONLine.encode(report)).map { Data($0) } : nil
    }
}
