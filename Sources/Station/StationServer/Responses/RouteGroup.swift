internal import BridgeDialects
internal import HTTPTypes
internal import Hummingbird

/// The callers of a group of routes.
enum RouteAccess {
    case anybody
    /// Callers with the station's token.
    case station
    /// Those with the station's token, and pages with a session.
    case pages
    /// The same, and pages of listed origins without a session.
    case listedPages
    /// The same as `pages`, and phones.
    case pictures
    /// Callers with the station's token, and programs on this machine; the route itself checks that.
    case stationOrLocal

    /// The authorized callers besides those with the station's token; `nil` if the group does not check them.
    fileprivate var additionalCallers: AuthorizationMiddleware.AdditionalCallers? {
        switch self {
        case .anybody, .stationOrLocal: nil
        case .station: AuthorizationMiddleware.AdditionalCallers.none
        case .pages: .sessions
        case .listedPages: .pages
        case .pictures: .sessionsAndPhones
        }
    }

    /// The security requirements in the OpenAPI description, any of which is enough.
    fileprivate var security: JSON {
        let (token, session, nothing): (JSON, JSON, JSON) = (["token": []], ["session": []], [:])
        return switch self {
        case .anybody: []
        case .station: [token]
        case .pages, .pictures: [token, session]
        case .listedPages: [token, session, nothing]
        case .stationOrLocal: [token, nothing]
        }
    }

    /// The errors of every route of the group.
    fileprivate var failures: [RouteDescription.Failure] {
        (self == .anybody ? [] : [.noToken]) + [.forbidden, .misdirected]
    }
}

/// The described routes of a router.
final class RouteTable {
    /// A route, with a path such as `scans/:id`.
    struct Row {
        var method: HTTPRequest.Method
        var path: String
        var access: RouteAccess
        var description: RouteDescription
    }

    fileprivate(set) var rows: [Row] = []

    /// The paths of the OpenAPI description.
    var openAPI: JSON {
        var paths: [String: [String: JSON]] = [:]
        for row in rows { paths[row.template, default: [:]][row.method.rawValue.lowercased()] = row.openAPI }
        return .object(paths.mapValues(JSON.object))
    }
}

extension RouteTable.Row {
    /// The path as OpenAPI writes it, such as `/scans/{id}`.
    var template: String {
        "/"
            + path.split(separator: "/").map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }
            .joined(separator: "/")
    }

    fileprivate var openAPI: JSON {
        var operation: [String: JSON] = [
            "operationId": .string(description.id), "summary": .string(description.summary),
            "security": access.security,
        ]
        if let details = description.details { operation["description"] = .string(details) }
        if !description.parameters.isEmpty { operation["parameters"] = .array(description.parameters.map(\.openAPI)) }
        if let body = description.body {
            operation["requestBody"] = [
                "required": .bool(body.isRequired), "content": RouteDescription.content(body.schemas),
            ]
        }
        var responses: [String: JSON] = [:]
        for failure in access.failures + description.bodyFailures + description.failures {
            responses[String(failure.status.code)] = ["$ref": .string("#/components/responses/" + failure.rawValue)]
        }
        for answer in description.answers { responses[String(answer.status.code)] = answer.openAPI }
        operation["responses"] = .object(responses)
        return .object(operation)
    }
}

extension RouteDescription {
    /// The errors of every route that takes JSON.
    fileprivate var bodyFailures: [Failure] {
        body?.schemas["application/json"] == nil ? [] : [.badRequest, .tooSlow, .tooLarge]
    }

    fileprivate static func content(_ schemas: [String: JSON]) -> JSON {
        .object(schemas.mapValues { ["schema": $0] })
    }
}

extension RouteDescription.Parameter {
    fileprivate var openAPI: JSON {
        [
            "name": .string(name), "in": .string(place.rawValue), "required": .bool(isRequired),
            "description": .string(meaning), "schema": schema,
        ]
    }
}

extension RouteDescription.Answer {
    fileprivate var openAPI: JSON {
        var answer: [String: JSON] = [
            "description": .string(meaning), "content": RouteDescription.content(schemas),
        ]
        answer["headers"] = headers
        return .object(answer)
    }
}

/// Routes with the same access, each of which is described where it is added.
struct RouteGroup {
    private let routes: RouterGroup<StationContext>
    private let access: RouteAccess
    private let table: RouteTable

    /// Creates a group of a router, whose descriptions go into `table`.
    init(_ router: Router<StationContext>, _ access: RouteAccess, _ accessControl: AccessControl, _ table: RouteTable) {
        let group = router.group()
        routes =
            access.additionalCallers.map {
                group.add(middleware: AuthorizationMiddleware(additionalCallers: $0, accessControl: accessControl))
            } ?? group
        (self.access, self.table) = (access, table)
    }

    func get(
        _ path: String, _ description: RouteDescription,
        use handler: @Sendable @escaping (Request, StationContext) async throws -> some ResponseGenerator
    ) {
        add(.get, path, description, handler)
    }

    func post(
        _ path: String, _ description: RouteDescription,
        use handler: @Sendable @escaping (Request, StationContext) async throws -> some ResponseGenerator
    ) {
        add(.post, path, description, handler)
    }

    func delete(
        _ path: String, _ description: RouteDescription,
        use handler: @Sendable @escaping (Request, StationContext) async throws -> some ResponseGenerator
    ) {
        add(.delete, path, description, handler)
    }

    /// Adds the OpenAPI description of all routes of the table, itself included.
    func addDescription(for dialects: [BridgeDialect]) {
        table.rows.append(
            RouteTable.Row(method: .get, path: Asset.descriptionPath, access: access, description: .openAPI))
        let asset = Asset.description(of: table, for: dialects)
        routes.get(RouterPath(asset.path)) { _, _ in asset.response() }
    }

    private func add(
        _ method: HTTPRequest.Method, _ path: String, _ description: RouteDescription,
        _ handler: @Sendable @escaping (Request, StationContext) async throws -> some ResponseGenerator
    ) {
        table.rows.append(RouteTable.Row(method: method, path: path, access: access, description: description))
        routes.on(RouterPath(path), method: method, use: handler)
    }
}
