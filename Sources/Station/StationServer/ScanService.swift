internal import BarcodeCore
internal import BridgeDialects
public import Delivery
internal import FoundationEssentials
internal import HTTPTypes
public import Logging
internal import ScanEvents
public import ScanOutbox
public import StationDevices
public import SymbolContent
internal import Synchronization
internal import VideoCapture

/// Stores scans and publishes them to clients once they are on disk.
///
/// It connects the camera, the uploads, the outbox and the pages, and knows nothing of HTTP connections.
public final class ScanService: Sendable {
    /// The key of a source's details for the page request that the event answers.
    static let requestKey = "request"
    /// The key of a source's details for the origin of that page.
    static let originKey = "origin"
    /// The key of a source's details for the upload, as named by its sender.
    static let uploadKey = "upload"
    /// The number of newest events to search for those of a request or upload that is no longer in memory.
    static let searchedEvents = 2000

    let outbox: Outbox
    let hub: EventHub
    let health = HealthCache()
    let logger: Logger
    /// Indicates whether exported tables omit personal messages, including those that are still stored.
    let withholdsPersonal: Bool
    /// The counts.
    let counts: CountStore
    /// The current operator and place.
    let workplace: Workplace
    /// The lookups of scans; `nil` if none are configured.
    let lookups: LookupQueue?
    private let station: String
    private let destinations: [Destination]
    private let feed = ScanFeed(after: nil)
    /// The intake for explicit actions of a person: each creates an event, even for the same code twice.
    private let uploads: ScanIntake
    private let camera: ScanIntake
    private let pageCameras: PageCameras
    private let failure = Mutex<String?>(nil)
    /// The follower of commits since the service resumed; `nil` before.
    private let follower = Mutex<OutboxFollower?>(nil)
    private let notices: Mutex<NoticeRule>
    private let onNotice: @Sendable (StationNotice) -> Void

    /// Creates a service for an outbox.
    ///
    /// - Parameters:
    ///   - station: the station's name in events.
    ///   - destinations: the destinations of events.
    ///   - policy: the rule for repetitions in front of the camera (deduplication).
    ///   - signingKeys: the keys to check the signatures of messages with; `nil` to check none.
    ///   - withholdsPersonal: true if exported tables omit personal messages, including those that are still stored.
    ///   - workplace: the settings for badges and places.
    ///   - lookup: asks a system of the user's own about each scan; `nil` if none is configured.
    ///   - notices: the settings for notices to people who are not looking at the page.
    ///   - onNotice: gets each notice that is sent to the pages; must not block.
    ///   - logger: logs failures.
    /// - Throws: ``OutboxError`` if the station's own tables cannot be created.
    public init(
        outbox: Outbox, station: String, destinations: [Destination], policy: DeduplicationPolicy,
        signingKeys: SigningKeys? = nil, withholdsPersonal: Bool = true,
        workplace: WorkplaceSettings = WorkplaceSettings(), lookup: Lookup? = nil,
        notices: NoticeSettings = NoticeSettings(), onNotice: @escaping @Sendable (StationNotice) -> Void = { _ in },
        logger: Logger
    ) throws {
        let hub = EventHub()
        self.hub = hub
        self.outbox = outbox
        self.station = station
        self.destinations = destinations
        counts = try CountStore(outbox)
        self.workplace = try Workplace(workplace, outbox: outbox)
        self.withholdsPersonal = withholdsPersonal
        self.logger = logger
        self.notices = Mutex(NoticeRule(notices))
        self.onNotice = onNotice
        @Sendable func intake(_ policy: DeduplicationPolicy) -> ScanIntake {
            ScanIntake(
                outbox: outbox, station: station, destinations: destinations, policy: policy, signingKeys: signingKeys)
        }
        uploads = intake(.none)
        camera = intake(policy)
        pageCameras = PageCameras { intake(.untilUnseen(PageCameras.absence)) }
        lookups = lookup.map { lookup in
            LookupQueue(
                concerns: lookup.concerns, answer: lookup.answer, picture: lookup.picture, logger: logger
            ) { message in
                hub.publish("lookup", message, to: .station, logger: logger)
            }
        }
    }

