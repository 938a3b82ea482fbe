internal import BarcodeCore
internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
public import Logging
internal import ScanEvents
public import ScanOutbox
public import StationCamera
internal import SymbolContent
internal import Synchronization
internal import VideoCapture

/// Where readings arrive and are told to whoever listens, once they are on the disk.
///
/// It stands between the camera, the uploads, the outbox and the pages, and knows nothing of HTTP's connections.
public final class ScanService: Sendable {
    /// The detail of an event's source that names the request of a page.
    static let requestKey = "request"
    /// The one that names the origin of that page.
    static let originKey = "origin"
    /// The one that names an upload, by whoever sent it.
    static let uploadKey = "upload"
    /// How many of the newest events are looked through for those of a request or an upload that nobody remembers.
    static let searchedEvents = 2000

    let outbox: Outbox
    let hub = EventHub()
    let health = HealthCache()
    let logger: Logger
    /// Whether tables leave out personal messages, also those that are still there.
    let withholdsPersonal: Bool
    /// What is counted.
    let counts: CountStore
    /// Who reads codes, and where.
    let workplace: Workplace
    private let station: String
    private let destinations: [Destination]
    private let feed = ScanFeed(after: nil)
    /// Explicit acts of a person: each is an event, also the same code twice.
    private let uploads: ScanIntake
    private let camera: ScanIntake
    private let pageCameras: PageCameras
    private let failure = Mutex<String?>(nil)
    /// What has been committed since the service resumed; nil before.
    private let follower = Mutex<OutboxFollower?>(nil)
    private let notices: Mutex<NoticeRule>
    private let onNotice: @Sendable (StationNotice) -> Void

    /// A service for an outbox.
    ///
    /// - Parameters:
    ///   - station: the station's name in events.
    ///   - destinations: where events go.
    ///   - policy: what counts as a repetition before the camera.
    ///   - withholdsPersonal: whether tables leave out personal messages, also those that are still there.
    ///   - workplace: by what codes it is known who reads, and where.
    ///   - notices: what people are told who do not look at the page.
    ///   - onNotice: hears what the pages are told of that; must not block.
    ///   - logger: for what fails.
    /// - Throws: ``OutboxError``, where the station's own tables cannot be made.
    public init(
        outbox: Outbox, station: String, destinations: [Destination], policy: DeduplicationPolicy,
        withholdsPersonal: Bool = true, workplace: WorkplaceSettings = WorkplaceSettings(),
        notices: NoticeSettings = NoticeSettings(), onNotice: @escaping @Sendable (StationNotice) -> Void = { _ in },
        logger: Logger
    ) throws {
        self.outbox = outbox
        self.station = station
        self.destinations = destinations
        counts = try CountStore(outbox)
        self.workplace = try Workplace(workplace, outbox: outbox)
        self.withholdsPersonal = withholdsPersonal
        self.logger = logger
        self.notices = Mutex(NoticeRule(notices))
        self.onNotice = onNotice
        uploads = ScanIntake(outbox: outbox, station: station, destinations: destinations)
        camera = ScanIntake(outbox: outbox, station: station, destinations: destinations, policy: policy)
        pageCameras = PageCameras {
            ScanIntake(
                outbox: outbox, station: station, destinations: destinations,
                policy: .untilUnseen(PageCameras.absence))
        }
    }

    /// Goes on where the station ended: with the count that was open, and at the place that was chosen; notes what is committed
    /// from here on, for ``follow()``.
    ///
    /// - Throws: ``OutboxError``.
    public func resume() async throws {
        try await counts.resume()
        try await workplace.resume()
        _ = try await beginFollowing()
    }

    var stationName: String { station }

    /// Where events can go.
    var destinationNames: [String] { destinations.map(\.name) }

    /// A destination that was chosen, which gets what it is chosen for; all of them, by their filters, for nil.
    func receivers(of name: String?) -> [Destination] {
        guard let name else { return destinations }
        return destinations.filter { $0.name == name }.map {
            var destination = $0
            destination.filter = EventFilter()
            return destination
        }
    }

    /// Why the last attempt to store failed; nil where it did not.
    var storeFailure: String? { failure.withLock { $0 } }

    /// Stores what pictures have shown that somebody sent; it is on the disk when it returns.
    ///
    /// - Returns: an event for each symbol, in their order.
    func store(_ sightings: [ScanSighting], request: String?) async throws -> [ScanEvent] {
        try await store(sightings, with: uploads, request: request)
    }

    /// Stores what a frame of a page's camera has shown, except what was in view just before.
    ///
    /// - Returns: an event for each symbol that is new, in their order.
    func store(frame sighting: ScanSighting, ofCamera name: String) async throws -> [ScanEvent] {
        try await store([sighting], with: pageCameras.intake(of: name, at: Date()), request: nil)
    }

