internal import Glibc
internal import Synchronization

/// The files of the apps, for a server.
///
/// It notices when another process changes an app.
public final class AppFiles: Sendable {
    /// A file of an app.
    public struct File: Sendable, Hashable {
        /// The path on disk.
        public var path: String
        /// The media type, derived from the name.
        public var mediaType: String
        /// The version that contains the file.
        public var version: String
    }

    private struct Known: Sendable {
        var stamp: [Int]
        var app: InstalledApp
    }

    private let store: AppStore
    private let known = Mutex<[AppName: Known]>([:])

    /// Creates the files of a store's apps.
    public init(_ store: AppStore) { self.store = store }

    /// All apps, by name.
    public func list() -> [InstalledApp] { store.list() }

    /// Returns an app; `nil` if there is none with this name.
    public func app(_ name: AppName) -> InstalledApp? {
        var status = stat()
        guard stat(store.record(name), &status) == 0 else {
            known.withLock { $0[name] = nil }
            return nil
        }
        // A changed record is always a new file; it is never written in place.
        let stamp = [
            Int(status.st_ino), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec), Int(status.st_size),
        ]
        if let known = known.withLock({ $0[name] }), known.stamp == stamp { return known.app }
        guard let app = try? store.app(name) else { return nil }
        known.withLock { $0[name] = Known(stamp: stamp, app: app) }
        return app
    }

    /// Returns the file for the path of a URL; `nil` if there is none.
    ///
    /// A folder stands for its `index.html`. An unknown path without a file extension also gives the app's
    /// `index.html`, which does its own routing. A file that the current version lacks may come from the previous
    /// version: a page that was open during an update still requests its other parts.
    ///
    /// - Parameter path: begins with a slash and is percent-decoded.
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

    /// Returns the media type for the extension of a name.
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
