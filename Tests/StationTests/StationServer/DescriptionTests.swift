import BarcodeCore
import BridgeDialects
import FoundationEssentials
import Hummingbird
import Logging
import OutboxSupport
import ScanEvents
import StationCamera
import TestSupport
import Testing

@testable import StationServer

/// Compares the OpenAPI description with the station's routes.
@Suite struct DescriptionTests {
    private struct Description: Decodable {
        struct Operation: Decodable { var operationId: String }
        struct Schema: Decodable { var `enum`: [String]? }
        struct Components: Decodable { var schemas: [String: Schema] }

        var openapi: String
        var paths: [String: [String: Operation]]
        var components: Components
    }

    /// Returns the station's routes, such as `GET /scans/{id}`.
    private static func routes() throws -> Set<String> {
        let box = try TestScanService()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try BridgeServer(
            settings: BridgeSettings(token: AccessToken(), uploadFolder: box.folder["uploads"]),
            scanService: box.scanService,
            camera: StationCamera(source: .none, onReading: { _ in }, logger: logger),
            decode: { _ in fatalError("no picture is sent") }, logger: logger)
        return Set(
            server.router().routes.map { route in
                let path = route.path.description.split(separator: "/")
                    .map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }.joined(separator: "/")
                return "\(route.method.rawValue) /\(path)"
            })
    }

    /// The files of the station's own page, which are not part of its interface.
    private static let pageFiles = Set(Asset.pageFiles.map { "GET /\($0.path)" })

    @Test func everyRouteIsDescribedAndNoOther() throws {
        let description = try JSONDecoder().decode(
            Description.self, from: Data(Asset.description(for: BridgeDialect.all)))
        let described = description.paths.flatMap { path, operations in
            operations.keys.map { "\($0.uppercased()) \(path)" }
        }
        #expect(try Self.routes().subtracting(Self.pageFiles) == Set(described))
        let names = description.paths.values.flatMap { $0.values.map(\.operationId) }
        #expect(Set(names).count == names.count)
        #expect(
            description.components.schemas["Dialect"]?.enum == BridgeDialect.all.filter(\.takesRequests).map(\.name))
        #expect(description.components.schemas["Format"]?.enum == Symbology.all.map(\.rawValue))
    }

    /// The table in docs/reference/http-api.md lists every route except for the files of the station's own page, and
    /// no others.
    @Test func theTableInTheDocumentation() throws {
        let text = try String(
            contentsOfFile: ProgramRunner.packageFolder + "docs/reference/http-api.md", encoding: .utf8)
        let section = text.split(separator: "\n## ").first { $0.hasPrefix("Routes\n") }
        let rows = try #require(section).split(separator: "\n").filter { $0.hasPrefix("| `") }
        // "GET /a" in backticks; the first cell may list several routes.
        let written = rows.compactMap { $0.split(separator: "|").first }
            .flatMap { $0.split(separator: "`").map(String.init).filter { $0.contains("/") } }
        #expect(Set(written).count == written.count)
        #expect(try Set(written) == Self.routes().subtracting(Self.pageFiles))
    }

    /// The description of an event is generated from the list of its fields.
    @Test func eventsAreDescribedByTheirFields() throws {
        let text = ScanEvent.openAPISchema.printed(indent: 1, level: 3)
        let part = try GeneratedText.part(
            between: "   \"ScanEvent\": ", and: ",\n   \"Delivery\": ",
            of: "Sources/Station/StationServer/openapi.json", madeAs: text)
        #expect(part == text)
    }
}