    /// Stores what the camera has shown to somebody who asked for it.
    func store(
        _ reading: StationCamera.Reading, answering entry: RequestRegistry.Entry?
    ) async throws -> [ScanEvent] {
        try await store([Self.sighting(of: reading, answering: entry)], with: uploads, request: entry?.id)
    }

    /// Stores what a person, or a scan gun, has typed into a page that asked.
    ///
    /// Neither says what kind of symbol it is.
    func store(
        typed text: String, isGun: Bool, answering entry: RequestRegistry.Entry
    ) async throws -> [ScanEvent] {
        let symbol = ScannedSymbol(
            symbology: Symbology(rawValue: Symbology.unknownWebName), text: text, bytes: Array(text.utf8),
            charset: "utf-8")
        let source = ScanSource(
            kind: isGun ? .device : .typed, name: isGun ? "scan gun" : nil, details: Self.details(of: entry))
        return try await store([ScanSighting(symbols: [symbol], source: source)], with: uploads, request: entry.id)
    }

    /// Stores what a person, or a scan gun, has typed into the station's page; nil of a badge or the code of a place.
    ///
    /// - Parameter time: when it was typed; nil for now.
    func store(
        typed symbol: ScannedSymbol, isGun: Bool, key: String?, time: Date? = nil
    ) async throws -> ScanEvent? {
        let source = ScanSource(
            kind: isGun ? .device : .typed, name: isGun ? "scan gun" : nil, details: Self.details(of: nil, upload: key))
        var sighting = ScanSighting(symbols: [symbol], source: source)
        sighting.time = time
        sighting = try await withoutBadgesAndPlaces(sighting)
        return try await store([sighting], with: uploads, request: nil).first
    }

    /// Does what badges and the codes of places say, and leaves them out.
    private func withoutBadgesAndPlaces(_ sighting: ScanSighting) async throws -> ScanSighting {
        do {
            let (rest, isChanged) = try await workplace.taking(sighting, at: Date())
            if isChanged { publishWorkplace() }
            return rest
        } catch {
            throw unsaved([sighting], request: nil, error)
        }
    }

    /// Stores what a scan gun has read that the station reads itself.
    func store(
        scanned sighting: ScanSighting, answering entry: RequestRegistry.Entry?
    ) async throws -> [ScanEvent] {
        var sighting = sighting
        if let details = Self.details(of: entry) {
            sighting.source.details = (sighting.source.details ?? [:]).merging(details) { $1 }
        }
        // What a page has asked for is its answer, whatever it says.
        if entry == nil { sighting = try await withoutBadgesAndPlaces(sighting) }
        return try await store([sighting], with: uploads, request: entry?.id)
    }

    /// Stores what the camera has shown, tells of repetitions, and of what could not be saved.
    public func accept(_ reading: StationCamera.Reading) async {
        guard let sighting = try? await withoutBadgesAndPlaces(Self.sighting(of: reading, answering: nil)) else {
            return
        }
        // Who listens has heard of the failure; the camera goes on.
        guard let events = try? await store([sighting], with: camera, request: nil) else { return }
        var repeated = sighting.symbols
        for event in events {
            if let place = repeated.firstIndex(of: event.symbol) { repeated.remove(at: place) }
        }
        for symbol in repeated {
            StationMetrics.repeated()
            publish("repeat", SymbolText(symbol), to: .station)
        }
        await count(repeated: repeated)
    }

    private static func sighting(
        of reading: StationCamera.Reading, answering entry: RequestRegistry.Entry?
    ) -> ScanSighting {
        var details = details(of: entry) ?? [:]
        if let file = reading.file { details["file"] = file }
        return ScanSighting(
            reading.symbols, image: PixelSize(width: reading.size.width, height: reading.size.height),
            source: ScanSource(kind: .camera, name: reading.card, details: details.isEmpty ? nil : details))
    }

    /// What an event says of the request that it answers, and of its upload.
    static func details(of entry: RequestRegistry.Entry?, upload: String? = nil) -> [String: String]? {
        var details: [String: String] = [:]
        details[requestKey] = entry?.id
        details[originKey] = entry?.owner.origin
        details[uploadKey] = upload
        return details.isEmpty ? nil : details
    }

