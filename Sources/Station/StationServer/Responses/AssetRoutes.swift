internal import BarcodeCore
internal import BridgeDialects
internal import Cryptography
internal import HTTPTypes
internal import Hummingbird
internal import ImageCodecs
internal import NIOCore
internal import ScanEvents

/// A static file that is embedded in the program.
struct Asset: Sendable {
    var path: String
    var mediaType: String
    /// The content, shared by all responses so that many slow readers keep only one copy in memory.
    let content: ByteBuffer
    /// Indicates whether pages of any origin may load the file, for example as a script.
    var isPublic: Bool

    /// The files of the station's own page, except for ``page`` itself.
    static let pageFiles = partFiles + [serviceWorker]

    /// The files that the browser caches for offline use: all of `StationPage`, and the generated tables.
    private static let partFiles =
        EmbeddedFile.names(inFolder: "StationPage")
        .filter { $0 != "index.html" && $0 != serviceWorkerName }
        .map { name in
            // HTML pages are served without the ending, because people type these addresses.
            Asset(path: name.hasSuffix(".html") ? String(name.dropLast(5)) : name, file: name)
        } + [Asset(path: "app-formats.js", bytes: formats)]

    private static let serviceWorkerName = "service-worker.js"

    /// The service worker that caches the files.
    ///
    /// Its text changes with any of them, so that browsers notice an update.
    private static let serviceWorker: Asset = {
        var hash = SHA256()
        for file in [page] + partFiles { hash.update(Array(file.content.readableBytesView)) }
        let version = hash.digest.prefix(8).map { String($0, radix: 16) }.joined(separator: "-")
        let files = ([page] + partFiles).map { JSON.string("/" + $0.path) }
        let head = "const version = \(JSON.string(version).text);\nconst files = \(JSON.array(files).text);\n\n"
        return Asset(path: serviceWorkerName, bytes: Array(head.utf8) + EmbeddedFile.bytes(serviceWorkerName))
    }()

    /// The files for pages of any origin, generated for the given dialects.
    static func publicFiles(_ dialects: [BridgeDialect]) -> [Asset] {
        [
            Asset(path: "bridge.js", bytes: BridgeScript.bytes(for: dialects), isPublic: true),
            Asset(path: "bridge.d.ts", file: "bridge.d.ts", isPublic: true),
        ]
    }

    /// The paths of the files that pages of any origin may load.
    static let publicPaths = Set((publicFiles([]).map(\.path) + [descriptionPath]).map { "/" + $0 })

    /// The path of the OpenAPI description.
    static let descriptionPath = "openapi.json"

    /// Returns the OpenAPI description of the routes: their own descriptions, in the file with what they share.
    ///
    /// The dialects that take requests and all symbologies are named in it.
    static func description(of routes: RouteTable, for dialects: [BridgeDialect]) -> Asset {
        func names(_ names: [String]) -> JSON { .array(names.map(JSON.string)) }
        var text = EmbeddedFile.text(descriptionPath)
        for (mark, json) in [
            ("[\"DIALECTS\"]", names(dialects.filter(\.takesRequests).map(\.name))),
            ("[\"FORMATS\"]", names(Symbology.all.map(\.rawValue))), ("{\"ROUTES\": {}}", routes.openAPI),
        ] {
            text = text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: json.text)
        }
        return Asset(path: descriptionPath, bytes: Array(text.utf8), isPublic: true)
    }

    /// The pictures that a page offers to choose: media types and file extensions, as the `accept` of an input.
    static let acceptedPictures = (["image/*"] + ImageFormat.fileExtensions.map { "." + $0 }).joined(separator: ",")

    /// A script with the display names of the symbologies, those whose check digits are verified when typed, and the
    /// accepted pictures.
    private static var formats: [UInt8] {
        let titles = SymbologyTraits.all.map {
            "    \(JSON.string($0.symbology.rawValue).text): \(JSON.string($0.title).text),\n"
        }
        let checked = JSON.array(TypedCode.checkedSymbologies.map { JSON.string($0.rawValue) }).text
        let accepted = JSON.string(acceptedPictures).text
        return Array(
            "export const titles = {\n\(titles.joined())};\nexport const checked = \(checked);\nexport const accepted = \(accepted);\n"
                .utf8)
    }

    static let page = Asset(path: "", file: "index.html")

    /// The media types by file name extension.
    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "ts": "text/plain; charset=utf-8", "svg": "image/svg+xml", "json": "application/json; charset=utf-8",
        "webmanifest": "application/manifest+json",
    ]

    init(path: String, mediaType: String, bytes: [UInt8], isPublic: Bool = false) {
        self.path = path
        self.mediaType = mediaType
        content = ByteBuffer(bytes: bytes)
        self.isPublic = isPublic
    }

    /// Creates a file whose media type follows from its extension.
    ///
    /// The name is `path` unless `file` is given, and the content is the embedded file of that name unless `bytes`
    /// are given.
    private init(path: String, file: String? = nil, bytes: [UInt8]? = nil, isPublic: Bool = false) {
        let name = file ?? path
        guard let end = name.split(separator: ".").last, let type = Self.mediaTypes[String(end)] else {
            // The names are known when the station is built, so any test of its routes would end here.
            preconditionFailure("\(name): its file type is not supported")
        }
        self.init(path: path, mediaType: type, bytes: bytes ?? EmbeddedFile.bytes(name), isPublic: isPublic)
    }

    /// Returns a response that the browser must revalidate on each use.
    func response() -> Response {
        var response = Response(
            status: .ok, headers: [.contentType: mediaType, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: content))
        if isPublic { response.headers[.crossOriginResourcePolicy] = "cross-origin" }
        return response
    }
}
