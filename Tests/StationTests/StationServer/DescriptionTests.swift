import BarcodeCore
import BridgeDialects
import DecodeReports
import FoundationEssentials
import Hummingbird
import Logging
import ScanEvents
import StationDevices
import TestSupport
import Testing

@testable import StationServer

/// Compares the OpenAPI description with the station's routes.
@Suite struct DescriptionTests {
    private static func server() throws -> BridgeServer {
        let box = try TestScanService()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try BridgeServer(
            settings: BridgeSettings(token: AccessToken(), uploadFolder: box.folder["uploads"]),
            scanService: box.scanService,
            camera: StationCamera(source: .none, onReading: { _ in }, logger: logger),
            decode: { _ in fatalError("no picture is sent") }, logger: logger)
    }

    /// Returns the station's routes, such as `GET /scans/{id}`.
    private static func routes() throws -> Set<String> {
        Set(
            try server().router().routes.map { route in
                let path = route.path.description.split(separator: "/")
                    .map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }.joined(separator: "/")
                return "\(route.method.rawValue) /\(path)"
            })
    }

    /// Returns the described routes, and the OpenAPI description.
    private static func description() throws -> (rows: [RouteTable.Row], openAPI: JSON) {
        let table = RouteTable()
        _ = try server().router(describedIn: table)
        let bytes = Asset.description(of: table, for: BridgeDialect.all).content.readableBytesView
        return (table.rows, try JSONDecoder().decode(JSON.self, from: Data(bytes)))
    }

    /// The files of the station's own page, which are not part of its interface.
    private static let pageFiles = Set(Asset.pageFiles.map { "GET /\($0.path)" })

    @Test func everyRouteIsDescribedAndNoOther() throws {
        let (rows, openAPI) = try Self.description()
        let described = rows.map { "\($0.method.rawValue) \($0.template)" }
        #expect(try Self.routes().subtracting(Self.pageFiles) == Set(described))
        #expect(
            Self.names(in: openAPI["components"]?["schemas"]?["Dialect"])
                == BridgeDialect.all.filter(\.takesRequests).map(\.name))
        #expect(Self.names(in: openAPI["components"]?["schemas"]?["Format"]) == Symbology.all.map(\.rawValue))
    }

    private static func names(in schema: JSON?) -> [String]? {
        guard case .array(let values)? = schema?["enum"] else { return nil }
        return values.compactMap(\.string)
    }

    /// The parameters in the path of a route are described, with no others, and its name is its own.
    @Test func descriptionsFitTheirPaths() throws {
        let rows = try Self.description().rows
        for row in rows {
            let inPath = row.path.split(separator: "/").filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
            let described = row.description.parameters.filter { $0.place == .path }.map(\.name)
            #expect(inPath == described, "the parameters in the path of \(row.method) \(row.template)")
            let count = rows.count { $0.description.id == row.description.id }
            #expect(count == 1, "the name \(row.description.id) of \(row.method) \(row.template)")
        }
    }

    /// What a route refers to stands in openapi.json.
    @Test func referencesAreInTheDescription() throws {
        let (rows, openAPI) = try Self.description()
        for row in rows {
            let route = try #require(openAPI["paths"]?[row.template]?[row.method.rawValue.lowercased()])
            for reference in Self.references(in: route) {
                let found = reference.split(separator: "/").dropFirst().reduce(openAPI as JSON?) { $0?[String($1)] }
                #expect(found != nil, "\(row.method) \(row.template) refers to \(reference)")
            }
        }
    }

    private static func references(in json: JSON) -> [String] {
        switch json {
        case .array(let elements): elements.flatMap(references)
        case .object(let fields):
            (fields["$ref"]?.string.map { [$0] } ?? []) + fields.values.flatMap(references)
        default: []
        }
    }

    /// A body of JSON may be malformed, slow or too large at any route; and what was removed cannot be delivered again.
    @Test func bodiesAndReplaysMayBeRefused() throws {
        let (rows, openAPI) = try Self.description()
        func answers(_ row: RouteTable.Row) -> JSON? {
            openAPI["paths"]?[row.template]?[row.method.rawValue.lowercased()]?["responses"]
        }
        for row in rows where row.description.body?.schemas["application/json"] != nil {
            for status in ["400", "408", "413"] {
                #expect(answers(row)?[status] != nil, "\(status) of \(row.method) \(row.template)")
            }
        }
        let replay = try #require(rows.first { $0.description.id == "replay" })
        #expect(answers(replay)?["409"] != nil)
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

    /// The schema of a symbol has every field of its JSON, except for the parsed content, which the station writes only
    /// with events.
    @Test func symbolsAreDescribedByTheirFields() throws {
        let corner = Point(x: 0, y: 0)
        let record = SymbolRecord(
            Symbol(
                symbology: .qrCode, symbologyIdentifier: "]Q1", bytes: [], text: "",
                charset: Charset(name: "us-ascii", source: .symbology),
                corners: Quadrilateral(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)))
        let fields = Mirror(reflecting: record).children.compactMap(\.label)
        let schema = try Self.description().openAPI["components"]?["schemas"]?["Symbol"]?["properties"]
        guard case .object(let described)? = schema else {
            Issue.record("openapi.json has no schema of a symbol")
            return
        }
        #expect(Set(described.keys) == Set(fields).subtracting(["content"]))
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
