internal import BridgeDialects
internal import FoundationEssentials
internal import Hummingbird
internal import ScanEvents

/// `/phones`: pairs phones whose cameras are used, each by a link with a token of its own, and lists them.
struct PhoneRoutes: Sendable {
    let settings: BridgeSettings
    let accessControl: AccessControl

    private struct Link: Encodable {
        /// The link; null if the station has no address that other machines can reach.
        var link: OrNull<String>
        /// The reason why there is no link, `loopback` or `no_hosts`; null if there is one.
        var problem: OrNull<String>
        /// A QR code of the link, row by row, with 1 for a dark module.
        var symbol: [String]
        /// Indicates whether browsers permit the page at the link to use a camera, which requires TLS.
        var isSecure: Bool
    }

    private struct List: Encodable {
        var phones: [Entry]
    }

    private struct Entry: Encodable {
        var id: String
        var expiresAt: String
        /// The time of the last request; null if there was none yet.
        var seenAt: OrNull<String>

        init(_ phone: PhoneStore.Phone) {
            id = phone.name
            expiresAt = phone.expiresAt.rfc3339
            seenAt = OrNull(phone.seenAt?.rfc3339)
        }
    }

    private static let phones = RouteDescription.Answer.data(
        .fields([
            "phones": .list(
                of: .fields([
                    "id": ["type": "string"], "expiresAt": ["type": "string", "format": "date-time"],
                    "seenAt": [
                        "type": ["string", "null"], "description": "The last use; null if it has not been used",
                    ],
                ]))
        ]))

    func add(to group: RouteGroup) {
        group.post(
            "phones",
            RouteDescription(
                "addPhone",
                "A link for one phone, with a token of its own that sends pictures and nothing else, "
                    + "and a QR symbol of it",
                answer: .data(
                    .fields([
                        "link": [
                            "type": ["string", "null"],
                            "description": "Null if other machines cannot reach the station",
                        ],
                        "problem": [
                            "enum": ["loopback", "no_hosts", .null],
                            "description": .string(
                                "Why there is no link: the station listens for its own machine alone, or "
                                    + "server.hosts is empty"),
                        ],
                        "symbol": [
                            "type": "array", "description": "The QR symbol row by row, 1 for a dark module",
                            "items": ["type": "string"],
                        ],
                        "isSecure": [
                            "type": "boolean", "description": "Whether browsers let the page use a camera there",
                        ],
                    ])))
        ) { request, _ in
            let link = place(askedBy: request.head.authority).map {
                // The token is in the fragment, which browsers send to no server.
                "\(settings.scheme)://\($0)/phone#token=\(accessControl.addPhone().token)"
            }
            return Envelope.answer(
                data: Link(
                    link: OrNull(link), problem: OrNull(link == nil ? problem : nil),
                    symbol: link.map(settings.symbol) ?? [], isSecure: settings.tls != nil))
        }
        group.get("phones", RouteDescription("phones", "The phones that are here or may come", answer: Self.phones)) {
            _, _ in Envelope.answer(data: List(phones: accessControl.phones().map(Entry.init)))
        }
        group.delete(
            "phones/:id",
            RouteDescription(
                "removePhone", "Sends a phone away: its token is worth nothing any more",
                parameters: [.path("id", "The phone.", ["type": "string"])], answer: Self.phones, failures: [.notFound])
        ) { _, context in
            guard accessControl.removePhone(context.parameters.get("id") ?? "") else {
                throw HTTPFailure(.notFound, "no_such_phone", "There is no phone with this ID; it may have ended.")
            }
            return Envelope.answer(data: List(phones: accessControl.phones().map(Entry.init)))
        }
    }

    /// The host name for other machines: the one of this request, else the first configured one; `nil` if there is
    /// none.
    private func place(askedBy host: String?) -> String? {
        if let host, !BridgeSettings.isLoopback(Self.name(of: host)) { return host }
        guard !BridgeSettings.isLoopback(settings.address), let name = settings.hosts.first else { return nil }
        let port = host?.split(separator: ":").last.flatMap { Int($0) }.map { ":\($0)" } ?? ""
        return HostPolicy.hasPort(name) ? name : name + port
    }

    /// The reason why there is no link: the station only listens on loopback, or does not know its name in the
    /// network.
    private var problem: String { BridgeSettings.isLoopback(settings.address) ? "loopback" : "no_hosts" }

    /// A host without its port.
    private static func name(of host: String) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return String(host.prefix { $0 != ":" })
    }
}
