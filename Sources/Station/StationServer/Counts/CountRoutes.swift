internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ScanEvents
internal import ScanOutbox

/// `/counts`: counts the scanned codes, by content.
struct CountRoutes: Sendable {
    let scanService: ScanService

    /// The maximum number of closed counts in the list.
    private static let maximumListed = 20
    private static let maximumName = 200

    private struct Opening: Decodable { var name: String? }
    private struct Closing: Decodable {
        /// Indicates whether the count is delivered as one event.
        var deliver: Bool?
        /// The only destination to deliver to; all whose filter admits it if it is left out.
        var destination: String?
    }
    private struct List: Encodable {
        var counts: [CountMessage]
        /// The names of the destinations.
        var destinations: [String]
    }

    private static let id = RouteDescription.Parameter.path("id", "The number of the count.", ["type": "integer"])

    func add(to group: RouteGroup) {
        group.get(
            "counts",
            RouteDescription(
                "counts", "The newest counts; the open one with its lines",
                answer: .data(
                    .fields(["counts": .list(of: .schema("Count")), "destinations": .list(of: ["type": "string"])])),
                failures: [.notNow])
        ) { _, _ in
            let counts = try await self.asked { try await $0.newest(Self.maximumListed) }
            var messages: [CountMessage] = []
            for count in counts {
                messages.append(count.closedAt == nil ? try await self.message(count) : CountMessage(count, lines: nil))
            }
            return Envelope.answer(data: List(counts: messages, destinations: self.scanService.destinationNames))
        }
        group.get(
            "counts/:id",
            RouteDescription(
                "countByNumber", "A count with its lines", parameters: [Self.id], answer: .data(.schema("Count")),
                failures: [.badRequest, .notFound, .notNow])
        ) { _, context in try await self.answer(try self.number(context), tells: false) }
        group.get(
            "counts/:id/csv",
            RouteDescription(
                "countTable", "A count as comma-separated values", parameters: [Self.id],
                answer: .file("The table.", ["text/csv": ["type": "string"]]),
                failures: [.badRequest, .notFound, .notNow])
        ) { _, context in try await self.table(try self.number(context)) }
        addOpening(to: group)
        addLines(to: group)
    }

    /// Adds the routes that open and close a count.
    private func addOpening(to group: RouteGroup) {
        group.post(
            "counts",
            RouteDescription(
                "openCount", "Opens a count",
                body: .json(.fields(optional: ["name": ["type": "string"]]), isRequired: false),
                answer: .data(.schema("Count")), failures: [.badRequest, .conflict, .tooLarge, .notNow])
        ) { request, _ in
            let body = try await SmallBody.read(request, upTo: 4096)
            let name = body.isEmpty ? "" : try JSONText.decode(Opening.self, from: body).name ?? ""
            guard name.utf8.count <= Self.maximumName else {
                throw HTTPFailure.badRequest("bad_name", "The name must have at most \(Self.maximumName) bytes.")
            }
            guard let number = try await self.asked({ try await $0.open(name: name, now: Date()) }) else {
                throw HTTPFailure(.conflict, "count_open", "A count is already open; close it first.")
            }
            return try await self.answer(number)
        }
        group.post(
            "counts/:id/close",
            RouteDescription(
                "closeCount", "Closes a count, as one event unless that is not wanted", parameters: [Self.id],
                body: .json(
                    .fields(optional: [
                        "deliver": [
                            "type": "boolean", "description": "Creates an event; true by default.",
                        ], "destination": ["type": "string", "description": "The only destination that gets it."],
                    ]), isRequired: false), answer: .data(.schema("Count")),
                failures: [.badRequest, .notFound, .conflict, .tooLarge, .notNow])
        ) { request, context in
            let number = try self.number(context)
            let body = try await SmallBody.read(request, upTo: 4096)
            let closing = body.isEmpty ? Closing() : try JSONText.decode(Closing.self, from: body)
            if let name = closing.destination, !self.scanService.destinationNames.contains(name) {
                throw HTTPFailure.badRequest("unknown_destination", "There is no destination \(name).")
            }
            guard
                try await self.scanService.closeCount(
                    number, delivers: closing.deliver ?? true, to: closing.destination)
            else { throw HTTPFailure(.conflict, "count_closed", "The count is not open.") }
            return try await self.answer(number)
        }
    }

