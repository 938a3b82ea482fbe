internal import BridgeDialects
internal import Delivery
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ScanEvents

/// `GET /lookup`: the newest answer of the system that is asked about codes.
struct LookupRoutes: Sendable {
    let scanService: ScanService

    func add(to group: RouteGroup) {
        let message: JSON = .fields(
            [
                "id": .schema("EventID"),
                "state": [
                    "enum": ["waiting", "answered", "unknown", "refused", "away", "slow", "unusable", "skipped"]
                ],
            ],
            optional: [
                "text": ["type": "string"], "hasPicture": ["type": "boolean"], "tone": ["enum": ["good", "bad"]],
                "reason": ["type": "string"],
            ])
        group.get(
            "lookup",
            RouteDescription(
                "lookup", "The newest lookup",
                details: "Whether codes are looked up, and the state of the newest scan's lookup.",
                answer: .data(
                    .fields([
                        "isConfigured": ["type": "boolean"], "newest": ["oneOf": [["type": "null"], message]],
                    ])),
                failures: [.notNow])
        ) { _, _ in
            let lookups = self.scanService.lookups
            return Envelope.answer(
                data: NewestLookup(isConfigured: lookups != nil, newest: OrNull(lookups?.newest)))
        }
        group.get(
            "lookup/:id/picture",
            RouteDescription(
                "lookupPicture", "The picture of a lookup",
                details: "Of one of the newest lookups, whose message says that it has a picture.",
                parameters: [.path("id", "The event.", .schema("EventID"))],
                answer: .file("The picture.", ["image/*": ["type": "string", "format": "binary"]]),
                failures: [.notFound])
        ) { _, context in
            guard let id = EventID(try context.parameters.require("id")),
                let picture = self.scanService.lookups?.picture(of: id)
            else { throw HTTPFailure(.notFound, "no_picture", "There is no picture of this scan's lookup.") }
            return Response(
                status: .ok, headers: [.contentType: picture.mediaType, .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
        }
    }

    private struct NewestLookup: Encodable {
        var isConfigured: Bool
        var newest: OrNull<LookupMessage>
    }
}

/// The state of a scan's lookup, as sent to clients.
struct LookupMessage: Encodable, Sendable, Hashable {
    var id: EventID
    /// `waiting`, `skipped`, or a ``Lookup/Answer/State``.
    var state: String
    var text: String?
    /// `good` or `bad`.
    var tone: String?
    /// The reason why the text is missing, a clause in English; `nil` if there is a text.
    var reason: String?
    /// True once the picture of the answer can be had.
    var hasPicture: Bool?

    private init(_ id: EventID, _ state: String) {
        self.id = id
        self.state = state
    }

    /// The message that a lookup has been queued.
    static func waiting(_ id: EventID) -> LookupMessage { LookupMessage(id, "waiting") }

    /// The message that a lookup was dropped, because too many were waiting.
    static func skipped(_ id: EventID) -> LookupMessage { LookupMessage(id, "skipped") }

    /// The message about an answer.
    init(_ id: EventID, _ answer: Lookup.Answer) {
        self.init(id, answer.state.rawValue)
        text = answer.text
        tone = answer.tone?.rawValue
        reason = answer.reason
    }
}
