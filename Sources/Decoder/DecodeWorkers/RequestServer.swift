internal import BarcodeCore
internal import DecodeReports
internal import Dispatch
public import SymbolContent
internal import Synchronization

/// Serves requests of another program through a worker pool.
///
/// Many requests run at once, and each is answered as soon as it is done, even if a worker is lost.
/// `docs/reference/worker-protocol.md` describes the requests, which are those of a worker.
public struct RequestServer: Sendable {
    private let pool: WorkerPool
    private let window: Int
    private let contentYear: Int?
    private let signingKeys: SigningKeys?

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - pool: decodes the images; ``run(input:output:)`` runs and finishes it.
    ///   - window: the most requests that are in progress; further ones stay in the pipe.
    ///   - contentYear: the year of the scan, to parse messages into fields; `nil` to skip that.
    ///   - signingKeys: the keys to check the signatures of these messages with; `nil` to check none.
    public init(pool: WorkerPool, window: Int, contentYear: Int? = nil, signingKeys: SigningKeys? = nil) {
        self.pool = pool
        self.window = max(1, window)
        self.contentYear = contentYear
        self.signingKeys = signingKeys
    }

    private enum Event: Sendable {
        case request(WorkerRequest, WorkerPool.EncodedRequest)
        case reply(WorkerReplyLine)
        case failure(DecodeError)
    }

    /// Answers requests until the input ends and all are answered, or until the output is closed.
    ///
    /// - Throws: an error for an invalid request; earlier requests are answered first.
    public func run(input: Int32, output: Int32) async throws {
        let room = DispatchSemaphore(value: 0)
        for _ in 0..<window { room.signal() }
        let events = AsyncStream(Event.self, bufferingPolicy: .unbounded) { continuation in
            // A dedicated queue, because reading blocks. The semaphore bounds the length of the stream.
            DispatchQueue(label: "requests").async {
                Self.read(input, room: room, into: continuation)
                continuation.finish()
            }
        }
        let replies = ReplyWriter(output: output)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [pool] in await pool.run() }
            await answer(events, replies, room)
            // Nobody reads the replies any more, so running requests are cancelled.
            if replies.isLost { group.cancelAll() }
            pool.finish()
        }
        if let failure = replies.failure { throw failure }
    }

    private func answer(_ events: AsyncStream<Event>, _ replies: ReplyWriter, _ room: DispatchSemaphore) async {
        await withDiscardingTaskGroup { answers in
            for await event in events {
                switch event {
                case .request(let request, let line):
                    answers.addTask {
                        await answer(request, line, replies)
                        room.signal()
                    }
                case .reply(let reply):
                    replies.write(reply)
                    room.signal()
                case .failure(let error): replies.note(error)
                }
                if replies.isLost { return }
            }
        }
    }

    private func answer(
        _ request: WorkerRequest, _ line: WorkerPool.EncodedRequest, _ replies: ReplyWriter
    ) async {
        guard contentYear == nil else {
            var report = await pool.decode(request)
            report.contentYear = contentYear
            report.signingKeys = signingKeys
            return replies.write(WorkerReplyLine(id: line.id, report: report))
        }
        switch await pool.relay(request, as: line) {
        case .line(let reply): replies.write(line: reply)
        case .report(let report): replies.write(WorkerReplyLine(id: line.id, report: report))
        }
    }

    private static func read(
        _ input: Int32, room: DispatchSemaphore, into continuation: AsyncStream<Event>.Continuation
    ) {
        var reader = WorkerInputReader(descriptor: input)
        do {
            while true {
                room.wait()
                guard let line = try reader.line() else { return }
                switch try WorkerProtocol.parse(line) {
                case .request(let id, var request, let bytes):
                    if let bytes { request.bytes = try reader.bytes(bytes) }
                    continuation.yield(.request(request, WorkerPool.EncodedRequest(id: id, line: line + [0x0A])))
                case .refusal(let reply, let bytes):
                    try reader.skip(bytes)
                    continuation.yield(.reply(reply))
                }
            }
        } catch {
            continuation.yield(
                .failure(
                    error as? DecodeError
                        ?? DecodeError(
                            .invalidRequest,
                            "a line is not a valid request: \(error)")))
        }
    }
}

/// Writes replies, one at a time, until a write fails.
private final class ReplyWriter: Sendable {
    private struct State {
        var failure: DecodeError?
        var isLost = false
    }

    private let output: Int32
    private let state = Mutex(State())

    init(output: Int32) {
        self.output = output
    }

    /// The first failure; `nil` if there is none.
    var failure: DecodeError? { state.withLock(\.failure) }

    /// Indicates whether the output is closed.
    var isLost: Bool { state.withLock(\.isLost) }

    func note(_ error: DecodeError) {
        state.withLock { $0.failure = $0.failure ?? error }
    }

    func write(_ reply: WorkerReplyLine) {
        // Encoding cannot fail, because it only has values that JSON can represent.
        guard let line = try? JSONLine.encode(reply) else { return }
        write(line: line)
    }

    func write(line: [UInt8]) {
        state.withLock { state in
            guard !state.isLost else { return }
            do throws(DecodeError) {
                try BlockingLineWriter.write(line, to: output)
            } catch {
                state.isLost = true
                state.failure = state.failure ?? error
            }
        }
    }
}
