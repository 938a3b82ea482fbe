internal import BarcodeCore
internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ScanEvents
internal import ScanOutbox

/// `/scans`: the history.
struct ScanRoutes: Sendable {
    let scanService: ScanService

    private struct Page: Encodable {
        var scans: [ScanRecord]
        var next: OrNull<EventID>
    }

    private static let id = RouteDescription.Parameter.path("id", "The event.", .schema("EventID"))

    func add(to group: RouteGroup) {
        group.get(
            "scans",
            RouteDescription(
                "scans", "The history, newest first", parameters: HistoryQuery.parameters,
                answer: .data(
                    .fields([
                        "scans": .list(of: .schema("Record")),
                        "next": ["oneOf": [["type": "null"], .schema("EventID")]],
                    ])), failures: [.badRequest, .notNow])
        ) { request, _ in
            let query = try HistoryQuery(request.query)
            let records = try await self.history(query)
            let isFull = records.count == query.limit
            return Envelope.answer(
                data: Page(
                    scans: records.map(ScanRecord.init), next: OrNull(isFull ? records.last?.event.id : nil)))
        }
        group.get(
            "scans.csv",
            RouteDescription(
                "table", "The history as a table; without a limit all of it", parameters: HistoryQuery.parameters,
                answer: .file(
                    "RFC 4180; a cell that a spreadsheet would take for a formula begins with an apostrophe.",
                    ["text/csv": ["type": "string"]]), failures: [.badRequest])
        ) { request, _ in
            var query = try HistoryQuery(request.query)
            if request.query["limit"] == nil { query.limit = 100 }
            let wanted = request.query["limit"] == nil ? Int.max : query.limit
            return self.table(query, wanted: wanted)
        }
        group.get(
            "scans/:id",
            RouteDescription(
                "oneScan", "One scan", parameters: [Self.id], answer: .data(.schema("Record")),
                failures: [.badRequest, .notFound])
        ) { _, context in
            Envelope.answer(data: ScanRecord(try await self.record(try self.id(context))))
        }
        group.post(
            "scans/:id/replay",
            RouteDescription(
                "replay", "Sends a scan again", parameters: [Self.id], answer: .data(.schema("Record")),
                failures: [.badRequest, .notFound, .conflict, .notNow])
        ) { _, context in
            let id = try self.id(context)
            do {
                _ = try await self.scanService.outbox.replay(.event(id))
            } catch let error as OutboxError where error.code == .withheld {
                throw HTTPFailure(.conflict, "withheld", error.description)
            } catch let error as OutboxError where error.code == .notFound {
                throw Self.noScan(id)
            } catch let error as OutboxError {
                throw HTTPFailure(.serviceUnavailable, "not_saved", error.description)
            }
            return Envelope.answer(data: ScanRecord(try await self.record(id)))
        }
    }

    private func id(_ context: StationContext) throws -> EventID {
        guard let id = context.parameters.get("id").flatMap({ EventID($0) }) else {
            throw HTTPFailure.badRequest("bad_event_id", "The path does not contain a valid event ID.")
        }
        return id
    }

    private func record(_ id: EventID) async throws -> HistoryRecord {
        guard let record = try await scanService.outbox.event(id) else {
            throw Self.noScan(id)
        }
        return record
    }

    private static func noScan(_ id: EventID) -> HTTPFailure {
        HTTPFailure(.notFound, "no_such_scan", "No scan has the ID \(id).")
    }

    private func history(_ query: HistoryQuery) async throws -> [HistoryRecord] {
        do {
            return try await scanService.outbox.history(query)
        } catch let error as OutboxError {
            throw HTTPFailure(.serviceUnavailable, "outbox", error.description)
        }
    }

    /// Returns the table as a stream, so that the memory use does not depend on its length.
    private func table(_ query: HistoryQuery, wanted: Int) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"scans.csv\"",
            ],
            body: ResponseBody { writer in
                var (query, left) = (query, wanted)
                try await writer.write(ByteBuffer(bytes: ScanTable.head))
                while left > 0 {
                    query.limit = min(left, 500)
                    let records = try await scanService.outbox.history(query)
                    let rows = records.flatMap {
                        ScanTable.row($0, withholdsPersonal: scanService.withholdsPersonal)
                    }
                    try await writer.write(ByteBuffer(bytes: rows))
                    left -= records.count
                    guard records.count == query.limit, let last = records.last else { break }
                    query.before = last.event.id
                }
                try await writer.finish(nil)
            })
    }
}

extension HistoryQuery {
    /// Creates a query from the parameters of a URL.
    ///
    /// - Throws: ``HTTPFailure`` 400 with the name of the invalid parameter.
    init(_ parameters: RequestQuery) throws {
        self.init(limit: 50)
        newestFirst = true
        func wrong(_ name: String, _ what: String) -> HTTPFailure {
            .badRequest("bad_query", "The query parameter \(name) must be \(what).")
        }
        func value<Value>(_ name: String, _ what: String, _ make: (String) -> Value?) throws -> Value? {
            guard let text = parameters[name] else { return nil }
            guard let value = make(text) else { throw wrong(name, what) }
            return value
        }
        limit =
            try value("limit", "a number from 1 to 500") { Int($0).flatMap { (1...500).contains($0) ? $0 : nil } } ?? 50
        before = try value("before", "an event ID") { EventID($0) }
        symbology = try value("format", "a supported symbology") { name in
            Symbology.all.first { $0.rawValue == name }
        }
        state = try value("state", "pending, delivered, dead or disabled") { DeliveryState(name: $0) }
        since = try value("since", "an RFC 3339 time") { Date(rfc3339: $0) }
        until = try value("until", "an RFC 3339 time") { Date(rfc3339: $0) }
        self.operator = parameters["operator"].flatMap { $0.isEmpty ? nil : $0 }
        place = parameters["place"].flatMap { $0.isEmpty ? nil : $0 }
        if let part = parameters["q"], !part.isEmpty {
            for name in ["text", "prefix"] where parameters[name] != nil {
                throw wrong(name, "omitted if q is set")
            }
            text = .containing(part)
        }
        if let whole = parameters["text"] {
            text = .exactly(whole)
            if parameters["prefix"] != nil { throw wrong("prefix", "omitted if text is set") }
        } else if let beginning = parameters["prefix"], !beginning.isEmpty {
            text = .beginning(beginning)
        }
    }
}

extension HistoryQuery {
    /// The parameters of a query in a URL.
    fileprivate static let parameters: [RouteDescription.Parameter] = [
        .query("limit", "The most scans.", ["type": "integer", "minimum": .integer(1), "maximum": .integer(500)]),
        .query("before", "Older than this one: the last of the page before.", .schema("EventID")),
        .query("text", "The whole text.", ["type": "string"]),
        .query("prefix", "The beginning of the text.", ["type": "string"]),
        .query("q", "A part of the text, in any case; personal messages are not searched.", ["type": "string"]),
        .query("operator", "Who read it.", ["type": "string"]),
        .query("place", "Where it was read.", ["type": "string"]),
        .query("format", "The symbology.", .schema("Format")),
        .query("state", "The state at any destination.", ["enum": ["pending", "delivered", "dead", "disabled"]]),
        .query("since", "Not before.", ["type": "string", "format": "date-time"]),
        .query("until", "Before.", ["type": "string", "format": "date-time"]),
    ]
}
