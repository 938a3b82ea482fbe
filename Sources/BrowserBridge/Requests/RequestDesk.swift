internal import BarcodeCore
internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
internal import Logging
internal import ResultDispatch
internal import StationCamera
internal import Synchronization

/// Answers the requests of pages: opens them, waits for the camera or a picture, and tells the page.
final class RequestDesk: Sendable {
    private let desk: ScanDesk
    private let camera: StationCamera
    private let now: @Sendable () -> Duration

    private struct State: Sendable {
        var registry = RequestRegistry()
        /// Those that wait, for the camera or for the end of their time.
        var waits: [String: Task<Void, Never>] = [:]
        var isClosed = false
    }
    private let state = Mutex(State())

    init(desk: ScanDesk, camera: StationCamera, now: @escaping @Sendable () -> Duration) {
        self.desk = desk
        self.camera = camera
        self.now = now
    }

    /// How many requests are open.
    var openCount: Int { state.withLock { $0.registry.openCount } }

    /// Those that have not ended, the one that ends first at the beginning.
    var open: [RequestMessage] {
        let entries = state.withLock { $0.registry.open }
        return entries.sorted { $0.deadline < $1.deadline }.map { RequestMessage($0, now: now()) }
    }

    // MARK: opening

    /// Opens a request, or finds out what became of it when it was sent before, also before a restart.
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
            throw HTTPFailure(.conflict, "request_taken", "Another page has a request of this identifier.")
        case .full(let limit):
            throw HTTPFailure(
                limit, of: RequestRegistry.quota, reason: "too_many_requests_open", what: "requests open",
                retryAfter: 5)
        case .opened(let entry):
            if !stored.isEmpty { return end(entry.id, .answered(.symbols(stored))) ?? entry }
            publish(entry)
            wait(for: entry)
            return state.withLock { $0.registry.entry(entry.id, for: .station) } ?? entry
        }
    }

    private func storedAnswer(to bridge: BridgeRequest, owner: RequestRegistry.Owner) async throws -> [BridgeSymbol] {
        do {
            return try await desk.outbox
                .events(withDetail: ScanDesk.requestKey, bridge.id, among: ScanDesk.lookBack).map(\.event)
                .filter { $0.source.details?[ScanDesk.originKey] == owner.origin }
                .map { BridgeSymbol($0.symbol, event: $0.id) }
        } catch let error as OutboxError {
            desk.logger.error("The history could not be read", metadata: ["error": "\(error)"])
            // A page of another origin is told of no path.
            throw HTTPFailure(
                .serviceUnavailable, "outbox", "The station's history cannot be read; its log says why.")
        }
    }

    /// Waits for the camera, where the request may be answered by it, and for the end of its time.
    private func wait(for entry: RequestRegistry.Entry) {
        let usesCamera = entry.bridge.source != .album
        if entry.bridge.source == .camera && camera.state.status == .none {
            _ = end(entry.id, .failed(code: "no_camera", sentence: "The station has no camera."))
            return
        }
        let task = Task {
            do {
                if usesCamera, camera.state.status != .none {
                    let reading = try await camera.trigger(
                        formats: entry.bridge.formats, timeout: entry.bridge.timeout)
                    if let reading { return await answer(entry, with: reading) }
                } else {
                    try await Task.sleep(for: entry.bridge.timeout)
                }
                // The camera's end is no answer, and neither is its time's.
                if !Task.isCancelled { _ = end(entry.id, .expired) }
            } catch {
                // Cancelled: whoever did so has ended the request.
            }
        }
        let isTooLate = state.withLock { state in
            let isOpen = state.registry.entry(entry.id, for: .station)?.state == .open
            if isOpen && !state.isClosed { state.waits[entry.id] = task }
            return !isOpen || state.isClosed
        }
        if isTooLate { task.cancel() }
    }

    private func answer(_ entry: RequestRegistry.Entry, with reading: StationCamera.Reading) async {
        do {
            let events = try await desk.store(reading, answering: entry)
            let symbols = zip(reading.symbols, events).map { BridgeSymbol($0, event: $1.id.description) }
            _ = end(entry.id, .answered(.symbols(symbols)))
        } catch {
            _ = end(entry.id, .failed(code: "not_saved", sentence: ScanDesk.notSaved))
        }
    }

    // MARK: ending

    /// The open request that a picture is to answer.
    ///
    /// - Throws: ``HTTPFailure``: 404 where there is none, 409 where it wants no picture or has ended.
    func openRequest(_ id: String, for owner: RequestRegistry.Owner) throws -> RequestRegistry.Entry {
        guard let entry = state.withLock({ $0.registry.entry(id, for: owner) }) else {
            throw HTTPFailure(
                .notFound, "no_such_request", "There is no request of this identifier; it has to be opened first.")
        }
        guard entry.state == .open else {
            throw HTTPFailure(.conflict, "request_ended", "The request has ended already: it is \(entry.state.name).")
        }
        guard entry.bridge.source != .camera else {
            throw HTTPFailure(.conflict, "camera_only", "The request wants a code from the camera, and no picture.")
        }
        return entry
    }

    /// Answers a request with what a picture has shown; without a symbol it stays open, for the person to choose another.
    func answer(_ entry: RequestRegistry.Entry, with symbols: [BridgeSymbol]) {
        if !symbols.isEmpty { _ = end(entry.id, .answered(.symbols(symbols))) }
    }

    /// Gives a request up.
    ///
    /// - Returns: the request as it stands then; one that had ended stands as it did.
    func cancel(_ id: String, for owner: RequestRegistry.Owner) throws -> RequestRegistry.Entry {
        guard let entry = state.withLock({ $0.registry.entry(id, for: owner) }) else {
            throw HTTPFailure(.notFound, "no_such_request", "There is no request of this identifier.")
        }
        return end(id, .cancelled) ?? state.withLock { $0.registry.entry(id, for: owner) } ?? entry
    }

    /// Gives up the open requests of sessions.
    func cancel(where isGone: (String) -> Bool) {
        let open = state.withLock { $0.registry.open }
        for entry in open where entry.session.map(isGone) ?? false { _ = end(entry.id, .cancelled) }
    }

    /// Whether the page of a session may see what the camera sees: it waits for the camera now.
    func mayWatch(_ session: String) -> Bool {
        state.withLock { $0.registry.open.contains { $0.session == session && $0.bridge.source != .album } }
    }

    /// Ends what waits: the station stops.
    ///
    /// The pages ask again when it is back.
    func close() {
        let waits = state.withLock { state in
            state.isClosed = true
            defer { state.waits = [:] }
            return Array(state.waits.values)
        }
        for wait in waits { wait.cancel() }
    }

    private func end(_ id: String, _ new: RequestRegistry.State) -> RequestRegistry.Entry? {
        let (entry, wait) = state.withLock { state in
            let entry = state.registry.end(id, new)
            return (entry, entry == nil ? nil : state.waits.removeValue(forKey: id))
        }
        wait?.cancel()
        if let entry { publish(entry) }
        return entry
    }

    private func publish(_ entry: RequestRegistry.Entry) {
        desk.publish(
            "request", RequestMessage(entry, now: now()), to: entry.session.map { .session($0) } ?? .station)
    }
}

