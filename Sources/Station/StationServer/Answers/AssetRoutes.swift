internal import BarcodeCore
internal import BridgeDialects
internal import Cryptography
internal import HTTPTypes
internal import Hummingbird
internal import ImageCodecs
internal import NIOCore
internal import ScanEvents

/// A file that is part of the program.
struct Asset: Sendable {
    var path: String
    var mediaType: String
    /// Shared by all answers, so that many who read slowly hold it once.
    let content: ByteBuffer
    /// Whether pages of any origin may load it, as a script for one.
    var isPublic: Bool

    /// The files of the station's own page but ``page``.
    static let pageFiles = partFiles + [serviceWorker]

    /// Those that a browser keeps for when the station is away: all of `StationPage`, and what is made of tables.
    private static let partFiles =
        EmbeddedFile.names(inFolder: "StationPage")
        .filter { $0 != "index.html" && $0 != serviceWorkerName }
        .map { name in
            // A person types the address of a page.
            Asset(path: name.hasSuffix(".html") ? String(name.dropLast(5)) : name, file: name)
        } + [Asset(path: "app-formats.js", bytes: formats)]

    private static let serviceWorkerName = "service-worker.js"

    /// What keeps them: it changes whenever one of them does, so that browsers notice.
    private static let serviceWorker: Asset = {
        var hash = SHA256()
        for file in [page] + partFiles { hash.update(Array(file.content.readableBytesView)) }
        let version = hash.digest.prefix(8).map { String($0, radix: 16) }.joined(separator: "-")
        let files = ([page] + partFiles).map { JSON.string("/" + $0.path) }
        let head = "const version = \(JSON.string(version).text);\nconst files = \(JSON.array(files).text);\n\n"
        return Asset(path: serviceWorkerName, bytes: Array(head.utf8) + EmbeddedFile.bytes(serviceWorkerName))
    }()

    /// The files for pages of any origin, made for the dialects that the station knows.
    static func publicFiles(_ dialects: [BridgeDialect]) -> [Asset] {
        [
            Asset(path: "bridge.js", bytes: BridgeScript.bytes(for: dialects), isPublic: true),
            Asset(path: "bridge.d.ts", file: "bridge.d.ts", isPublic: true),
            Asset(path: "openapi.json", bytes: description(for: dialects), isPublic: true),
        ]
    }

    /// Where the files are that pages of any origin may load.
    static let publicPaths = Set(publicFiles([]).map { "/" + $0.path })

    /// The description of the routes, with the names of the dialects that take requests and those of all symbologies.
    static func description(for dialects: [BridgeDialect]) -> [UInt8] {
        var text = EmbeddedFile.text("openapi.json")
        for (place, names) in [
            ("DIALECTS", dialects.filter(\.takesRequests).map(\.name)), ("FORMATS", Symbology.all.map(\.rawValue)),
        ] {
            text = text.split(separator: "[\"\(place)\"]", omittingEmptySubsequences: false)
                .joined(separator: JSON.array(names.map(JSON.string)).text)
        }
        return Array(text.utf8)
    }

    /// The pictures that a page offers to choose: media types and file extensions, as the `accept` of an input.
    static let acceptedPictures = (["image/*"] + ImageFormat.fileExtensions.map { "." + $0 }).joined(separator: ",")

    /// The names of symbologies for people, those whose numbers are checked when they are typed, and the pictures that are
    /// accepted.
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

    /// The types of the files that there are, by the ends of their names.
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

    /// A file whose type follows from its name: the path unless `file` is given, an embedded one unless `bytes` are.
    private init(path: String, file: String? = nil, bytes: [UInt8]? = nil, isPublic: Bool = false) {
        let name = file ?? path
        guard let end = name.split(separator: ".").last, let type = Self.mediaTypes[String(end)] else {
            preconditionFailure("\(name): its type is not known here")
        }
        self.init(path: path, mediaType: type, bytes: bytes ?? EmbeddedFile.bytes(name), isPublic: isPublic)
    }

    /// The file, of which a browser asks each time whether it is still the same.
    func response() -> Response {
        var response = Response(
            status: .ok, headers: [.contentType: mediaType, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: content))
        if isPublic { response.headers[.crossOriginResourcePolicy] = "cross-origin" }
        return response
    }
}
