internal import Glibc
internal import Synchronization

/// What a server hands out of the apps: it notices when another process has changed one.
public final class AppFiles: Sendable {
    /// A file of an app.
    public struct File: Sendable, Hashable {
        /// Where it is on the disk.
        public var path: String
        /// The media type of its name.
        public var mediaType: String
        /// The version that it is of.
        public var version: String
    }

    private struct Known: Sendable {
        var stamp: [Int]
        var app: InstalledApp
    }

    private let store: AppStore
    private let known = Mutex<[AppName: Known]>([:])

    /// The files of a store's apps.
    public init(_ store: AppStore) { self.store = store }

    /// All apps, by name.
    public func list() -> [InstalledApp] { store.list() }

    /// An app; nil where there is none of this name.
    public func app(_ name: AppName) -> InstalledApp? {
        var status = stat()
        guard stat(store.record(name), &status) == 0 else {
            known.withLock { $0[name] = nil }
            return nil
        }
        // The record is replaced by another file, never written in place.
        let stamp = [
            Int(status.st_ino), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec), Int(status.st_size),
        ]
        if let known = known.withLock({ $0[name] }), known.stamp == stamp { return known.app }
        guard let app = try? store.app(name) else { return nil }
        known.withLock { $0[name] = Known(stamp: stamp, app: app) }
        return app
    }

    /// The file that a path of an address means; nil where there is none.
    ///
    /// A folder is its `index.html`. A path without a file's ending that is none of the files is the app's own
    /// `index.html`, which knows what it means. What the version that is served lacks may be one of the version before:
    /// a page that was open during the switch asks for its other parts.
    ///
    /// - Parameter path: begins with a slash, with its percent signs decoded.
    public func file(_ path: String, of app: InstalledApp) -> File? {
        var name = path
        if name.hasSuffix("/") { name += "index.html" }
        guard name.hasPrefix("/"), let (parts, _) = try? AppArchive.path(String(name.dropFirst())) else { return nil }
        for version in [app.current] + (app.previous.map { [$0] } ?? []) {
            if let file = file(parts, of: version, app.name) { return file }
        }
        guard parts.last?.contains(".") == false else { return nil }
        return file(["index.html"], of: app.current, app.name)
    }

    private func file(_ parts: [String], of version: InstalledApp.Version, _ name: AppName) -> File? {
        let path = ([store.folder(of: version, name)] + parts).joined(separator: "/")
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return File(path: path, mediaType: Self.mediaType(of: parts.last ?? ""), version: version.sha256)
    }

    /// The media type by the ending of a name.
    static func mediaType(of name: String) -> String {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return mediaTypes[ending] ?? "application/octet-stream"
    }

    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        "json": "application/json; charset=utf-8", "map": "application/json; charset=utf-8",
        "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
        "xml": "text/xml; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
        "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
        "ico": "image/x-icon", "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
        "wasm": "application/wasm", "pdf": "application/pdf", "mp3": "audio/mpeg", "wav": "audio/wav",
        "ogg": "audio/ogg", "mp4": "video/mp4", "webm": "video/webm",
    ]
}
