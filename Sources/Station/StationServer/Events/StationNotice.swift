internal import FoundationEssentials
public import ScanEvents
internal import ScanOutbox
internal import SymbolContent

/// The settings for notices to people who are not looking at the station's page.
public struct NoticeSettings: Sendable {
    /// The codes that are announced at once; `nil` for none.
    public var codes: EventFilter?
    /// Indicates whether failures to store or to deliver codes are announced.
    public var failures = false

    /// Creates settings without any notice.
    public init() {}
}

/// A notice for people who are not looking at the page.
public struct StationNotice: Sendable, Hashable, Encodable {
    /// The kind of a notice.
    public enum Kind: String, Sendable, Encodable {
        /// A code was read that matches ``NoticeSettings/codes``.
        case code
        /// Codes could not be saved; announced once until the next success.
        case notSaved = "not-saved"
        /// A destination failed for good (dead letter) or is disabled.
        case notDelivered = "not-delivered"
    }

    /// The kind of notice.
    public var kind: Kind
    /// The text of the code, or the name of the destination; empty if `content` replaces it.
    public var text: String
    /// The kind of a personal message, whose text is not shown.
    public var content: String?
    /// The number of codes.
    public var count = 1
}

/// Selects the notices for stored and changed events.
struct NoticeRule: Sendable {
    let settings: NoticeSettings
    /// The failed deliveries that were announced, oldest first.
    ///
    /// An event also changes when another destination does.
    private var told: [String] = []
    private var toldKeys: Set<String> = []
    private static let maximumTold = 16_384
    /// Earlier failures are not announced.
    private let start = Date()

    init(_ settings: NoticeSettings) { self.settings = settings }

    /// Returns the notices for stored events.
    mutating func notices(stored records: [HistoryRecord]) -> [StationNotice] {
        // For a disabled destination, an event has failed from the start.
        let failures = notices(changed: records)
        guard let codes = settings.codes else { return failures }
        return failures
            + records.map(\.event).filter { $0.symbol.withheld == nil && codes.admits($0) }.map { event in
                let content = event.personalKind
                return StationNotice(kind: .code, text: content == nil ? event.symbol.text : "", content: content)
            }
    }

    /// Returns the notices for events with changed deliveries: one per destination.
    mutating func notices(changed records: [HistoryRecord]) -> [StationNotice] {
        guard settings.failures else { return [] }
        var counts: [(destination: String, count: Int)] = []
        for record in records {
            for delivery in record.deliveries where [.dead, .disabled].contains(delivery.state) {
                // A delivery that was replayed and failed again has a new attempt, and is announced again.
                let attempt = delivery.lastAttempt ?? record.event.time
                let key = "\(record.event.id) \(attempt.milliseconds) \(delivery.destination)"
                if attempt.milliseconds < start.milliseconds { continue }
                guard toldKeys.insert(key).inserted else { continue }
                told.append(key)
                if let place = counts.firstIndex(where: { $0.destination == delivery.destination }) {
                    counts[place].count += 1
                } else {
                    counts.append((delivery.destination, 1))
                }
            }
        }
        let surplus = max(0, told.count - Self.maximumTold)
        toldKeys.subtract(told.prefix(surplus))
        told.removeFirst(surplus)
        return counts.map { StationNotice(kind: .notDelivered, text: $0.destination, count: $0.count) }
    }
}
