internal import BarcodeCore
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
        /// It was lost over a picture.
        case died(WorkerPool.Job, DecodeError.Code, String)
        /// It never ran.
        case notStarted(WorkerPool.Job, String)
    }

    /// What the conversation has come to, for the one who looks at it after its end.
    private struct Progress {
        var hasStarted = false
        var didTimeOut = false
        /// The job that waits for its answer.
        var inHand: WorkerPool.Job?
    }

    private typealias Conversation = Execution<CustomWriteInput, SequenceOutput, DiscardedOutput>

    /// A line from a worker that is longer than this is no report.
    private static let longestLine = 64 << 20

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
        progress.withLock { $0.inHand = first }
        var ending = ""
        do {
            let result = try await Subprocess.run(
                .path(settings.executable), arguments: Arguments(settings.arguments),
                input: .inputWriter, output: .sequence, error: .discarded
            ) { execution in
                progress.withLock { $0.hasStarted = true }
                try await converse(with: execution, first: first, next: next)
            }
            ending = result.terminationStatus.ending
        } catch {
            ending = "\(error)"
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
        guard state.hasStarted else { return .notStarted(job, ending) }
        return .died(
            job, .readerCrashed,
            "crashed the process that decoded it (\(ending)); save the picture anew in another program, or report it")
    }

    private func converse(
        with execution: Conversation, first: WorkerPool.Job, next: @Sendable () async -> WorkerPool.Job?
    ) async throws {
        var output = execution.standardOutput.makeAsyncIterator()
        var lines = LineBuffer()
        var job: WorkerPool.Job? = first
        var pictures = 0
        while let current = job {
            progress.withLock { $0.inHand = current }
            pictures += 1
            let id = pictures
            let reply = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await Task.sleep(for: self.settings.timeout)
                    self.progress.withLock { $0.didTimeOut = true }
                    // The read below then meets the end of the worker's output.
                    try execution.send(signal: .kill)
                }
                defer { group.cancelAll() }
                _ = try await execution.standardInputWriter.write(
                    JSONLine.encode(WorkerRequestLine(id: id, current.request)))
                return try await Self.reply(to: id, from: &output, lines: &lines)
            }
            guard let reply else { return }
            progress.withLock { $0.inHand = nil }
            current.answer.resume(returning: reply)
            job = pictures < settings.picturesPerWorker ? await next() : nil
        }
        try await execution.standardInputWriter.finish()
    }

    /// Reads up to the answer with the number `id`; nil when the worker's output ends before.
    private static func reply(
        to id: Int, from output: inout SubprocessOutputSequence.Iterator, lines: inout LineBuffer
    ) async throws -> DecodeReport? {
        while true {
            while let line = lines.next() {
                let reply = try JSONLine.decode(WorkerReplyLine.self, from: line)
                if reply.id == id { return reply.report }
            }
            guard lines.pending <= longestLine else {
                throw DecodeError(.unreadable, "the worker's answer is longer than \(longestLine) bytes")
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
