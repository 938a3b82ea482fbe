internal import BridgeDialects
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// A file that is part of the program.
struct Asset: Sendable {
    var path: String
    var mediaType: String
    /// Shared by all answers, so that many who read slowly hold it once.
    let content: ByteBuffer
    /// Whether pages of any origin may load it, as a script for one.
    var isPublic: Bool

    /// The files of the station's own page.
    static let pageFiles = [
        script("app.js", PackageResources.app_js),
        script("app-access.js", PackageResources.app_access_js),
        script("app-camera.js", PackageResources.app_camera_js),
        script("app-content.js", PackageResources.app_content_js),
        script("app-history.js", PackageResources.app_history_js),
        script("app-net.js", PackageResources.app_net_js),
        script("app-sound.js", PackageResources.app_sound_js),
        script("app-storage.js", PackageResources.app_storage_js),
        script("app-store.js", PackageResources.app_store_js),
        script("app-text.js", PackageResources.app_text_js),
        script("app-pages.js", PackageResources.app_pages_js),
        script("app-upload.js", PackageResources.app_upload_js),
        script("app-words.js", PackageResources.app_words_js),
        Asset(path: "app.css", mediaType: "text/css; charset=utf-8", bytes: PackageResources.app_css),
        Asset(path: "favicon.svg", mediaType: "image/svg+xml", bytes: PackageResources.favicon_svg),
    ]

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

    /// The description of the routes, with the names of the dialects that take requests.
    static func description(for dialects: [BridgeDialect]) -> [UInt8] {
        let names = JSON.array(dialects.filter(\.takesRequests).map { .string($0.name) })
        let text = String(decoding: PackageResources.openapi_json, as: UTF8.self)
        return Array(
            text.split(separator: "[\"DIALECTS\"]", omittingEmptySubsequences: false)
                .joined(separator: names.text).utf8)
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