    /// The events of an upload that was stored before; none where it was not.
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
        _ sightings: [ScanSighting], with intake: ScanIntake, request: String?
    ) async throws -> [ScanEvent] {
        do {
            if sightings.allSatisfy(\.symbols.isEmpty) { return [] }
            let now = Date()
            let sightings = sightings.map { workplace.stamped($0, at: now) }
            let events: [ScanEvent]
            if let number = counts.openNumber {
                events = try await intake.accept(sightings, at: now) { [counts] transaction, entries in
                    try transaction.store(entries)
                    let events = entries.map(\.event)
                    try counts.add(events.map(\.symbol), to: number, now: now, in: transaction.database)
                    return events
                }
                await publishCount(number)
            } else {
                events = try await intake.accept(sightings, at: now)
            }
            if !events.isEmpty { failure.withLock { $0 = nil } }
            return events
        } catch {
            throw unsaved(sightings, request: request, error)
        }
    }

    /// Tells the pages, the log and the metrics that sightings could not be saved; the answer for whoever sent them.
    private func unsaved(_ sightings: [ScanSighting], request: String?, _ error: any Error) -> HTTPFailure {
        let sentence = (error as? OutboxError)?.description ?? "the event could not be written"
        let isNews = failure.withLock { failure in
            defer { failure = sentence }
            return failure == nil
        }
        StationMetrics.notSaved()
        logger.error("Could not save a scan", metadata: ["error": "\(error)"])
        let symbols = sightings.flatMap(\.symbols).map(SymbolText.init)
        let reason = (error as? OutboxError)?.code.rawValue ?? OutboxError.Code.database.rawValue
        publish(
            "not-saved",
            NotSaved(
                error: sentence, reason: reason, symbols: symbols, request: OrNull(request),
                upload: OrNull(sightings.lazy.compactMap { $0.source.details?[Self.uploadKey] }.first)),
            to: .station)
        // Whoever scans on is not told with each code.
        if isNews, notices.withLock({ $0.settings.failures }) {
            tell([StationNotice(kind: .notSaved, text: "", count: symbols.count)])
        }
        // A page of another origin is told of no path.
        return HTTPFailure(.serviceUnavailable, "not_saved", request == nil ? sentence : Self.notSaved)
    }

    /// A code that could not be saved: the page keeps showing it, and says by the reason what is wrong.
    private struct NotSaved: Encodable {
        var error: String
        /// The code of the outbox's error, such as `disk_full`.
        var reason: String
        var symbols: [SymbolText]
        var request: OrNull<String>
        /// The name by which they were sent, by whoever keeps them and sends them again.
        var upload: OrNull<String>
    }

    private struct SymbolText: Encodable {
        var format: String
        var text: String
        /// The kind of a personal message, which pages show in its place.
        var content: String?

        init(_ symbol: ScannedSymbol) {
            format = symbol.symbology.rawValue
            text = symbol.text
            content =
                ScanEvent(station: "", source: ScanSource(kind: .camera), symbol: symbol).personalContent?.rawValue
        }
    }

    /// What a page of another origin hears of it.
    static let notSaved = "The scan could not be saved; see the station's log."

    /// Tells those who listen now.
    func publish(_ name: String, _ data: some Encodable, to audience: EventMessage.Audience) {
        do {
            hub.publish(try EventMessage(name, data, to: audience))
        } catch {
            logger.error("Could not encode an event", metadata: ["event": "\(name)", "error": "\(error)"])
        }
    }

    private func tell(_ notices: [StationNotice]) {
        for notice in notices {
            publish("notice", notice, to: .station)
            onNotice(notice)
        }
    }

    /// Scans after one, in the order of their commits.
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

    /// Follows the outbox and tells of what is committed there, until the task is cancelled.
    func follow() async throws {
        let follower = if let follower = follower.withLock({ $0 }) { follower } else { try await beginFollowing() }
        hub.publishScans()
        for await _ in follower.wakes {
            let news = follower.take()
            do {
                try await publish(news)
            } catch {
                // The outbox says no; whoever asks later is answered from it.
                logger.error("Could not read new events from the outbox", metadata: ["error": "\(error)"])
            }
        }
    }

    /// From here on nothing that is committed is missed.
    private func beginFollowing() async throws -> OutboxFollower {
        let follower = outbox.follow()
        feed.reset(after: try await outbox.newestEvent())
        self.follower.withLock { $0 = follower }
        return follower
    }

    private func publish(_ news: OutboxNews) async throws {
        if news.hasEvents {
            while case let records = try await outbox.events(after: feed.head, limit: 128), !records.isEmpty {
                feed.append(try records.map(Self.entry))
                hub.publishScans()
                tell(notices.withLock { $0.notices(stored: records) })
            }
        }
        if news.missed > 0 { StationMetrics.missed(news.missed) }
        let isWanted = !hub.clients.isEmpty || notices.withLock { $0.settings.failures }
        if news.changed.isEmpty || !isWanted { return }
        let records = try await outbox.events(news.changed.sorted { $0.description < $1.description })
        for record in records { publish("delivery", DeliveryMessage(record), to: .station) }
        tell(notices.withLock { $0.notices(changed: records) })
    }
}
