internal import BarcodeCore
internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
internal import ScanEvents
internal import ScanOutbox
internal import StationDevices
internal import Synchronization

/// Requests that use the camera: one at a time, so that a code answers the request that the person sees.
extension RequestCoordinator {
    /// Schedules a request's timeout, and queues the request for the camera if the camera may answer it.
    func wait(for entry: RequestRegistry.Entry) {
        let hasCamera = camera.state.status != .none
        if entry.bridge.source == .camera && !hasCamera {
            _ = end(entry.id, .failed(code: ScanFailure.noCamera.code, sentence: "The station has no camera."))
            return
        }
        let timer = Task {
            try await Task.sleep(for: entry.bridge.timeout)
            _ = end(entry.id, .expired)
        }
        let isTooLate = state.withLock { state in
            let isOpen = state.registry.entry(entry.id, for: .station)?.state == .open
            guard isOpen && !state.isClosed else { return true }
            state.timers[entry.id] = timer
            if entry.bridge.source != .album && hasCamera {
                state.queue.join(CameraQueue.Entry(id: entry.id, owner: entry.owner))
            }
            return false
        }
        if isTooLate {
            timer.cancel()
        } else if !giveTurn() {
            publish(entry)
        }
    }

    /// Gives the camera to the first in the queue if that has changed, and notifies the queue.
    ///
    /// - Returns: true if the camera has changed hands.
    @discardableResult
    func giveTurn() -> Bool {
        let change = state.withLock { state -> TurnChange? in
            let first = state.queue.first
            guard state.turn?.id != first?.id else { return nil }
            defer {
                state.turn = first.map { ($0.id, nil) }
                state.repeated = nil
            }
            let waiting = state.queue.waiting.compactMap { state.registry.entry($0.id, for: .station) }
            return TurnChange(
                previous: state.turn?.task, next: first.flatMap { state.registry.entry($0.id, for: .station) },
                onTurn: first?.onTurn, waiting: waiting)
        }
        guard let change else { return false }
        change.previous?.cancel()
        for entry in [change.next].compactMap({ $0 }) + change.waiting { publish(entry) }
        change.onTurn?()
        if let next = change.next {
            let task = Task { await self.read(for: next) }
            let isTooLate = state.withLock { state in
                guard state.turn?.id == next.id else { return true }
                state.turn?.task = task
                return false
            }
            if isTooLate { task.cancel() }
        }
        return true
    }

    private struct TurnChange {
        var previous: Task<Void, Never>?
        /// The request whose turn it is; `nil` for the station's own page.
        var next: RequestRegistry.Entry?
        var onTurn: (@Sendable () -> Void)?
        var waiting: [RequestRegistry.Entry]
    }

    private func read(for entry: RequestRegistry.Entry) async {
        do {
            let reading = try await camera.trigger(symbologies: entry.bridge.symbologies, timeout: entry.bridge.timeout)
            {
                self.noteRepetition(for: entry)
            }
            // If the camera ends, the request stays open until its timeout.
            if let reading { await answer(entry, with: reading) }
        } catch {
            // Cancelled by code that has already ended the request.
        }
    }

    /// Tells the page, once, that the code in view has already been used as an answer.
    private func noteRepetition(for entry: RequestRegistry.Entry) {
        let isNew = state.withLock { state in
            guard state.turn?.id == entry.id, state.repeated != entry.id else { return false }
            state.repeated = entry.id
            return true
        }
        if isNew { publish(entry) }
    }

    private func answer(_ entry: RequestRegistry.Entry, with reading: StationCamera.Reading) async {
        hold(entry)
        defer { release(entry) }
        do {
            let events = try await scanService.store(reading, answering: entry)
            let symbols = zip(reading.symbols, events).map { BridgeSymbol($0, event: $1.id.description) }
            _ = end(entry.id, .answered(.symbols(symbols)))
        } catch {
            // No page got the code, so it may answer again.
            camera.takeAnsweredAgain()
            _ = end(entry.id, .failed(code: ScanFailure.notSaved.code, sentence: ScanService.notSaved))
        }
    }

    /// Lets the code under the camera answer a request even if it has answered before.
    ///
    /// - Throws: ``HTTPFailure`` 404 if there is no such request, 409 if it has ended or waits for its turn.
    func readAgain(_ id: String, for owner: RequestRegistry.Owner) throws -> RequestRegistry.Entry {
        let (entry, hasTurn) = state.withLock { ($0.registry.entry(id, for: owner), $0.turn?.id == id) }
        guard let entry else {
            throw HTTPFailure(.notFound, "no_such_request", "No request with this ID.")
        }
        guard entry.state == .open, hasTurn else {
            throw HTTPFailure(
                .conflict, "not_at_camera",
                "The request is not using the camera: it has ended or is waiting for its turn."
            )
        }
        state.withLock { if $0.repeated == id { $0.repeated = nil } }
        camera.takeAnsweredAgain()
        return entry
    }

    /// Reads a code for the station's own page, in its turn.
    ///
    /// A code that has answered before counts too.
    ///
    /// - Returns: `nil` if nothing was read in time.
    /// - Throws: ``HTTPFailure`` 409 if its turn did not come in time; `CancellationError`.
    func readNow(symbologies: Set<Symbology>, timeout: Duration) async throws -> StationCamera.Reading? {
        let (turns, turn) = AsyncStream.makeStream(of: Void.self)
        let queued = CameraQueue.Entry(id: UUID().uuidString, owner: .station, onTurn: { turn.finish() })
        let start = now()
        let timer = Task {
            try await Task.sleep(for: timeout)
            turn.finish()
        }
        state.withLock { $0.queue.join(queued) }
        defer {
            timer.cancel()
            state.withLock { _ = $0.queue.leave(queued.id) }
            giveTurn()
        }
        giveTurn()
        for await _ in turns {}
        if let blocker = state.withLock({ $0.queue.blocker(of: queued.id) }) {
            let holder = blocker.owner.origin ?? "the station's page"
            throw HTTPFailure(
                .conflict, "camera_busy", "The camera is in use by \(holder); try again once it is free.")
        }
        return try await camera.trigger(
            symbologies: symbologies, timeout: max(.zero, timeout - (now() - start)), acceptsAnswered: true)
    }
}