    /// Adds the routes that change a count.
    private func addLines(to group: RouteGroup) {
        group.post(
            "counts/:id/undo",
            RouteDescription(
                "undoCount", "Takes back what was counted last", parameters: [Self.id], answer: .data(.schema("Count")),
                failures: [.badRequest, .notFound, .conflict, .notNow])
        ) { _, context in
            let number = try self.number(context)
            guard try await self.asked({ try await $0.undo(number) }) else {
                throw HTTPFailure(.conflict, "nothing_to_undo", "There is no counted code to undo.")
            }
            return try await self.answer(number)
        }
        group.post(
            "counts/:id/lines",
            RouteDescription(
                "setCountLine", "Changes the quantity of a code", parameters: [Self.id],
                body: .json(.schema("CountLine")), answer: .data(.schema("Count")),
                failures: [.badRequest, .notFound, .conflict, .tooLarge, .notNow])
        ) { request, context in
            let number = try self.number(context)
            let line = try JSONText.decode(
                CountedLines.Line.self, from: try await SmallBody.read(request, upTo: 8 * TypedCode.maximumBytes))
            guard (0...CountStore.maximumQuantity).contains(line.quantity) else {
                throw HTTPFailure.badRequest(
                    "bad_quantity", "The quantity must be 0 to \(CountStore.maximumQuantity).")
            }
            guard try await self.asked({ try await $0.set(line, of: number, now: Date()) }) else {
                throw HTTPFailure(.conflict, "no_such_line", "The count is not open, or has no such code.")
            }
            return try await self.answer(number)
        }
    }

    private func number(_ context: StationContext) throws -> Int64 {
        guard let number = context.parameters.get("id").flatMap({ Int64($0) }) else {
            throw HTTPFailure.badRequest("bad_count", "The path does not contain the number of a count.")
        }
        return number
    }

    private func asked<Value>(_ question: (CountStore) async throws -> Value) async throws -> Value {
        do {
            return try await question(scanService.counts)
        } catch let error as OutboxError {
            throw HTTPFailure(.serviceUnavailable, "not_saved", error.description)
        }
    }

    private func message(_ count: CountRecord) async throws -> CountMessage {
        CountMessage(count, lines: try await asked { try await $0.lines(of: count.number) })
    }

    /// Returns the count as a response, and publishes it to other pages.
    private func answer(_ number: Int64, tells: Bool = true) async throws -> Response {
        guard let count = try await asked({ try await $0.record(number) }) else {
            throw HTTPFailure(.notFound, "no_such_count", "There is no count \(number).")
        }
        if tells { scanService.publishCount(count) }
        return Envelope.answer(data: try await message(count))
    }

    private func table(_ number: Int64) async throws -> Response {
        guard let count = try await asked({ try await $0.record(number) }) else {
            throw HTTPFailure(.notFound, "no_such_count", "There is no count \(number).")
        }
        let lines = try await asked { try await $0.lines(of: number) }
        let rows =
            [["count", "name", "format", "text", "quantity"]]
            + lines.map {
                [String(count.number), count.name, $0.format, $0.text, String($0.quantity)]
            }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"count-\(number).csv\"",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: ScanTable.mark + rows.flatMap(SpreadsheetCell.row))))
    }
}

/// A count, as sent to clients.
struct CountMessage: Encodable {
    var number: Int64
    var name: String
    var openedAt: String
    var closedAt: OrNull<String>
    var event: OrNull<String>
    var total: Int
    var codes: Int
    var canUndo: Bool
    var lines: [CountedLines.Line]?

    init(_ count: CountRecord, lines: [CountedLines.Line]?) {
        number = count.number
        name = count.name
        openedAt = count.openedAt.rfc3339
        closedAt = OrNull(count.closedAt?.rfc3339)
        event = OrNull(count.event)
        total = count.total
        codes = count.codes
        canUndo = count.canUndo
        self.lines = lines
    }
}
