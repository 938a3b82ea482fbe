import FoundationEssentials
import Hummingbird
import Logging
import OutboxSupport
import ScanEvents
import StationCamera
import Testing

@testable import BrowserBridge

/// The OpenAPI description and the routes that there are.
@Suite struct DescriptionTests {
    private struct Description: Decodable {
        struct Operation: Decodable { var operationId: String }
        struct Schema: Decodable { var `enum`: [String]? }
        struct Components: Decodable { var schemas: [String: Schema] }

        var openapi: String
        var paths: [String: [String: Operation]]
        var components: Components
    }

    @Test func everyRouteIsDescribedAndNoOther() throws {
        let box = try TestDesk()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try BridgeServer(
            settings: BridgeSettings(token: AccessToken(), uploadFolder: box.folder["uploads"]), desk: box.desk,
            camera: StationCamera(source: .none, onReading: { _ in }, logger: logger),
            decode: { _ in fatalError("no picture is sent") }, logger: logger)
        let routes = Set(
            server.router().routes.map { route in
                let path = route.path.description.split(separator: "/")
                    .map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }.joined(separator: "/")
                return "\(route.method.rawValue) /\(path)"
            })
        let description = try JSONDecoder().decode(Description.self, from: Data(PackageResources.openapi_json))
        let described = description.paths.flatMap { path, operations in
            operations.keys.map { "\($0.uppercased()) \(path)" }
        }
        #expect(routes == Set(described))
        let names = description.paths.values.flatMap { $0.values.map(\.operationId) }
        #expect(Set(names).count == names.count)
    }

    /// The description of an event is made of the list of its fields.
    @Test func eventsAreDescribedByTheirFields() throws {
        let text = ScanEvent.openAPISchema.printed(indent: 1, level: 3)
        let part = try GeneratedText.part(
            between: "   \"ScanEvent\": ", and: ",\n   \"Delivery\": ",
            of: "Sources/BrowserBridge/Assets/openapi.json", madeAs: text)
        #expect(part == text)
    }
}
