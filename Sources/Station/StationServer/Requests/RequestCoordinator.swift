internal import BarcodeCore
internal import BridgeDialects
internal import HTTPTypes
internal import Logging
internal import ScanEvents
internal import ScanOutbox
internal import StationDevices
internal import Synchronization

/// Handles the scan requests of pages: opens them, waits for the camera or a picture, and answers the page.
final class RequestCoordinator: Sendable {
    let scanService: ScanService
    let camera: StationCamera
    let now: @Sendable () -> Duration

    struct State: Sendable {
        var registry = RequestRegistry()
        /// The timeouts of the open requests.
        var timers: [String: Task<Void, any Error>] = [:]
        /// The requests that wait for the camera.
        var queue = CameraQueue()
        /// The request that has the camera, and its reading task; the task is `nil` for the station's own page, which
        /// reads itself.
        var turn: (id: String, task: Task<Void, Never>?)?
        /// The request whose page was told that the code in view has already answered.
        var repeated: String?
        /// The requests whose typed or scanned code is being written.
        var typed: Set<String> = []
        /// The number of codes and pictures by request that are being read or written: it does not time out meanwhile.
        var answers: [String: Int] = [:]
        var isClosed = false
    }
    let state = Mutex(State())

    init(scanService: ScanService, camera: StationCamera, now: @escaping @Sendable () -> Duration) {
        self.scanService = scanService
        self.camera = camera
        self.now = now
    }

    /// The number of open requests.
    var openCount: Int { state.withLock { $0.registry.openCount } }

    /// The open requests, by deadline.
    var open: [RequestMessage] {
        let entries = state.withLock { $0.registry.open }
        return entries.sorted { $0.deadline < $1.deadline }.map(message)
    }

    // MARK: opening

    /// Opens a request, or finds its result if it was sent before, even before a restart.
    ///
    /// - Throws: ``HTTPFailure``.
    func open(
        _ bridge: BridgeRequest, owner: RequestRegistry.Owner, session: String?
    ) async throws -> RequestRegistry.Entry {
        let isKnown = state.withLock { $0.registry.entry(bridge.id, for: .station) != nil }
        let stored = isKnown ? [] : try await storedAnswer(to: bridge, owner: owner)
        let opening = state.withLock { $0.registry.open(bridge, owner: owner, session: session, now: now()) }
        switch opening {
        case .known(let entry): return entry
        case .foreign:
            throw HTTPFailure(.conflict, "request_taken", "Another page already uses this request ID.")
        case .full(let limit):
            throw HTTPFailure(
                limit, of: RequestRegistry.quota, reason: "too_many_requests_open", what: "requests open",
                retryAfter: 5)
        case .opened(let entry):
            if !stored.isEmpty { return end(entry.id, .answered(.symbols(stored))) ?? entry }
            wait(for: entry)
            return state.withLock { $0.registry.entry(entry.id, for: .station) } ?? entry
        }
    }

    private func storedAnswer(to bridge: BridgeRequest, owner: RequestRegistry.Owner) async throws -> [BridgeSymbol] {
        do {
            return try await scanService.outbox
                .events(withDetail: ScanService.requestKey, bridge.id, among: ScanService.searchedEvents).map(\.event)
                .filter { $0.source.details?[ScanService.originKey] == owner.origin }
                // A picture's symbols of other kinds were stored, and answered nothing.
                .filter { $0.source.kind != .upload || bridge.admits($0.symbol.symbology) }
                .map { BridgeSymbol($0.symbol, event: $0.id) }
        } catch let error as OutboxError {
            scanService.logger.error("Could not read the history", metadata: ["error": "\(error)"])
            // The error to a page of another origin contains no path.
            throw HTTPFailure(
                .serviceUnavailable, "outbox", "The history could not be read; see the station's log.")
        }
    }

    // MARK: ending

    /// Returns the open request that a picture is to answer.
    ///
    /// - Throws: ``HTTPFailure`` 404 if there is none, 409 if it accepts no picture or has ended.
    func openRequest(_ id: String, for owner: RequestRegistry.Owner) throws -> RequestRegistry.Entry {
        guard let entry = state.withLock({ $0.registry.entry(id, for: owner) }) else {
            throw HTTPFailure(
                .notFound, "no_such_request", "No request with this ID; open it first.")
        }
        guard entry.state == .open else {
            throw HTTPFailure(.conflict, "request_ended", "The request has already ended: \(entry.state.name).")
        }
        guard entry.bridge.source != .camera else {
            throw HTTPFailure(.conflict, "camera_only", "The request only accepts codes from the camera, not pictures.")
        }
        return entry
    }

    /// Answers a request with the symbols of a picture.
    ///
    /// Without a symbol it stays open, so that the person can choose another.
    func answer(_ entry: RequestRegistry.Entry, with symbols: [BridgeSymbol]) {
        if !symbols.isEmpty { _ = end(entry.id, .answered(.symbols(symbols))) }
    }

    /// The maximum size of a typed code, in bytes: a QR code holds up to 7,089 digits.
    static let maximumTypedBytes = 8192

