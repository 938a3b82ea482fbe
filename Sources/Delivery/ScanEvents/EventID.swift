public import FoundationEssentials
internal import Synchronization

/// The identifier of an event: a UUID of version 7 (RFC 9562), which sorts by the time that it was made.
public struct EventID: Sendable, Hashable, CustomStringConvertible {
    /// The UUID in lower case, 36 characters.
    public let description: String

    /// The identifier that a text spells; nil where the text is no UUID.
    public init?(_ text: String) {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
        description = uuid.uuidString.lowercased()
    }

    /// A new identifier, larger than every other that this process has made.
    ///
    /// - Parameter now: the time that it tells, in milliseconds; a clock that went back does not make it smaller.
    public init(now: Date = Date()) {
        let moment = Self.last.withLock { last in
            let milliseconds = UInt64(max(0, now.timeIntervalSince1970 * 1000))
            // Section 6.2, method 1: twelve bits count what one millisecond holds, and overflow into the next.
            last = max((milliseconds << 12) | UInt64.random(in: 0..<256), last + 1)
            return last
        }
        let high: UInt64 = (moment >> 12) << 16 | 0x7000 | (moment & 0xFFF)
        let low: UInt64 = (UInt64.random(in: .min ... .max) >> 2) | (1 << 63)
        var text: [UInt8] = []
        for place in 0..<32 {
            if [8, 12, 16, 20].contains(place) { text.append(0x2D) }
            let half = place < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: (half >> UInt64(60 - place % 16 * 4)) & 0xF)
            text.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
        description = String(decoding: text, as: UTF8.self)
    }

    /// An identifier to read another one into.
    static let none = EventID(unchecked: "00000000-0000-7000-8000-000000000000")

    private init(unchecked text: String) { description = text }

    /// The last moment that was given out: milliseconds, then twelve bits of a counter.
    private static let last = Mutex<UInt64>(0)
}

extension EventID: Codable {
    /// Reads the text of a UUID.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = EventID(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is no UUID")
        }
        self = id
    }

    /// Writes the text of the UUID.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