    /// Resumes the station's state: the open count and the chosen place.
    ///
    /// It also starts to record commits for ``follow()``.
    ///
    /// - Throws: ``OutboxError``.
    public func resume() async throws {
        try await counts.resume()
        try await workplace.resume()
        _ = try await beginFollowing()
    }

    var stationName: String { station }

    /// The names of the destinations.
    var destinationNames: [String] { destinations.map(\.name) }

    /// The destination `name` without its filter, because it was chosen explicitly; all destinations with their
    /// filters for `nil`.
    func receivers(of name: String?) -> [Destination] {
        guard let name else { return destinations }
        return destinations.filter { $0.name == name }.map {
            var destination = $0
            destination.filter = EventFilter()
            return destination
        }
    }

    /// The reason why the last attempt to store failed; `nil` if it succeeded.
    var storeFailure: String? { failure.withLock { $0 } }

    /// Stores the symbols of uploaded pictures; they are on disk when this returns.
    ///
    /// - Returns: an event for each symbol, in order.
    func store(_ submissions: [ScanSubmission], request: String?) async throws -> [ScanEvent] {
        try await store(submissions, with: uploads, request: request)
    }

    /// Stores the symbols in a frame of a page's camera, except for those that were in view just before.
    ///
    /// - Returns: an event for each new symbol, in order.
    func store(frame submission: ScanSubmission, ofCamera name: String) async throws -> [ScanEvent] {
        try await store([submission], with: pageCameras.intake(of: name, at: Date()), request: nil)
    }

    /// Stores a reading of the camera that somebody requested.
    func store(
        _ reading: StationCamera.Reading, answering entry: RequestRegistry.Entry?
    ) async throws -> [ScanEvent] {
        try await store([Self.submission(of: reading, answering: entry)], with: uploads, request: entry?.id)
    }

    /// Stores a code that a person, or a scan gun, typed into a page with an open request.
    ///
    /// The symbology of a typed code is unknown.
    func store(
        typed text: String, isGun: Bool, answering entry: RequestRegistry.Entry
    ) async throws -> [ScanEvent] {
        let symbol = ScannedSymbol(
            symbology: Symbology(rawValue: Symbology.unknownWebName), text: text, bytes: Array(text.utf8),
            charset: "utf-8")
        let source = ScanSource(
            kind: isGun ? .device : .typed, name: isGun ? "scan gun" : nil, details: Self.details(of: entry))
        return try await store([ScanSubmission(symbols: [symbol], source: source)], with: uploads, request: entry.id)
    }

    /// Stores a code that a person, or a scan gun, typed into the station's page; `nil` for a badge or a place code.
    ///
    /// - Parameter time: the time of typing; `nil` for now.
    func store(
        typed symbol: ScannedSymbol, isGun: Bool, key: String?, time: Date? = nil
    ) async throws -> ScanEvent? {
        let source = ScanSource(
            kind: isGun ? .device : .typed, name: isGun ? "scan gun" : nil, details: Self.details(of: nil, upload: key))
        var submission = ScanSubmission(symbols: [symbol], source: source)
        submission.time = time
        submission = try await withoutBadgesAndPlaces(submission)
        return try await store([submission], with: uploads, request: nil).first
    }

    /// Applies badges and place codes, and removes them from the submission.
    private func withoutBadgesAndPlaces(_ submission: ScanSubmission) async throws -> ScanSubmission {
        do {
            let (rest, isChanged) = try await workplace.taking(submission, at: Date())
            if isChanged { publishWorkplace() }
            return rest
        } catch {
            throw unsaved([submission], request: nil, error)
        }
    }

