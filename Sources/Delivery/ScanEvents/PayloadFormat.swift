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
    /// The fields of a form, `application/x-www-form-urlencoded`.
    case form(FieldsTemplate)
    /// The fields of a form, `multipart/form-data`, to which a picture can be added.
    case multipart(FieldsTemplate)

    /// The event type in both standards.
    static let eventType = "scan.created"

    /// The value of `Content-Type`.
    package var mediaType: String {
        switch self {
        case .cloudEvents: "application/cloudevents+json"
        case .form: "application/x-www-form-urlencoded"
        case .multipart: MultipartBody.plainMediaType
        default: "application/json"
        }
    }

    /// Indicates whether it is a form and not JSON.
    package var isForm: Bool {
        switch self {
        case .form, .multipart: true
        default: false
        }
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
            return try CloudEvent(
                id: event.id, source: "/quietzone/stations/\(event.station.percentEncoded)",
                subject: event.symbol.symbology.rawValue,
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
        case .form(let fields): return fields.formBody(for: event)
        case .multipart(let fields): return fields.multipartBody(for: event)
        }
    }

    private static func bytes(_ write: (inout JSONBytes) throws -> Void) rethrows -> Data {
        var json = JSONBytes(capacity: 1024)
        try write(&json)
        return Data(PrintableJSON.escaped(json.bytes))
    }
}
