internal import FoundationEssentials
internal import Hummingbird
internal import ScanEvents

/// Phones whose cameras are used: a link for each with a token of its own, and which of them are here.
struct PhoneRoutes: Sendable {
    let settings: BridgeSettings
    let accessControl: AccessControl

    private struct Link: Encodable {
        /// Null where no other machine can be led to the station.
        var link: OrNull<String>
        /// Why there is none: `loopback` or `no_hosts`; null where there is one.
        var problem: OrNull<String>
        /// A QR symbol of it, row by row, with 1 for a dark module.
        var symbol: [String]
        /// Whether browsers let pages that come so use a camera.
        var isSecure: Bool
    }

    private struct List: Encodable {
        var phones: [Entry]
    }

    private struct Entry: Encodable {
        var id: String
        var expiresAt: String
        /// Null of one that has not come yet.
        var seenAt: OrNull<String>

        init(_ phone: PhoneStore.Phone) {
            id = phone.name
            expiresAt = phone.expiresAt.rfc3339
            seenAt = OrNull(phone.seenAt?.rfc3339)
        }
    }

    func add(to router: RouterGroup<StationContext>) {
        router.post("phones") { request, _ in
            let link = place(askedBy: request.head.authority).map {
                // In the fragment, which a browser sends to nobody.
                "\(settings.scheme)://\($0)/phone#token=\(accessControl.addPhone().token)"
            }
            return Envelope.answer(
                data: Link(
                    link: OrNull(link), problem: OrNull(link == nil ? problem : nil),
                    symbol: link.map(settings.symbol) ?? [], isSecure: settings.tls != nil))
        }
        router.get("phones") { _, _ in Envelope.answer(data: List(phones: accessControl.phones().map(Entry.init))) }
        router.delete("phones/:id") { _, context in
            guard accessControl.removePhone(context.parameters.get("id") ?? "") else {
                throw HTTPFailure(.notFound, "no_such_phone", "There is no phone with this ID; it may have ended.")
            }
            return Envelope.answer(data: List(phones: accessControl.phones().map(Entry.init)))
        }
    }

    /// The name by which others reach the station: that of the request, else the first that was configured.
    private func place(askedBy host: String?) -> String? {
        if let host, !BridgeSettings.isLoopback(Self.name(of: host)) { return host }
        guard !BridgeSettings.isLoopback(settings.address), let name = settings.hosts.first else { return nil }
        let port = host?.split(separator: ":").last.flatMap { Int($0) }.map { ":\($0)" } ?? ""
        return HostPolicy.hasPort(name) ? name : name + port
    }

    /// Why there is no link: the station listens for this machine alone, or does not know its name in the network.
    private var problem: String { BridgeSettings.isLoopback(settings.address) ? "loopback" : "no_hosts" }

    /// A host without its port.
    private static func name(of host: String) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return String(host.prefix { $0 != ":" })
    }
}
