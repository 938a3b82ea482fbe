internal import BarcodeCore
internal import BridgeDialects
internal import Cryptography
internal import HTTPTypes
internal import Hummingbird
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

    /// The files of the station's own page.
    static let pageFiles = partFiles + [serviceWorker]

    /// Those that a browser keeps for when the station is away.
    private static let partFiles = [
        script("app.js"),
        script("app-access.js"),
        script("app-apps.js"),
        script("app-camera.js"),
        Asset(
            path: "app-formats.js", mediaType: "text/javascript; charset=utf-8", bytes: formats),
        script("app-clerk-words.js"),
        script("app-codes.js"),
        script("app-content.js"),
        script("app-counting.js"),
        script("app-deliveries.js"),
        script("app-devices.js"),
        script("app-feel.js"),
        script("app-guns.js"),
        script("app-history.js"),
        script("app-install.js"),
        script("app-keyboard.js"),
        script("app-keyboard-words.js"),
        script("app-net.js"),
        script("app-frames.js"),
        script("app-phone.js"),
        script("phone.js"),
        Asset(path: "phone", mediaType: "text/html; charset=utf-8", file: "phone.html"),
        script("app-shared.js"),
        script("app-sound.js"),
        script("app-speech.js"),
        script("app-storage.js"),
        script("app-stage.js"),
        script("app-store.js"),
        script("app-stream.js"),
        script("app-text.js"),
        script("app-typing.js"),
        script("app-workplace.js"),
        script("app-pages.js"),
        script("app-upload.js"),
        script("app-words.js"),
        Asset(path: "app.css", mediaType: "text/css; charset=utf-8", file: "app.css"),
        Asset(path: "favicon.svg", mediaType: "image/svg+xml", file: "favicon.svg"),
        Asset(
            path: "manifest.webmanifest", mediaType: "application/manifest+json",
            file: "manifest.webmanifest"),
    ]

    /// What keeps them: it changes whenever one of them does, so that browsers notice.
    private static let serviceWorker: Asset = {
        var hash = SHA256()
        for file in [page] + partFiles { hash.update(Array(file.content.readableBytesView)) }
        let version = hash.digest.prefix(8).map { String($0, radix: 16) }.joined(separator: "-")
        let files = ([page] + partFiles).map { JSON.string("/" + $0.path) }
        let head = "const version = \(JSON.string(version).text);\nconst files = \(JSON.array(files).text);\n\n"
        return script("service-worker.js", Array(head.utf8) + EmbeddedFile.bytes("service-worker.js"))
    }()

    /// The files for pages of any origin, made for the dialects that the station knows.
    static func publicFiles(_ dialects: [BridgeDialect]) -> [Asset] {
        [
            Asset(
                path: "bridge.js", mediaType: "text/javascript; charset=utf-8",
                bytes: BridgeScript.bytes(for: dialects), isPublic: true),
            Asset(
                path: "bridge.d.ts", mediaType: "text/plain; charset=utf-8", file: "bridge.d.ts",
                isPublic: true),
            Asset(
                path: "openapi.json", mediaType: "application/json; charset=utf-8",
                bytes: description(for: dialects), isPublic: true),
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

    /// The names of symbologies for people, and those whose numbers are checked when they are typed.
    private static var formats: [UInt8] {
        let titles = SymbologyTraits.all.map {
            "    \(JSON.string($0.symbology.rawValue).text): \(JSON.string($0.title).text),\n"
        }
        let checked = JSON.array(TypedCode.checkedSymbologies.map { JSON.string($0.rawValue) }).text
        return Array("export const titles = {\n\(titles.joined())};\nexport const checked = \(checked);\n".utf8)
    }

    /// A module of the page, from the embedded file of the same name unless its bytes are given.
    private static func script(_ path: String, _ bytes: [UInt8]? = nil) -> Asset {
        Asset(
            path: path, mediaType: "text/javascript; charset=utf-8", bytes: bytes ?? EmbeddedFile.bytes(path))
    }

    static let page = Asset(path: "", mediaType: "text/html; charset=utf-8", file: "index.html")

    init(path: String, mediaType: String, bytes: [UInt8], isPublic: Bool = false) {
        self.path = path
        self.mediaType = mediaType
        content = ByteBuffer(bytes: bytes)
        self.isPublic = isPublic
    }

    private init(path: String, mediaType: String, file: String, isPublic: Bool = false) {
        self.init(path: path, mediaType: mediaType, bytes: EmbeddedFile.bytes(file), isPublic: isPublic)
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
