internal import FoundationEssentials

/// Reads what apps come from: an address or a file.
public protocol AppFetcher: Sendable {
    /// Hands over the bytes of a place, part by part.
    ///
    /// - Throws: ``AppError``, also where there are more than so many bytes.
    func fetch(
        _ place: String, maximumBytes: Int, into take: ([UInt8]) throws(AppError) -> Void
    ) async throws(AppError)
}

/// Looks for newer versions of apps and puts them in place.
public struct AppUpdater: Sendable {
    /// What came of looking.
    public enum Outcome: Sendable, Hashable {
        /// What is served is the newest.
        case current
        /// A newer version is served from now on.
        case installed(InstalledApp)
        /// The newest is the one that somebody went back from.
        case rejected(version: String)
    }

    private let store: AppStore
    private let fetcher: any AppFetcher

    /// An updater of the apps of a store.
    public init(store: AppStore, fetcher: any AppFetcher) {
        (self.store, self.fetcher) = (store, fetcher)
    }

    /// Looks whether an app's source names a newer version, and puts that in place.
    ///
    /// - Throws: ``AppError``; the version that was served still is.
    public func update(_ app: InstalledApp) async throws(AppError) -> Outcome {
        guard let source = app.settings.source else { return .current }
        let info = try await info(at: source, key: app.settings.key)
        if info.sha256 == app.current.sha256 { return .current }
        if info.sha256 == app.rejected { return .rejected(version: info.version) }
        try Self.check(info, after: app)
        return .installed(try await install(info, as: app.name, settings: app.settings, inPlaceOf: app))
    }

    /// Adds an app, or puts another version or other settings in its place; what is not chosen stays as it was, if it comes
    /// from the same publisher.
    ///
    /// - Parameters:
    ///   - place: an address or path of an `info.json`, or of a package, which ends in `.zip`.
    ///   - name: the name here; nil for the publisher's, or the package's.
    ///   - sha256: what the package must have.
    ///   - settings: what was chosen, empty or nil where nothing was; the source is set here.
    /// - Throws: ``AppError``; nothing has changed then.
    public func add(
        _ place: String, as name: AppName?, sha256: String?, settings: InstalledApp.Settings
    ) async throws(AppError) -> InstalledApp {
        var settings = settings
        if place.lowercased().split(separator: "?").first?.hasSuffix(".zip") == true {
            guard settings.key == nil else {
                throw AppError(
                    .invalid, "a key checks what an info.json says: name that instead of the package \(place)")
            }
            guard let name = name ?? AppName(suggestedBy: String(place.split(separator: "?").first ?? "")) else {
                throw AppError(.invalid, "name the app with --name: \(place) suggests no name")
            }
            let before = try store.existing(name)
            settings.keep(before?.settings)
            guard settings.key == nil else {
                throw AppError(
                    .mismatch,
                    "the app \"\(name)\" takes signed versions only: name an info.json, or remove the app first")
            }
            let package = try await package(at: place)
            try package.check(sha256: sha256)
            return try store.install(package, as: name, version: nil, settings: settings, inPlaceOf: before)
        }
        let info = try await info(at: place, key: settings.key)
        if let sha256, sha256.lowercased() != info.sha256 {
            throw AppError(.mismatch, "\(place) names a package with the SHA-256 \(info.sha256), not \(sha256)")
        }
        guard let name = name ?? AppName(rawValue: info.name) else {
            throw AppError(.invalid, "name the app with --name: \(place) suggests no name")
        }
        (settings.source, settings.publishedName) = (place, info.name)
        let before = try store.existing(name)
        settings.keep(before?.settings)
        if let key = settings.key { try info.check(key) }
        return try await install(info, from: place, as: name, settings: settings, inPlaceOf: before)
    }

    /// Whether a version may follow the one that is served.
    static func check(_ info: AppInfo, after app: InstalledApp) throws(AppError) {
        if let known = app.settings.publishedName, known != info.name {
            throw AppError(.mismatch, "info.json names the app \"\(info.name)\", and this one is \"\(known)\"")
        }
        guard let served = app.current.number.flatMap(AppVersionNumber.init),
            let offered = AppVersionNumber(info.version)
        else { return }
        // Who can put an old file in the new one's place could bring back what the new version has mended.
        let newest = max(served, app.rejectedNumber ?? served)
        guard offered > newest else {
            throw AppError(
                .older,
                "info.json names version \(info.version), which is not newer than what the station has had: give a "
                    + "changed package a larger number")
        }
    }

    private func install(
        _ info: AppInfo, from source: String? = nil, as name: AppName, settings: InstalledApp.Settings,
        inPlaceOf before: InstalledApp?
    ) async throws(AppError) -> InstalledApp {
        let package = try await package(at: Self.resolve(info.url, against: source ?? settings.source ?? ""))
        try package.check(size: info.size, sha256: info.sha256)
        return try store.install(package, as: name, version: info.version, settings: settings, inPlaceOf: before)
    }

    private func info(at place: String, key: AppKey?) async throws(AppError) -> AppInfo {
        var bytes: [UInt8] = []
        try await fetcher.fetch(place, maximumBytes: store.limits.infoBytes) { bytes += $0 }
        let info = try AppInfo(json: bytes, limits: store.limits)
        if let key { try info.check(key) }
        return info
    }

    private func package(at place: String) async throws(AppError) -> AppPackageFile {
        let file = try store.packageFile()
        try await fetcher.fetch(place, maximumBytes: store.limits.packageBytes) { (part) throws(AppError) in
            try file.append(part)
        }
        return file
    }

    /// Where a package is that a file names: an address, or a path beside that file.
    static func resolve(_ place: String, against source: String) throws(AppError) -> String {
        let isAddress = source.hasPrefix("http://") || source.hasPrefix("https://")
        if isAddress {
            guard let base = URL(string: source), let made = URL(string: place, relativeTo: base)?.absoluteURL,
                made.scheme == base.scheme || made.scheme == "https"
            else { throw AppError(.invalid, "info.json: the url \"\(place)\" is no address of a package") }
            return made.absoluteString
        }
        if place.hasPrefix("/") || place.contains("://") {
            throw AppError(.invalid, "info.json: the url \"\(place)\" must be a path beside the file itself")
        }
        return source.lastIndex(of: "/").map { String(source[...$0]) + place } ?? place
    }
}

extension InstalledApp {
    /// The number of the version that somebody went back from, which is kept as the one before.
    fileprivate var rejectedNumber: AppVersionNumber? {
        previous.flatMap { $0.sha256 == rejected ? $0.number : nil }.flatMap(AppVersionNumber.init)
    }
}
