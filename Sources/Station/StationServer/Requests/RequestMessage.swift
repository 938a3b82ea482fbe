internal import BarcodeCore
internal import BridgeDialects
internal import FoundationEssentials
internal import ScanEvents

/// A request, as sent to clients.
struct RequestMessage: Encodable {
    var request: String
    var state: String
    /// The origin of the requesting page; null for the station itself.
    var origin: OrNull<String>
    /// While the request waits for the camera: the origin that has it, or `station` for the station's own page.
    var waitsFor: OrNull<String>
    /// Indicates whether only codes that have already answered are in view.
    var repeated: Bool
    var dialect: String
    var source: String
    var formats: [String]
    var ignoredFormats: [String]
    /// The timeout, in seconds.
    var timeout: Double
    var expiresAt: String
    var outcome: JSON
    var calls: [PageCall]

    /// The state of an open request that waits for its turn at the camera.
    static let waiting = "waiting"

    init(
        _ entry: RequestRegistry.Entry, waitsFor: RequestRegistry.Owner? = nil, repeated: Bool = false, now: Duration
    ) {
        let bridge = entry.bridge
        let isWaiting = entry.state == .open && waitsFor != nil
        request = bridge.id
        state = isWaiting ? Self.waiting : entry.state.name
        origin = OrNull(entry.owner.origin)
        self.waitsFor = OrNull(isWaiting ? waitsFor.map { $0.origin ?? "station" } : nil)
        self.repeated = repeated && entry.state == .open
        dialect = bridge.dialect.name
        source = bridge.source.rawValue
        formats = bridge.symbologies.map(\.rawValue).sorted()
        ignoredFormats = bridge.ignoredFormats
        timeout = bridge.timeout / .seconds(1)
        expiresAt = Date(timeIntervalSinceNow: (entry.deadline - now) / .seconds(1)).rfc3339
        outcome = entry.state.outcome.map { bridge.outcome($0) } ?? .null
        calls = entry.state.outcome.map { bridge.calls(for: $0) } ?? []
    }
}
