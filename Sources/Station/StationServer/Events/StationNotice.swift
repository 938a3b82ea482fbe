internal import FoundationEssentials
public import ScanEvents
internal import ScanOutbox
internal import SymbolContent

/// What a station tells people who do not look at its page.
public struct NoticeSettings: Sendable {
    /// The codes that somebody must hear of at once; nil for none.
    public var codes: EventFilter?
    /// Whether somebody must hear of codes that could not be saved, or not be delivered.
    public var failures = false

    /// Nothing is told.
    public init() {}
}

/// A message for people who do not look at the page.
public struct StationNotice: Sendable, Hashable, Encodable {
    /// What has happened.
    public enum Kind: String, Sendable, Encodable {
        /// A code was read that somebody must hear of.
        case code
        /// Codes could not be saved; told once until one can be saved again.
        case notSaved = "not-saved"
        /// Codes were given up for a destination.
        case notDelivered = "not-delivered"
    }

    /// What has happened.
    public var kind: Kind
    /// The text of the code, or the name of the destination; empty where `content` stands for it.
    public var text: String
    /// The kind of a personal message, whose text is told to nobody.
    public var content: String?
    /// How many codes it is about.
    public var count = 1
}

/// Finds what is told among the events that were stored and changed.
struct NoticeRule: Sendable {
    let settings: NoticeSettings
    /// Deliveries that were told to have failed, the oldest first: an event changes once more for another destination.
    private var told: [String] = []
    private var toldKeys: Set<String> = []
    private static let maximumTold = 16_384
    /// What failed before is no news.
    private let start = Date()

    init(_ settings: NoticeSettings) { self.settings = settings }

    /// What is told of events that were stored.
    mutating func notices(stored records: [HistoryRecord]) -> [StationNotice] {
        // A destination that wants no more is so from the start.
        let failures = notices(changed: records)
        guard let codes = settings.codes else { return failures }
        return failures
            + records.map(\.event).filter { $0.symbol.withheld == nil && codes.admits($0) }.map { event in
                let content = event.personalContent?.rawValue
                return StationNotice(kind: .code, text: content == nil ? event.symbol.text : "", content: content)
            }
    }

    /// What is told of events whose deliveries changed: once for each destination.
    mutating func notices(changed records: [HistoryRecord]) -> [StationNotice] {
        guard settings.failures else { return [] }
        var counts: [(destination: String, count: Int)] = []
        for record in records {
            for delivery in record.deliveries where [.dead, .disabled].contains(delivery.state) {
                // One that was delivered again and failed again has had another attempt.
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