/// A request as it is sent.
struct RequestMessage: Encodable {
    var request: String
    var state: String
    /// The origin of the page that asks; null for the station itself.
    var origin: OrNull<String>
    var dialect: String
    var source: String
    var formats: [String]
    var ignoredFormats: [String]
    /// Seconds.
    var timeout: Double
    var expiresAt: String
    var outcome: JSON
    var calls: [PageCall]

    init(_ entry: RequestRegistry.Entry, now: Duration) {
        let bridge = entry.bridge
        request = bridge.id
        state = entry.state.name
        origin = OrNull(entry.owner.origin)
        dialect = bridge.dialect.rawValue
        source = bridge.source.rawValue
        formats = bridge.formats.map(\.rawValue).sorted()
        ignoredFormats = bridge.ignoredFormats
        timeout = bridge.timeout / .seconds(1)
        expiresAt = Date(timeIntervalSinceNow: (entry.deadline - now) / .seconds(1)).rfc3339
        outcome = entry.state.outcome.map { bridge.outcome($0) } ?? .null
        calls = entry.state.outcome.map { bridge.calls(for: $0) } ?? []
    }
}

extension RequestRegistry.Owner {
    /// The origin; nil for the station itself.
    var origin: String? {
        if case .origin(let origin) = self { origin } else { nil }
    }
}

extension BridgeSymbol {
    /// The symbol of an event that was stored.
    init(_ symbol: ScannedSymbol, event: EventID) {
        self.init(
            format: symbol.format, text: symbol.text, bytes: symbol.bytes, charset: symbol.charset,
            identifier: symbol.identifier, addOn: symbol.addOn, corners: symbol.corners, event: event.description)
    }
}