    /// Answers a request with a code that a person typed into its window, or a scan gun into the page.
    ///
    /// - Returns: the request after the answer; one that had already ended is unchanged.
    /// - Throws: ``HTTPFailure`` 404 or 422, or 503 if the code could not be written.
    func answer(
        _ id: String, typed text: String, isGun: Bool, for owner: RequestRegistry.Owner
    ) async throws -> RequestRegistry.Entry {
        guard (1...Self.maximumTypedBytes).contains(text.utf8.count) else {
            throw HTTPFailure(
                .unprocessableContent, "bad_value",
                "The body's \"text\" must be 1 to \(Self.maximumTypedBytes) bytes.")
        }
        let (known, isFirst) = state.withLock { state in
            let entry = state.registry.entry(id, for: owner)
            let isFirst = entry?.state == .open && state.typed.insert(id).inserted
            if isFirst { state.hold(id) }
            return (entry, isFirst)
        }
        guard let entry = known else {
            throw HTTPFailure(
                .notFound, "no_such_request", "No request with this ID; open it first.")
        }
        guard isFirst else { return entry }
        defer { releaseTyped(entry) }
        let events = try await scanService.store(typed: text, isGun: isGun, answering: entry)
        let symbols = events.map { BridgeSymbol($0.symbol, event: $0.id) }
        return end(id, .answered(.symbols(symbols))) ?? state.withLock { $0.registry.entry(id, for: owner) } ?? entry
    }

    /// Cancels a request.
    ///
    /// - Returns: the request after that; one that had already ended is unchanged.
    func cancel(_ id: String, for owner: RequestRegistry.Owner) throws -> RequestRegistry.Entry {
        guard let entry = state.withLock({ $0.registry.entry(id, for: owner) }) else {
            throw HTTPFailure(.notFound, "no_such_request", "No request with this ID.")
        }
        return end(id, .cancelled) ?? state.withLock { $0.registry.entry(id, for: owner) } ?? entry
    }

    /// Cancels the open requests of the sessions that match.
    func cancel(where isGone: (String) -> Bool) {
        let open = state.withLock { $0.registry.open }
        for entry in open where entry.session.map(isGone) ?? false { _ = end(entry.id, .cancelled) }
    }

    /// Indicates whether the page of a session may see the camera: its own request has the camera now.
    func mayWatch(_ session: String) -> Bool {
        state.withLock { state in
            state.registry.open.contains {
                $0.session == session && $0.id == state.queue.first?.id
            }
        }
    }

    /// Ends all waiting, because the station stops.
    ///
    /// The pages send their requests again when the station is back.
    func close() {
        let (timers, turn) = state.withLock { state in
            state.isClosed = true
            defer { (state.timers, state.queue, state.turn) = ([:], CameraQueue(), nil) }
            return (Array(state.timers.values), state.turn?.task)
        }
        for timer in timers { timer.cancel() }
        turn?.cancel()
    }

    func end(_ id: String, _ new: RequestRegistry.State) -> RequestRegistry.Entry? {
        let (entry, timer) = state.withLock { state in
            let isHeld = new == .expired && state.answers[id] != nil
            let entry = isHeld ? nil : state.registry.end(id, new)
            guard entry != nil else { return (entry, nil as Task<Void, any Error>?) }
            _ = state.queue.leave(id)
            return (entry, state.timers.removeValue(forKey: id))
        }
        timer?.cancel()
        if let entry {
            publish(entry)
            giveTurn()
        }
        return entry
    }

    /// Keeps a request from timing out while what may answer it is read or written, until ``release(_:)``.
    func hold(_ entry: RequestRegistry.Entry) { state.withLock { $0.hold(entry.id) } }

    /// Lets a request time out again unless something else holds it.
    func release(_ entry: RequestRegistry.Entry) {
        state.withLock { state in
            guard let count = state.answers[entry.id] else { return }
            state.answers[entry.id] = count > 1 ? count - 1 : nil
        }
        if now() >= entry.deadline { _ = end(entry.id, .expired) }
    }

    /// Lets a request time out again after its typed or scanned code was written, or could not be.
    func releaseTyped(_ entry: RequestRegistry.Entry) {
        state.withLock { _ = $0.typed.remove(entry.id) }
        release(entry)
    }

    /// Returns the message for the current state of a request, including what it waits for.
    func message(_ entry: RequestRegistry.Entry) -> RequestMessage {
        state.withLock { state in
            RequestMessage(
                state.registry.entry(entry.id, for: .station) ?? entry,
                waitsFor: state.queue.blocker(of: entry.id)?.owner, repeated: state.repeated == entry.id, now: now())
        }
    }

    func publish(_ entry: RequestRegistry.Entry) {
        scanService.publish("request", message(entry), to: entry.session.map { .session($0) } ?? .station)
    }
}

extension RequestCoordinator.State {
    mutating func hold(_ id: String) { answers[id, default: 0] += 1 }
}

extension BridgeRequest {
    /// Indicates whether a code of this symbology may answer the request.
    func admits(_ symbology: Symbology) -> Bool { symbologies.isEmpty || symbologies.contains(symbology) }
}

extension RequestRegistry.Owner {
    /// The origin; `nil` for the station itself.
    var origin: String? {
        if case .origin(let origin) = self { origin } else { nil }
    }
}

extension BridgeSymbol {
    /// Creates the symbol of a stored event.
    init(_ symbol: ScannedSymbol, event: EventID) {
        self.init(
            symbology: symbol.symbology, text: symbol.text, bytes: symbol.bytes, charset: symbol.charset,
            symbologyIdentifier: symbol.symbologyIdentifier, addOn: symbol.addOn, corners: symbol.corners,
            event: event.description)
    }
}
