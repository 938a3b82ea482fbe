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
        script("app.js", PackageResources.app_js),
        script("app-access.js", PackageResources.app_access_js),
        script("app-apps.js", PackageResources.app_apps_js),
        script("app-camera.js", PackageResources.app_camera_js),
        Asset(
            path: "app-formats.js", mediaType: "text/javascript; charset=utf-8", bytes: formats),
        script("app-clerk-words.js", PackageResources.app_clerk_words_js),
        script("app-content.js", PackageResources.app_content_js),
        script("app-counting.js", PackageResources.app_counting_js),
        script("app-deliveries.js", PackageResources.app_deliveries_js),
        script("app-devices.js", PackageResources.app_devices_js),
        script("app-feel.js", PackageResources.app_feel_js),
        script("app-guns.js", PackageResources.app_guns_js),
        script("app-history.js", PackageResources.app_history_js),
        script("app-install.js", PackageResources.app_install_js),
        script("app-keyboard.js", PackageResources.app_keyboard_js),
        script("app-keyboard-words.js", PackageResources.app_keyboard_words_js),
        script("app-net.js", PackageResources.app_net_js),
        script("app-frames.js", PackageResources.app_frames_js),
        script("app-phone.js", PackageResources.app_phone_js),
        script("phone.js", PackageResources.phone_js),
        Asset(path: "phone", mediaType: "text/html; charset=utf-8", bytes: PackageResources.phone_html),
        script("app-sound.js", PackageResources.app_sound_js),
        script("app-speech.js", PackageResources.app_speech_js),
        script("app-storage.js", PackageResources.app_storage_js),
        script("app-stage.js", PackageResources.app_stage_js),
        script("app-store.js", PackageResources.app_store_js),
        script("app-text.js", PackageResources.app_text_js),
        script("app-typing.js", PackageResources.app_typing_js),
        script("app-workplace.js", PackageResources.app_workplace_js),
        script("app-pages.js", PackageResources.app_pages_js),
        script("app-upload.js", PackageResources.app_upload_js),
        script("app-words.js", PackageResources.app_words_js),
        Asset(path: "app.css", mediaType: "text/css; charset=utf-8", bytes: PackageResources.app_css),
        Asset(path: "favicon.svg", mediaType: "image/svg+xml", bytes: PackageResources.favicon_svg),
        Asset(
            path: "manifest.webmanifest", mediaType: "application/manifest+json",
            bytes: PackageResources.manifest_webmanifest),
    ]

    /// What keeps them: it changes whenever one of them does, so that browsers notice.
    private static let serviceWorker: Asset = {
        var hash = SHA256()
        for file in [page] + partFiles { hash.update(Array(file.content.readableBytesView)) }
        let version = hash.digest.prefix(8).map { String($0, radix: 16) }.joined(separator: "-")
        let files = ([page] + partFiles).map { JSON.string("/" + $0.path) }
        let head = "const version = \(JSON.string(version).text);\nconst files = \(JSON.array(files).text);\n\n"
        return script("service-worker.js", Array(head.utf8) + PackageResources.service_worker_js)
    }()

    /// The files for pages of any origin, made for the dialects that the station knows.
    static func publicFiles(_ dialects: [BridgeDialect]) -> [Asset] {
        [
            Asset(
                path: "bridge.js", mediaType: "text/javascript; charset=utf-8",
                bytes: BridgeScript.bytes(for: dialects), isPublic: true),
            Asset(
                path: "bridge.d.ts", mediaType: "text/plain; charset=utf-8", bytes: PackageResources.bridge_d_ts,
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
        var text = String(decoding: PackageResources.openapi_json, as: UTF8.self)
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

    /// A module of the page.
    private static func script(_ path: String, _ bytes: [UInt8]) -> Asset {
        Asset(path: path, mediaType: "text/javascript; charset=utf-8", bytes: bytes)
    }

    static let page = Asset(path: "", mediaType: "text/html; charset=utf-8", bytes: PackageResources.index_html)

    init(path: String, mediaType: String, bytes: [UInt8], isPublic: Bool = false) {
        self.path = path
        self.mediaType = mediaType
        content = ByteBuffer(bytes: bytes)
        self.isPublic = isPublic
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
