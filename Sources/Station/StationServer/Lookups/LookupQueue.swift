internal import Delivery
internal import Logging
internal import ScanEvents
internal import Synchronization

/// The lookups of stored scans, a few at a time, newest first.
///
/// Taking a scan never waits: while the other system is slow, the oldest waiting lookups are dropped.
final class LookupQueue: Sendable {
    /// The maximum number of concurrent lookups.
    static let concurrency = 4
    /// The maximum number of waiting lookups.
    static let maximumWaiting = 16

    private struct State {
        var running = 0
        /// The number of pictures that are being loaded.
        var loading = 0
        var waiting: [ScanEvent] = []
        /// The message about the newest scan.
        var newest: LookupMessage?
        /// Indicates whether the last lookup failed.
        var isFailing = false
        /// The newest pictures, oldest first.
        var pictures: [(id: EventID, picture: LookupPicture)] = []
        /// Indicates whether the last picture could not be loaded.
        var lacksPictures = false
    }

    /// The number of pictures that are kept: of the scans at hand, at most 10 MB.
    static let keptPictures = 20

    /// A job that ``run()`` begins at once.
    private enum Job: Sendable {
        case lookUp(ScanEvent)
        case load(address: String, ScanEvent, Lookup.Answer)
    }

    private let state = Mutex(State())
    private let jobs: AsyncStream<Job>
    private let start: AsyncStream<Job>.Continuation
    private let concerns: @Sendable (ScanEvent) -> Bool
    private let answer: @Sendable (ScanEvent) async -> Lookup.Answer
    private let picture: @Sendable (String, ScanEvent) async throws(Lookup.PictureFailure) -> LookupPicture
    private let publish: @Sendable (LookupMessage) -> Void
    private let logger: Logger

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - concerns: indicates whether a scan is looked up.
    ///   - answer: looks a scan up.
    ///   - picture: loads the picture of an answer, by its address.
    ///   - publish: gets each message for the pages; must not block.
    init(
        concerns: @escaping @Sendable (ScanEvent) -> Bool,
        answer: @escaping @Sendable (ScanEvent) async -> Lookup.Answer,
        picture: @escaping @Sendable (String, ScanEvent) async throws(Lookup.PictureFailure) -> LookupPicture,
        logger: Logger, publish: @escaping @Sendable (LookupMessage) -> Void
    ) {
        self.concerns = concerns
        self.answer = answer
        self.picture = picture
        self.publish = publish
        self.logger = logger
        // Each of both kinds has at most `concurrency` at a time.
        (jobs, start) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Looks up and loads what was taken, until it is canceled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs {
                group.addTask {
                    switch job {
                    case .lookUp(let event): await self.lookUp(event)
                    case .load(let address, let event, let answer): await self.load(address, of: event, answer)
                    }
                }
            }
        }
    }

    /// The message about the newest scan that was looked up; `nil` if there is none.
    var newest: LookupMessage? { state.withLock { $0.newest } }

    /// The picture of the answer about a scan; `nil` if there is none, or no longer.
    func picture(of id: EventID) -> LookupPicture? {
        state.withLock { $0.pictures.first { $0.id == id }?.picture }
    }

    /// Starts the lookups of scans, or queues them.
    func take(_ events: [ScanEvent]) {
        for event in events where concerns(event) {
            tell(.waiting(event.id))
            let (mayStart, dropped) = state.withLock { state -> (Bool, ScanEvent?) in
                if state.running < Self.concurrency {
                    state.running += 1
                    return (true, nil)
                }
                state.waiting.append(event)
                return (false, state.waiting.count > Self.maximumWaiting ? state.waiting.removeFirst() : nil)
            }
            if mayStart { start.yield(.lookUp(event)) }
            if let dropped { finish(dropped, .skipped(dropped.id)) }
        }
    }

    /// Looks up a scan, then those that wait.
    private func lookUp(_ first: ScanEvent) async {
        var next: ScanEvent? = first
        while let event = next {
            let answer = await answer(event)
            // The station ends, which says nothing about the other system.
            if Task.isCancelled { return }
            log(answer)
            finish(event, LookupMessage(event.id, answer))
            if let address = answer.picture { startLoading(address, of: event, answer) }
            next = state.withLock { state in
                if let event = state.waiting.popLast() { return event }
                state.running -= 1
                return nil
            }
        }
    }

    /// Loads a picture beside the lookups, which do not wait for it.
    private func startLoading(_ address: String, of event: ScanEvent, _ answer: Lookup.Answer) {
        let mayStart = state.withLock { state in
            guard state.loading < Self.concurrency else { return false }
            state.loading += 1
            return true
        }
        guard mayStart else { return note(Lookup.PictureFailure(reason: "too many pictures at once")) }
        start.yield(.load(address: address, event, answer))
    }

    /// Loads a picture, and tells the pages when it is there.
    private func load(_ address: String, of event: ScanEvent, _ answer: Lookup.Answer) async {
        defer { state.withLock { $0.loading -= 1 } }
        do throws(Lookup.PictureFailure) {
            let picture = try await picture(address, event)
            state.withLock { state in
                state.lacksPictures = false
                state.pictures.append((event.id, picture))
                if state.pictures.count > Self.keptPictures { state.pictures.removeFirst() }
            }
            var message = LookupMessage(event.id, answer)
            message.hasPicture = true
            tell(message)
        } catch {
            if !Task.isCancelled { note(error) }
        }
    }

    /// Logs when pictures begin to fail, but not each failure.
    private func note(_ failure: Lookup.PictureFailure) {
        let isNews = state.withLock { state in
            defer { state.lacksPictures = true }
            return !state.lacksPictures
        }
        guard isNews else { return }
        logger.warning("Could not load the picture of a lookup", metadata: ["reason": "\(failure.reason)"])
    }

    private func finish(_ event: ScanEvent, _ message: LookupMessage) {
        StationMetrics.lookedUp(message.state)
        tell(message)
    }

    private func tell(_ message: LookupMessage) {
        state.withLock { state in
            if message.id.description >= state.newest?.id.description ?? "" { state.newest = message }
        }
        publish(message)
    }

    /// Logs when lookups begin to fail, and when they work again, but not each failure.
    private func log(_ answer: Lookup.Answer) {
        let isFailure = [.away, .slow, .unusable].contains(answer.state)
        let wasFailing = state.withLock { state in
            defer { if answer.state != .refused { state.isFailing = isFailure } }
            return state.isFailing
        }
        if isFailure, !wasFailing {
            logger.warning("Could not look up a scan", metadata: ["reason": "\(answer.reason ?? "")"])
        } else if wasFailing, !isFailure, answer.state != .refused {
            logger.notice("Lookups work again")
        }
    }
}
