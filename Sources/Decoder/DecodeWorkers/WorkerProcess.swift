internal import BarcodeCore
internal import DecodeReports
internal import Logging
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// One worker process and the conversation with it.
final class WorkerProcess: Sendable {
    /// How a process came to its end.
    enum Outcome {
        /// It answered everything that it was asked.
        case served
        /// It was lost over a picture that was not its first: an earlier one may have done the harm.
        case interrupted(WorkerPool.Job)
        /// It was lost over a picture.
        case died(WorkerPool.Job, DecodeError.Code, String)
        /// It never ran.
        case notStarted(WorkerPool.Job, String)
        /// It was not started, because this machine lacks something.
        case postponed(WorkerPool.Job, ResourceShortage)
    }

    /// What the conversation has come to, for the one who looks at it after its end.
    private struct Progress {
        var hasStarted = false
        var didTimeOut = false
        /// What it answered was of another version of the protocol.
        var otherSchema: Int?
        /// The job that waits for its answer.
        var inHand: WorkerPool.Job?
        /// When that takes too long; nil before it is asked for and once it is answered.
        var deadline: ContinuousClock.Instant?
        /// How many pictures it was given.
        var pictures = 0
    }

    private typealias Conversation = Execution<CustomWriteInput, SequenceOutput, DiscardedOutput>

    /// A line from a worker that is longer than this is no report.
    private static let maximumLineBytes = 64 << 20

    private let settings: WorkerPool.Settings
    private let logger: Logger
    private let progress = Mutex(Progress())

    init(settings: WorkerPool.Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// Starts a process, has it answer `first` and then what `next` hands out, until there is no more, the process is
    /// lost, or it has served its time.
    func run(first: WorkerPool.Job, next: @Sendable () async -> WorkerPool.Job?) async -> Outcome {
        let start: ProcessStart
        do throws(ResourceShortage) { start = try ProcessStart.begin() } catch { return .postponed(first, error) }
        progress.withLock { $0.inHand = first }
        var ending = ""
        var isOutOfMemory = false
        var shortage: ResourceShortage?
        do {
            let result = try await Subprocess.run(
                .path(settings.executable), arguments: Arguments(settings.arguments),
                // Swift's own crash reporter takes seconds to minutes to look at the dead, and may hang at it.
                environment: .inherit.updating(["SWIFT_BACKTRACE": "enable=no"]),
                input: .inputWriter, output: .sequence, error: .discarded
            ) { execution in
                start.end()
                progress.withLock { $0.hasStarted = true }
                do {
                    try await converse(with: execution, first: first, next: next)
                } catch {
                    if let other = error as? WorkerProtocol.OtherSchema {
                        progress.withLock { $0.otherSchema = other.schema }
                    }
                    // One that answers nonsense may never end by itself.
                    try? execution.send(signal: .kill)
                    throw error
                }
            }
            ending = result.terminationStatus.ending
            isOutOfMemory = result.terminationStatus == .exited(Worker.outOfMemoryStatus)
        } catch {
            ending = "\(error)"
            shortage = (error as? SubprocessError)?.underlyingError.flatMap {
                ResourceShortage(errno: $0.rawValue, startsProcess: true)
            }
            logger.debug("the conversation with a worker broke off", metadata: ["reason": "\(error)"])
        }
        let state = progress.withLock { $0 }
        guard let job = state.inHand else { return .served }
        if Task.isCancelled {
            return .died(job, .cancelled, "was not decoded: the workers were stopped meanwhile")
        }
        if state.didTimeOut {
            return .died(
                job, .timedOut, "took longer than \(settings.timeout) and was given up; allow more time, or less effort"
            )
        }
        guard state.hasStarted else {
            if let shortage { return .postponed(job, shortage) }
            return .notStarted(job, ending)
        }
        if let schema = state.otherSchema {
            return .notStarted(
                job,
                "the worker answers by version \(schema) of the worker protocol, and this program knows version "
                    + "\(WorkerProtocol.schema): let both be of one program")
        }
        if state.pictures > 1 { return .interrupted(job) }
        if isOutOfMemory {
            return .died(job, .outOfMemory, "needs more memory than a worker may take; allow more, or shrink it")
        }
        return .died(
            job, .readerCrashed,
            "crashed the process that decoded it (\(ending)); it is damaged or hostile"
        )
    }

    private func converse(
        with execution: Conversation, first: WorkerPool.Job, next: @Sendable () async -> WorkerPool.Job?
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            // One for all pictures: a timer that is called off is kept until its time, and pictures may be many.
            group.addTask { try await self.watch(execution) }
            defer { group.cancelAll() }
            try await ask(execution, first: first, next: next)
        }
    }

    private func ask(
        _ execution: Conversation, first: WorkerPool.Job, next: @Sendable () async -> WorkerPool.Job?
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
            // A process that is gone takes no request; that its output has ended says so too, and why is known then.
            _ = try? await execution.standardInputWriter.write(asked.line)
            if let bytes = current.request.bytes { _ = try? await execution.standardInputWriter.write(bytes) }
            if let line = try await Self.answer(to: asked.id, from: &output, lines: &lines) {
                progress.withLock { ($0.inHand, $0.deadline) = (nil, nil) }
                current.answer.resume(returning: .line(line))
                if !progress.withLock({ $0.didTimeOut }) {
                    job = pictures < settings.picturesPerWorker ? await next() : nil
                    continue
                }
            }
            // It closed its output and need not have ended; one that has is not harmed.
            try? execution.send(signal: .kill)
            return
        }
        try await execution.standardInputWriter.finish()
    }

    /// Kills the process when a picture takes too long; the conversation then meets the end of its output.
    private func watch(_ execution: Conversation) async throws {
        while true {
            let deadline = progress.withLock { $0.deadline }
            // A picture that comes while this sleeps is not late before; a very short time may be overrun a little.
            try await Task.sleep(
                until: deadline ?? .now + max(settings.timeout, .milliseconds(100)), clock: .continuous)
            // The answer may have come this very moment.
            if giveUp() { return try execution.send(signal: .kill) }
        }
    }

    /// Notes that the picture in hand took too long; false when none did.
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

    /// Reads up to the answer with the number `id`, with its line feed; nil when the worker's output ends before.
    private static func answer(
        to id: Int, from output: inout SubprocessOutputSequence.Iterator, lines: inout LineBuffer
    ) async throws -> [UInt8]? {
        while true {
            while let line = lines.next() {
                if try JSONLine.decode(WorkerReplyNumber.self, from: line).id == id { return line + [0x0A] }
            }
            guard lines.pending <= maximumLineBytes else {
                throw DecodeError(.unreadable, "the worker's answer is longer than \(maximumLineBytes) bytes")
            }
            guard let chunk = try await output.next() else { return nil }
            chunk.withUnsafeBytes { lines.append($0) }
        }
    }
}

extension TerminationStatus {
    /// The end of a process as a clause for people.
    fileprivate var ending: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .signaled(let signal): "signal \(signal)"
        }
    }
}
