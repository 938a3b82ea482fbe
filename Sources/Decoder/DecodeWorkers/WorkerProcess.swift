internal import BarcodeCore
internal import DecodeReports
internal import Logging
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// One worker process, and the exchange of requests and replies with it.
final class WorkerProcess: Sendable {
    /// The way in which a process ended.
    enum Outcome {
        /// It answered all its requests.
        case served
        /// It was lost on an image that was not its first, so an earlier one may be the cause.
        case interrupted(WorkerPool.Job)
        /// It was lost on its first image.
        case died(WorkerPool.Job, DecodeError.Code, String)
        /// It could not be started.
        case notStarted(WorkerPool.Job, String)
        /// It was not started, because of a shortage of resources.
        case postponed(WorkerPool.Job, ResourceShortage)
    }

    /// The state of the exchange, for evaluation after its end.
    private struct Progress {
        var hasStarted = false
        var didTimeOut = false
        /// The protocol version of its reply, if it is not supported.
        var otherSchema: Int?
        /// The job that waits for its reply.
        var inHand: WorkerPool.Job?
        /// The deadline of the job; `nil` before its request and after its reply.
        var deadline: ContinuousClock.Instant?
        /// The number of images it was given.
        var pictures = 0
    }

    private typealias Conversation = Execution<FileDescriptorInput, SequenceOutput, FileDescriptorOutput>

    /// The longest valid reply line of a worker in bytes: a picture of the largest size that is full of large symbols
    /// has less, and parsing takes up to 30 times as much memory.
    private static let maximumLineBytes = 16 << 20

    private let settings: WorkerPool.Settings
    private let logger: Logger
    private let progress = Mutex(Progress())

    init(settings: WorkerPool.Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// Starts a process that decodes `first` and the jobs from `next`, until there are no more, it is lost, or it
    /// reaches its limit.
    func run(first: WorkerPool.Job, next: @Sendable () async -> WorkerPool.Job?) async -> Outcome {
        let start: ProcessStart
        do throws(ResourceShortage) { start = try ProcessStart.begin() } catch { return .postponed(first, error) }
        progress.withLock { $0.inHand = first }
        let end = await exchange(start, first: first, next: next)
        return outcome(progress.withLock { $0 }, end)
    }

    /// The end of a process.
    private struct End {
        /// The words for the exit status or signal, or the error.
        var words: String
        var isOutOfMemory = false
        /// The shortage that kept the process from being started.
        var shortage: ResourceShortage?
    }

    /// Runs a process until it ends.
    private func exchange(
        _ start: ProcessStart, first: WorkerPool.Job, next: @Sendable () async -> WorkerPool.Job?
    ) async -> End {
        do {
            // Subprocess traps if it cannot open this itself after it has made a pipe.
            let nowhere = try FileDescriptor.open("/dev/null", .writeOnly, options: .closeOnExec)
            defer { try? nowhere.close() }
            let (channel, standardInput) = try RequestChannel.open(opensOwnFiles: settings.opensOwnFiles)
            defer { channel.close() }
            let result = try await Subprocess.run(
                .path(settings.executable), arguments: Arguments(settings.arguments),
                // Swift's own crash reporter takes seconds to minutes to inspect the dead process, and may hang on
                // it.
                environment: .inherit.updating(["SWIFT_BACKTRACE": "enable=no"]),
                input: .fileDescriptor(standardInput, closeAfterSpawningProcess: true), output: .sequence,
                error: .fileDescriptor(nowhere, closeAfterSpawningProcess: false)
            ) { execution in
                start.end()
                progress.withLock { $0.hasStarted = true }
                do {
                    try await converse(with: execution, over: channel, first: first, next: next)
                } catch {
                    if let other = error as? WorkerProtocol.SchemaMismatch {
                        progress.withLock { $0.otherSchema = other.schema }
                    }
                    // A process with invalid replies may never end by itself.
                    try? execution.send(signal: .kill)
                    throw error
                }
            }
            return End(
                words: result.terminationStatus.ending,
                isOutOfMemory: result.terminationStatus == .exited(Worker.outOfMemoryStatus))
        } catch {
            logger.debug("Lost the connection to a worker", metadata: ["reason": "\(error)"])
            return End(
                words: "\(error)",
                shortage: ((error as? SubprocessError)?.underlyingError ?? error as? Errno).flatMap {
                    ResourceShortage(errno: $0.rawValue, startsProcess: true)
                })
        }
    }

    /// Returns the outcome for the job that waits for its reply.
    private func outcome(_ progress: Progress, _ end: End) -> Outcome {
        guard let job = progress.inHand else { return .served }
        if Task.isCancelled {
            return .died(job, .cancelled, "was not decoded: the workers were stopped")
        }
        if progress.didTimeOut {
            return .died(
                job, .timedOut, "took longer than \(settings.timeout) to decode; allow more time, or use less effort"
            )
        }
        guard progress.hasStarted else {
            if let shortage = end.shortage { return .postponed(job, shortage) }
            return .notStarted(job, end.words)
        }
        if let schema = progress.otherSchema {
            return .notStarted(
                job,
                "the worker uses version \(schema) of the worker protocol, but this program needs version "
                    + "\(WorkerProtocol.schema): start a worker of the same program")
        }
        if progress.pictures > 1 { return .interrupted(job) }
        if end.isOutOfMemory {
            return .died(
                job, .outOfMemory,
                "needs more memory than the limit of a worker; allow more, or shrink the picture")
        }
        return .died(
            job, .readerCrashed,
            "crashed the process that decoded it (\(end.words)); it is damaged or hostile"
        )
    }

    private func converse(
        with execution: Conversation, over channel: RequestChannel, first: WorkerPool.Job,
        next: @Sendable () async -> WorkerPool.Job?
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            // One timer for all images: a cancelled timer is kept until its time, and there may be many images.
            group.addTask { try await self.watch(execution) }
            defer { group.cancelAll() }
            try await ask(execution, channel, first: first, next: next)
        }
    }

