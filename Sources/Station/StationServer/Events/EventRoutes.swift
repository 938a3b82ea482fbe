internal import BridgeDialects
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ScanDevices
internal import ScanEvents
internal import ScanOutbox

/// `GET /events`: server-sent events.
struct EventRoutes: Sendable {
    let scanService: ScanService
    let keyboards: TypingControl

    /// The number of scans per query of the outbox.
    static let page = 64

    func add(to group: RouteGroup) {
        group.get(
            "events",
            RouteDescription(
                "events", "Server-sent events",
                details: "scan (with an id, once it is on the disk), delivery, repeat, not-saved, request, "
                    + "camera, view, devices, keyboard, lookup, gun, dropped. Last-Event-ID goes on after that "
                    + "scan. A page's session hears of its own requests alone, and with gun of what scan "
                    + "guns read while no page asks. not-saved has the codes that could not be saved "
                    + "(symbols), a reason, such as disk_full, and the Idempotency-Key by which they were "
                    + "sent (upload), if any.",
                parameters: [
                    .query("lastEventId", "As the header Last-Event-ID.", .schema("EventID")),
                    .query("view", "Whether to hear of what is in view.", ["enum": ["1"]]),
                    .query(
                        "gun",
                        "Whether this page takes what scan guns read while no page asks; the page that said "
                            + "so last gets it.", ["enum": ["1"]]),
                    .query(
                        "page",
                        "What the station's own pages call these events in /keyboard/focus: they have the "
                            + "focus no more once the events end.",
                        ["type": "string", "minLength": .integer(8), "maxLength": .integer(64)]),
                ], answer: .file("Events.", ["text/event-stream": ["type": "string"]]),
                failures: [.badRequest, .tooMany, .notNow])
        ) { request, context in try await self.events(request, context) }
    }

    private func events(_ request: Request, _ context: StationContext) async throws -> Response {
        let wantsView = request.query["view"] == "1"
        var last: EventID?
        if let text = request.headers[.lastEventID] ?? request.query["lastEventId"],
            !text.isEmpty
        {
            guard let id = EventID(text) else {
                throw HTTPFailure.badRequest("bad_event_id", "Last-Event-ID is not a valid event ID.")
            }
            last = id
        }
        let client = try scanService.hub.open(
            context.quotaUser, wantsView: wantsView, wantsGun: context.session != nil && request.query["gun"] == "1")
        // Only pages of the station on this machine; they lose the focus once they disconnect.
        let name = context.isSameMachine && context.caller == .station ? request.query["page"] : nil
        let known = name.flatMap { $0.isIdentifier ? (name: $0, connection: keyboards.connect(events: $0)) : nil }
        let reservation = Reservation { [scanService, keyboards] in
            scanService.hub.remove(client)
            if let known { keyboards.disconnect(known.connection, events: known.name) }
        }
        // Read after the client is registered, so that it misses no later commit.
        let start: EventID? = if let last { last } else { try await scanService.outbox.newestEvent() }
        // Send the missed scans at once.
        if last != nil && client.session == nil { client.putScans() }
        let body = ResponseBody { [scanService] writer in
            defer { reservation.end() }
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await Self.write(client, after: start, scanService, into: &writer)
            } onInboundClosed: {
                client.close()
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            body: body)
    }

    private static func write(
        _ client: EventClient, after start: EventID?, _ scanService: ScanService,
        into writer: inout any ResponseBodyWriter
    ) async throws {
        var cursor = start
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n: \n\n"))
        while let batch = await client.next() {
            // Scans come first: a page must get a scan before it gets the changes of its deliveries.
            if batch.hasScans {
                while case let entries = try await scanService.scans(after: cursor, limit: page),
                    let last = entries.last
                {
                    try await writer.write(ByteBuffer(bytes: entries.flatMap(\.bytes)))
                    cursor = last.id
                }
            }
            var bytes = batch.messages.flatMap { $0 }
            if batch.dropped > 0 {
                StationMetrics.dropped(batch.dropped)
                bytes += try EventMessage("dropped", ["count": batch.dropped], to: .station).bytes
            }
            if batch.hasHeartbeat && bytes.isEmpty { bytes = [0x3A, 0x20, 0x0A, 0x0A] }
            if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
        }
    }
}
