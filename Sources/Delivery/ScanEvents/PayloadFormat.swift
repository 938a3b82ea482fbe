internal import BarcodeCore
package import FoundationEssentials

/// The format in which a destination gets an event.
public enum PayloadFormat: Sendable, Hashable {
    /// `{"type", "timestamp", "data"}` of Standard Webhooks 1.0.0; `data` is the event.
    case standard
    /// CloudEvents 1.0 in structured mode; `data` is the event.
    case cloudEvents
    /// The event alone.
    case event
    /// `{"isSuccess": true, "code": 0, "errorMsg": "", "data": ...}`, as exchanged by hospital systems.
    case envelope
    /// JSON of the receiver's own shape.
    case template(BodyTemplate)

    /// The event type in both standards.
    static let eventType = "scan.created"

    /// The value of `Content-Type`.
    package var mediaType: String {
        if case .cloudEvents = self { "application/cloudevents+json" } else { "application/json" }
    }

    private struct CloudEvent: Encodable {
        var specversion = "1.0"
        var id: EventID
        var source: String
        var type = "quietzone." + PayloadFormat.eventType
        var subject: String
        var time: String
        var datacontenttype = "application/json"
        var data: ScanEvent
    }

    /// Creates the bytes for an event.
    package func body(for event: ScanEvent) throws -> Data {
        switch self {
        case .standard:
            return try Self.bytes { json in
                json.open()
                json.key("data")
                try event.write(to: &json)
                json.field("timestamp", event.time.rfc3339)
                json.field("type", Self.eventType)
                json.close()
            }
        case .cloudEvents:
            // It is a URI reference, so characters of the station's name other than letters and digits are escaped.
            let station = event.station.utf8.map { byte in
                byte.isUnreserved ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
            return try CloudEvent(
                id: event.id, source: "/quietzone/stations/\(station)", subject: event.symbol.symbology.rawValue,
                time: event.time.rfc3339, data: event
            ).jsonBytes()
        case .event: return try Self.bytes { try event.write(to: &$0) }
        case .envelope:
            return try Self.bytes { json in
                json.open()
                json.key("code")
                json.integer(0)
                json.key("data")
                try event.write(to: &json)
                json.field("errorMsg", "")
                json.key("isSuccess")
                json.raw("true")
                json.close()
            }
        case .template(let template):
            return try template.body(for: event)
        }
    }

    private static func bytes(_ write: (inout JSONBytes) throws -> Void) rethrows -> Data {
        var json = JSONBytes(capacity: 1024)
        try write(&json)
        return Data(PrintableJSON.escaped(json.bytes))
    }
}

extension UInt8 {
    /// Indicates whether the byte is an unreserved character of RFC 3986.
    fileprivate var isUnreserved: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
