internal import BarcodeCore
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The envelope of every JSON response: `{"isSuccess", "code", "errorMsg", "data"}`.
struct Envelope<Content: Encodable>: Encodable {
    var isSuccess: Bool
    var code: Int
    var errorMsg: String
    var data: Content
}

extension Envelope where Content == Never? {
    /// Returns a response with `data` in an envelope.
    ///
    /// The envelope's code is 0 for success, else the HTTP status.
    static func answer(
        status: HTTPResponse.Status = .ok, isSuccess: Bool = true, sentence: String = "", data: some Encodable
    ) -> Response {
        let envelope = Envelope<_>(
            isSuccess: isSuccess, code: isSuccess ? 0 : status.code, errorMsg: sentence, data: data)
        guard let body = try? JSONText.bytes(envelope) else {
            // Only a number without a JSON representation can fail, and none gets here.
            return Response(status: .internalServerError)
        }
        return Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

/// JSON as this server writes and reads it.
enum JSONText {
    /// Encodes a value on one line, with sorted keys.
    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return PrintableJSON.escaped([UInt8](try encoder.encode(value)))
    }

    /// Decodes a value from a body.
    ///
    /// - Throws: ``HTTPFailure`` 400 with the fault in the body.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw HTTPFailure.badRequest("bad_json", "The body is not valid JSON for this request: \(error.sentence).")
        }
    }
}

extension OrNull: Sendable where Wrapped: Sendable {}

/// An optional value that is encoded as `null` if it is `nil`, instead of being left out.
struct OrNull<Wrapped: Encodable>: Encodable {
    var value: Wrapped?

    init(_ value: Wrapped?) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}

extension DecodingError {
    /// The fault as a clause, without the content of the body.
    fileprivate var sentence: String {
        func place(_ context: Context) -> String {
            context.codingPath.isEmpty ? "the body" : context.codingPath.map(\.stringValue).joined(separator: ".")
        }
        return switch self {
        case .keyNotFound(let key, _): "\(key.stringValue) is missing"
        case .typeMismatch(_, let context): "\(place(context)) has the wrong type"
        case .valueNotFound(_, let context): "\(place(context)) is null"
        case .dataCorrupted(let context): "\(place(context)) is not valid JSON or has an invalid value"
        @unknown default: "it could not be decoded"
        }
    }
}