    /// Stores a scan of a gun that the station reads itself.
    func store(
        scanned submission: ScanSubmission, answering entry: RequestRegistry.Entry?
    ) async throws -> [ScanEvent] {
        var submission = submission
        if let details = Self.details(of: entry) {
            submission.source.details = (submission.source.details ?? [:]).merging(details) { $1 }
        }
        // A code that answers a page's request is never taken for a badge or place.
        if entry == nil { submission = try await withoutBadgesAndPlaces(submission) }
        return try await store([submission], with: uploads, request: entry?.id)
    }

    /// Stores a reading of the camera; publishes repetitions and failures.
    public func accept(_ reading: StationCamera.Reading) async {
        guard let submission = try? await withoutBadgesAndPlaces(Self.submission(of: reading, answering: nil)) else {
            return
        }
        // Clients have already been told of the failure; the camera goes on.
        guard let events = try? await store([submission], with: camera, request: nil) else { return }
        var repeated = submission.symbols
        for event in events {
            if let place = repeated.firstIndex(where: event.symbol.isReading(of:)) { repeated.remove(at: place) }
        }
        for symbol in repeated {
            StationMetrics.repeated()
            publish("repeat", SymbolText(symbol), to: .station)
        }
        await count(repeated: repeated)
    }

    private static func submission(
        of reading: StationCamera.Reading, answering entry: RequestRegistry.Entry?
    ) -> ScanSubmission {
        var details = details(of: entry) ?? [:]
        if let file = reading.file { details["file"] = file }
        return ScanSubmission(
            reading.symbols, image: PixelSize(width: reading.size.width, height: reading.size.height),
            source: ScanSource(kind: .camera, name: reading.card, details: details.isEmpty ? nil : details))
    }

    /// The details of an event: the request that it answers, and its upload; `nil` if there are none.
    static func details(of entry: RequestRegistry.Entry?, upload: String? = nil) -> [String: String]? {
        var details: [String: String] = [:]
        details[requestKey] = entry?.id
        details[originKey] = entry?.owner.origin
        details[uploadKey] = upload
        return details.isEmpty ? nil : details
    }

    /// Returns the stored events of an upload; empty if there are none.
    func events(ofUpload key: String) async throws -> [ScanEvent] {
        do {
            return try await outbox.events(withDetail: Self.uploadKey, key, among: Self.searchedEvents).map(\.event)
        } catch let error as OutboxError {
            logger.error("Could not read the history", metadata: ["error": "\(error)"])
            throw HTTPFailure(
                .serviceUnavailable, "outbox", "The history could not be read; see the station's log.")
        }
    }

    private func store(
        _ submissions: [ScanSubmission], with intake: ScanIntake, request: String?
    ) async throws -> [ScanEvent] {
        do {
            if submissions.allSatisfy(\.symbols.isEmpty) { return [] }
            let now = Date()
            let submissions = submissions.map { workplace.stamped($0, at: now) }
            let events: [ScanEvent]
            if let number = counts.openNumber {
                events = try await intake.accept(submissions, at: now) { [counts] transaction, entries in
                    let events = try transaction.store(entries)
                    try counts.add(
                        events.map(\.symbol), completed: transaction.completed.map(\.symbol), to: number, now: now,
                        in: transaction.database)
                    return events
                }
                await publishCount(number)
            } else {
                events = try await intake.accept(submissions, at: now)
            }
            if !events.isEmpty { failure.withLock { $0 = nil } }
            return events
        } catch {
            throw unsaved(submissions, request: request, error)
        }
    }

    /// Reports unsaved submissions to the pages, the log and the metrics, and returns the error for the sender.
    private func unsaved(_ submissions: [ScanSubmission], request: String?, _ error: any Error) -> HTTPFailure {
        let sentence = (error as? OutboxError)?.description ?? "the event could not be written"
        let isNews = failure.withLock { failure in
            defer { failure = sentence }
            return failure == nil
        }
        StationMetrics.notSaved()
        logger.error("Could not save a scan", metadata: ["error": "\(error)"])
        let symbols = submissions.flatMap(\.symbols).map(SymbolText.init)
        let reason = (error as? OutboxError)?.code.rawValue ?? OutboxError.Code.database.rawValue
        publish(
            "not-saved",
            UnsavedMessage(
                error: sentence, reason: reason, symbols: symbols, request: OrNull(request),
                upload: OrNull(submissions.lazy.compactMap { $0.source.details?[Self.uploadKey] }.first)),
            to: .station)
        // Only the first failure creates a notice, not each code.
        if isNews, notices.withLock({ $0.settings.failures }) {
            tell([StationNotice(kind: .notSaved, text: "", count: symbols.count)])
        }
        // The error to a page of another origin contains no path.
        return HTTPFailure(.serviceUnavailable, "not_saved", request == nil ? sentence : Self.notSaved)
    }

