internal import BridgeDialects
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import ScanEvents
internal import ScanOutbox

/// `/workplace`: the current operator and place.
struct WorkplaceRoutes: Sendable {
    let scanService: ScanService

    private struct Change: Decodable {
        var place: String?
        /// Indicates whether the place is present: `null` returns to the configured one.
        var hasPlace: Bool
        var name: String?
        var isSigningOut: Bool

        enum Key: String, CodingKey { case place, name, signOut }

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Key.self)
            place = try object.decodeIfPresent(String.self, forKey: .place)
            hasPlace = object.contains(.place)
            name = try object.decodeIfPresent(String.self, forKey: .name)
            isSigningOut = try object.decodeIfPresent(Bool.self, forKey: .signOut) ?? false
        }
    }

    func add(to group: RouteGroup) {
        group.get(
            "workplace",
            RouteDescription(
                "workplace", "Who reads codes, and where", answer: .data(.schema("Workplace")), failures: [.notNow])
        ) { _, _ in Envelope.answer(data: self.scanService.workplaceMessage) }
        group.post(
            "workplace",
            RouteDescription(
                "setWorkplace", "Names who is signed in, signs out, or chooses the place",
                body: .json(
                    .fields(optional: [
                        "name": ["type": "string"], "signOut": ["type": "boolean"],
                        "place": ["oneOf": [["type": "null"], ["type": "string"]]],
                    ]), isRequired: false), answer: .data(.schema("Workplace")),
                failures: [.badRequest, .conflict, .tooLarge, .notNow])
        ) { request, _ in
            let change = try JSONText.decode(Change.self, from: try await SmallBody.read(request, upTo: 4096))
            for name in [change.place, change.name].compactMap({ $0 }) {
                guard (1...Workplace.maximumName).contains(name.utf8.count) else {
                    throw HTTPFailure.badRequest("bad_name", "A name must have 1 to \(Workplace.maximumName) bytes.")
                }
            }
            try await self.apply(change)
            return Envelope.answer(data: self.scanService.publishWorkplace())
        }
    }

    private func apply(_ change: Change) async throws {
        let workplace = scanService.workplace
        do {
            if let name = change.name, try await !workplace.name(name, at: Date()) {
                throw HTTPFailure(.conflict, "nobody_signed_in", "Nobody is signed in: scan a badge first.")
            }
            if change.hasPlace { try await workplace.choose(place: change.place) }
        } catch let error as OutboxError {
            throw HTTPFailure(.serviceUnavailable, "not_saved", error.description)
        }
        if change.isSigningOut { workplace.signOut() }
    }
}

/// The current operator and place, as sent to clients.
struct WorkplaceMessage: Encodable {
    struct Operator: Encodable {
        var label: String
        var hasName: Bool
        var expiresAt: String
    }

    /// Indicates whether badges are configured.
    var hasBadges: Bool
    var current: OrNull<Operator>
    var place: OrNull<String>
    /// The configured place.
    var configuredPlace: OrNull<String>

    enum CodingKeys: String, CodingKey {
        case hasBadges
        case current = "operator"
        case place
        case configuredPlace
    }
}
