internal import BridgeDialects
internal import HTTPTypes

/// The OpenAPI description of a route, except for its path, method and access.
///
/// A schema is JSON; `openapi.json` has those that several routes share, see ``BridgeDialects/JSON/schema(_:)``.
struct RouteDescription {
    /// The unique name of the operation.
    var id: String
    /// The summary, in one line.
    var summary: String
    /// The details beyond the summary; `nil` if there are none.
    var details: String?
    var parameters: [Parameter]
    /// The body of the request; `nil` for none.
    var body: Body?
    /// The answers of the route itself.
    var answers: [Answer]
    /// The errors of the route, besides those that follow from its access.
    var failures: [Failure]

    init(
        _ id: String, _ summary: String, details: String? = nil, parameters: [Parameter] = [], body: Body? = nil,
        answer: Answer, otherAnswers: [Answer] = [], failures: [Failure] = []
    ) {
        (self.id, self.summary, self.details) = (id, summary, details)
        (self.parameters, self.body) = (parameters, body)
        (answers, self.failures) = ([answer] + otherAnswers, failures)
    }

    /// Returns the description of a file for pages and programs.
    static func file(_ asset: Asset) -> RouteDescription {
        let id = "file_" + asset.path.map { $0.isLetter ? String($0) : "_" }.joined()
        let type = String(asset.mediaType.prefix { $0 != ";" })
        return RouteDescription(
            id, "A file for pages and programs", answer: .file("The file.", [type: ["type": "string"]]))
    }

    /// The description of the OpenAPI description.
    static let openAPI = RouteDescription(
        "file_openapi_json", "A file for pages and programs",
        answer: .file("The file.", ["application/json": ["type": "object"]]))

    /// A parameter of a request.
    struct Parameter: Sendable {
        enum Place: String { case path, query, header }

        var place: Place
        var name: String
        var meaning: String
        var schema: JSON
        var isRequired: Bool

        /// Returns a part of the path, which stands there as `:name`.
        static func path(_ name: String, _ meaning: String, _ schema: JSON) -> Parameter {
            Parameter(place: .path, name: name, meaning: meaning, schema: schema, isRequired: true)
        }

        static func query(_ name: String, _ meaning: String, _ schema: JSON, isRequired: Bool = false) -> Parameter {
            Parameter(place: .query, name: name, meaning: meaning, schema: schema, isRequired: isRequired)
        }

        static func header(_ name: String, _ meaning: String, _ schema: JSON) -> Parameter {
            Parameter(place: .header, name: name, meaning: meaning, schema: schema, isRequired: false)
        }
    }

    /// The body of a request.
    struct Body: Sendable {
        /// The schemas by media type.
        var schemas: [String: JSON]
        var isRequired: Bool

        static func json(_ schema: JSON, isRequired: Bool = true) -> Body {
            Body(schemas: ["application/json": schema], isRequired: isRequired)
        }

        static func content(_ schemas: [String: JSON]) -> Body { Body(schemas: schemas, isRequired: true) }
    }

    /// An answer of a route.
    struct Answer: Sendable {
        var status: HTTPResponse.Status
        var meaning: String
        /// The schemas by media type.
        var schemas: [String: JSON]
        var headers: JSON?

        /// Returns an answer with data in an ``Envelope``.
        static func data(
            _ schema: JSON, status: HTTPResponse.Status = .ok, _ meaning: String = "Done."
        ) -> Answer {
            let data: JSON = ["type": "object", "properties": ["data": schema]]
            return Answer(
                status: status, meaning: meaning,
                schemas: ["application/json": ["allOf": [.schema("Envelope"), data]]])
        }

        /// Returns an answer without an envelope.
        static func file(_ meaning: String, _ schemas: [String: JSON], headers: JSON? = nil) -> Answer {
            Answer(status: .ok, meaning: meaning, schemas: schemas, headers: headers)
        }
    }

    /// An error, by the name of its response in `openapi.json`.
    enum Failure: String {
        case badRequest = "BadRequest"
        case noToken = "NoToken"
        case forbidden = "Forbidden"
        case notFound = "NotFound"
        case tooSlow = "TooSlow"
        case conflict = "Conflict"
        case tooLarge = "TooLarge"
        case mediaType = "MediaType"
        case misdirected = "Misdirected"
        case unreadable = "Unreadable"
        case tooMany = "TooMany"
        case notNow = "NotNow"
        case noRoom = "NoRoom"

        var status: HTTPResponse.Status {
            switch self {
            case .badRequest: .badRequest
            case .noToken: .unauthorized
            case .forbidden: .forbidden
            case .notFound: .notFound
            case .tooSlow: .requestTimeout
            case .conflict: .conflict
            case .tooLarge: .contentTooLarge
            case .mediaType: .unsupportedMediaType
            case .misdirected: .misdirectedRequest
            case .unreadable: .unprocessableContent
            case .tooMany: .tooManyRequests
            case .notNow: .serviceUnavailable
            case .noRoom: .init(code: 507)
            }
        }
    }
}

extension JSON {
    /// Returns a reference to a schema in `openapi.json`.
    static func schema(_ name: String) -> JSON { ["$ref": .string("#/components/schemas/" + name)] }

    /// Returns the schema of an array.
    static func list(of schema: JSON) -> JSON { ["type": "array", "items": schema] }

    /// Returns the schema of an object with these fields.
    static func fields(_ required: [String: JSON] = [:], optional: [String: JSON] = [:]) -> JSON {
        var schema: [String: JSON] = [
            "type": "object", "properties": .object(required.merging(optional) { first, _ in first }),
        ]
        if !required.isEmpty { schema["required"] = .array(required.keys.sorted().map(JSON.string)) }
        return .object(schema)
    }
}