    /// A code that could not be saved.
    ///
    /// The page keeps showing it, with an explanation by `reason`.
    private struct UnsavedMessage: Encodable {
        var error: String
        /// The code of the outbox's error, such as `disk_full`.
        var reason: String
        var symbols: [SymbolText]
        var request: OrNull<String>
        /// The name of the upload, given by the sender, which keeps the data and retries.
        var upload: OrNull<String>
    }

    private struct SymbolText: Encodable {
        var format: String
        var text: String
        /// The kind of a personal message, which pages show instead of the text.
        var content: String?

        init(_ symbol: ScannedSymbol) {
            format = symbol.symbology.rawValue
            text = symbol.text
            content = ScanEvent(station: "", source: ScanSource(kind: .camera), symbol: symbol).personalKind
        }
    }

    /// The error message for a page of another origin.
    static let notSaved = "The scan could not be saved; see the station's log."

    /// Publishes an event to the connected clients.
    func publish(_ name: String, _ data: some Encodable, to audience: EventMessage.Audience) {
        hub.publish(name, data, to: audience, logger: logger)
    }

    private func tell(_ notices: [StationNotice]) {
        for notice in notices {
            publish("notice", notice, to: .station)
            onNotice(notice)
        }
    }

    /// Returns the scans after `id`, in the order of their commits.
    func scans(after id: EventID?, limit: Int) async throws -> [ScanFeed.Entry] {
        if let entries = feed.entries(after: id) { return entries }
        return try await outbox.events(after: id, limit: limit).map(Self.entry)
    }

    private static func entry(_ record: HistoryRecord) throws -> ScanFeed.Entry {
        ScanFeed.Entry(
            id: record.event.id,
            bytes: EventMessage.bytes(
                id: record.event.id.description, name: "scan", data: try JSONText.bytes(ScanMessage(record))))
    }

    /// Follows the outbox and publishes commits until the task is cancelled.
    func follow() async throws {
        let follower = if let follower = follower.withLock({ $0 }) { follower } else { try await beginFollowing() }
        hub.publishScans()
        for await _ in follower.wakes {
            let changes = follower.take()
            do {
                try await publish(changes)
            } catch {
                // The outbox reported an error; later queries read from it again.
                logger.error("Could not read new events from the outbox", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Starts to record commits; none is missed from here on.
    private func beginFollowing() async throws -> OutboxFollower {
        let follower = outbox.follow()
        feed.reset(after: try await outbox.newestEvent())
        self.follower.withLock { $0 = follower }
        return follower
    }

    private func publish(_ changes: OutboxChanges) async throws {
        if changes.hasEvents {
            while case let records = try await outbox.events(after: feed.head, limit: 128), !records.isEmpty {
                feed.append(try records.map(Self.entry))
                hub.publishScans()
                tell(notices.withLock { $0.notices(stored: records) })
                lookups?.take(records.map(\.event))
            }
        }
        if changes.missed > 0 { StationMetrics.missed(changes.missed) }
        let isWanted = !hub.clients.isEmpty || notices.withLock { $0.settings.failures }
        if changes.changed.isEmpty || !isWanted { return }
        let records = try await outbox.events(changes.changed.sorted { $0.description < $1.description })
        for record in records { publish("delivery", DeliveryMessage(record), to: .station) }
        tell(notices.withLock { $0.notices(changed: records) })
    }
}