    private func ask(
        _ execution: Conversation, _ channel: RequestChannel, first: WorkerPool.Job,
        next: @Sendable () async -> WorkerPool.Job?
    ) async throws {
        var output = execution.standardOutput.makeAsyncIterator()
        var lines = LineBuffer()
        var job: WorkerPool.Job? = first
        var pictures = 0
        while let current = job {
            pictures += 1
            progress.withLock {
                $0.inHand = current
                $0.pictures = pictures
                $0.deadline = .now + settings.timeout
            }
            let asked = try current.relayed ?? Self.line(for: current.request, id: pictures)
            let file = settings.opensFiles && current.request.bytes == nil ? current.request.path : nil
            do throws(DecodeError) {
                try await channel.send(asked.line, current.request.bytes, file: file)
            } catch {
                progress.withLock { ($0.inHand, $0.deadline) = (nil, nil) }
                current.fail(error)
                // A file may have taken too long to open, and the process was ended then.
                if progress.withLock({ $0.didTimeOut }) { return }
                job = await next()
                continue
            }
            if let line = try await Self.answer(to: asked.id, from: &output, lines: &lines) {
                progress.withLock { ($0.inHand, $0.deadline) = (nil, nil) }
                current.answer.resume(returning: .line(line))
                if !progress.withLock({ $0.didTimeOut }) {
                    job = pictures < settings.picturesPerWorker ? await next() : nil
                    continue
                }
            }
            // The process has closed its output but may still run; killing it is harmless if it has ended.
            try? execution.send(signal: .kill)
            return
        }
        channel.close()
    }

    /// Kills the process when an image takes too long; the exchange then reaches the end of its output.
    private func watch(_ execution: Conversation) async throws {
        while true {
            let deadline = progress.withLock { $0.deadline }
            // An image that comes during this sleep cannot be late before its end; a very short timeout may be
            // overrun a little.
            try await Task.sleep(
                until: deadline ?? .now + max(settings.timeout, .milliseconds(100)), clock: .continuous)
            // The reply may have just arrived.
            if giveUp() { return try execution.send(signal: .kill) }
        }
    }

    /// Records a timeout of the current image; false if it is not late.
    private func giveUp() -> Bool {
        progress.withLock { progress in
            guard let deadline = progress.deadline, deadline <= .now else { return false }
            progress.didTimeOut = true
            return true
        }
    }

    private static func line(for request: WorkerRequest, id: Int) throws -> WorkerPool.EncodedRequest {
        WorkerPool.EncodedRequest(id: id, line: try JSONLine.encode(WorkerRequestLine(id: id, request)))
    }

    /// Reads up to the reply with the number `id`, with its line feed; `nil` if the output ends before.
    private static func answer(
        to id: Int, from output: inout SubprocessOutputSequence.Iterator, lines: inout LineBuffer
    ) async throws -> [UInt8]? {
        while true {
            while let line = lines.next() {
                if try JSONLine.decode(WorkerReplyNumber.self, from: line).id == id { return line + [0x0A] }
            }
            guard lines.pending <= maximumLineBytes else {
                throw DecodeError(.unreadable, "the worker's reply is longer than \(maximumLineBytes) bytes")
            }
            guard let chunk = try await output.next() else { return nil }
            chunk.withUnsafeBytes { lines.append($0) }
        }
    }
}

extension TerminationStatus {
    /// The exit status or signal as a clause for people.
    fileprivate var ending: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .signaled(let signal): "signal \(signal)"
        }
    }
}
