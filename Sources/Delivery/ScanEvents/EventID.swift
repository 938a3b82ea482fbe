public import FoundationEssentials
internal import Synchronization

/// The identifier of an event: a UUID of version 7 (RFC 9562), which sorts by its creation time.
public struct EventID: Sendable, Hashable, CustomStringConvertible {
    /// The UUID in lower case, 36 characters.
    public let description: String

    /// Parses a UUID; `nil` if the text is not one.
    public init?(_ text: String) {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
        description = uuid.uuidString.lowercased()
    }

    /// Creates an identifier larger than any other created by this process.
    ///
    /// - Parameter now: the time to encode, in milliseconds. Setting the clock back does not make the identifier
    ///   smaller.
    public init(now: Date = Date()) {
        let moment = Self.last.withLock { last in
            let milliseconds = UInt64(max(0, now.timeIntervalSince1970 * 1000))
            // Section 6.2, method 1: a twelve-bit counter within the millisecond, which overflows into the next
            // one.
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

    /// A placeholder to decode another identifier into.
    static let none = EventID(unchecked: "00000000-0000-7000-8000-000000000000")

    private init(unchecked text: String) { description = text }

    /// The last value given out: milliseconds, then a twelve-bit counter.
    private static let last = Mutex<UInt64>(0)
}

extension EventID: Codable {
    /// Decodes the text of a UUID.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = EventID(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not a UUID")
        }
        self = id
    }

    /// Encodes the text of the UUID.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
