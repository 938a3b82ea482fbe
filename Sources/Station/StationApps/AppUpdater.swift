internal import FoundationEssentials

/// Fetches the sources of apps: a URL or a file.
public protocol AppFetcher: Sendable {
    /// Fetches a file in chunks.
    ///
    /// - Throws: ``AppError``, also if it has more than `maximumBytes` bytes.
    func fetch(
        _ place: String, maximumBytes: Int, into take: ([UInt8]) throws(AppError) -> Void
    ) async throws(AppError)
}

/// Checks for newer versions of apps and installs them.
public struct AppUpdater: Sendable {
    /// The result of a check.
    public enum Outcome: Sendable, Hashable {
        /// The current version is the newest.
        case current
        /// A newer version was installed.
        case installed(InstalledApp)
        /// The newest version is the one that was rolled back.
        case rejected(version: String)
    }

    private let store: AppStore
    private let fetcher: any AppFetcher

    /// Creates an updater for the apps of a store.
    public init(store: AppStore, fetcher: any AppFetcher) {
        (self.store, self.fetcher) = (store, fetcher)
    }

    /// Checks an app's source for a newer version, and installs it.
    ///
    /// - Throws: ``AppError``; the current version is then unchanged.
    public func update(_ app: InstalledApp) async throws(AppError) -> Outcome {
        guard let source = app.settings.source else { return .current }
        let info = try await info(at: source, key: app.settings.key)
        if info.sha256 == app.current.sha256 { return .current }
        if info.sha256 == app.rejected { return .rejected(version: info.version) }
        try Self.check(info, after: app)
        return .installed(try await install(info, as: app.name, settings: app.settings, inPlaceOf: app))
    }

    /// Adds an app, or changes its version or settings.
    ///
    /// Settings that are not given stay, if the publisher is the same.
    ///
    /// - Parameters:
    ///   - place: a URL or path of an `info.json`, or of a package, which ends in `.zip`.
    ///   - name: the local name; `nil` for the publisher's, or that of the package.
    ///   - sha256: the expected hash of the package; `nil` for any.
    ///   - settings: the new settings, empty or `nil` if not given; this method sets the source.
    /// - Throws: ``AppError``; nothing is changed then.
    public func add(
        _ place: String, as name: AppName?, sha256: String?, settings: InstalledApp.Settings
    ) async throws(AppError) -> InstalledApp {
        var settings = settings
        if place.lowercased().split(separator: "?").first?.hasSuffix(".zip") == true {
            guard settings.key == nil else {
                throw AppError(
                    .invalid, "a key verifies an info.json: give that instead of the package \(place)")
            }
            guard let name = name ?? AppName(suggestedBy: String(place.split(separator: "?").first ?? "")) else {
                throw AppError(.invalid, "set the app's name with --name: \(place) does not contain a valid name")
            }
            let before = try store.existing(name)
            settings.keep(before?.settings)
            guard settings.key == nil else {
                throw AppError(
                    .mismatch,
                    "the app \"\(name)\" accepts only signed versions: give an info.json, or remove the app first")
            }
            let package = try await package(at: place)
            try package.check(sha256: sha256)
            do throws(AppError) {
                return try store.install(package, as: name, version: nil, settings: settings, inPlaceOf: before)
            } catch {
                throw error.about(place)
            }
        }
        let info = try await info(at: place, key: settings.key)
        if let sha256, sha256.lowercased() != info.sha256 {
            throw AppError(.mismatch, "\(place) names a package with the SHA-256 \(info.sha256), not \(sha256)")
        }
        guard let name = name ?? AppName(rawValue: info.name) else {
            throw AppError(.invalid, "set the app's name with --name: \(place) does not contain a valid name")
        }
        (settings.source, settings.publishedName) = (place, info.name)
        let before = try store.existing(name)
        settings.keep(before?.settings)
        if let key = settings.key { try info.check(key) }
        return try await install(info, from: place, as: name, settings: settings, inPlaceOf: before)
    }

    /// Checks that a version may follow the current one.
    static func check(_ info: AppInfo, after app: InstalledApp) throws(AppError) {
        if let known = app.settings.publishedName, known != info.name {
            throw AppError(.mismatch, "info.json is for the app \"\(info.name)\", not \"\(known)\"")
        }
        guard let served = app.current.number.flatMap(AppVersionNumber.init),
            let offered = AppVersionNumber(info.version)
        else { return }
        // Otherwise an attacker who can replace the file with an old one could bring back a fixed vulnerability.
        let newest = max(served, app.rejectedNumber ?? served)
        guard offered > newest else {
            throw AppError(
                .older,
                "info.json has version \(info.version), which is not newer than those of the station: give a "
                    + "changed package a higher number")
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
        let info: AppInfo
        do throws(AppError) {
            info = try AppInfo(json: bytes, limits: store.limits)
        } catch {
            throw error.about(place)
        }
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

    /// Resolves the URL in `info.json` to a URL, or to a path relative to that file.
    static func resolve(_ place: String, against source: String) throws(AppError) -> String {
        let isAddress = source.hasPrefix("http://") || source.hasPrefix("https://")
        if isAddress {
            guard let base = URL(string: source), let made = URL(string: place, relativeTo: base)?.absoluteURL,
                made.scheme == base.scheme || made.scheme == "https"
            else { throw AppError(.invalid, "info.json: the url \"\(place)\" is not the address of a package") }
            return made.absoluteString
        }
        if place.hasPrefix("/") || place.contains("://") {
            throw AppError(.invalid, "info.json: the url \"\(place)\" must be a path beside the file itself")
        }
        return source.lastIndex(of: "/").map { String(source[...$0]) + place } ?? place
    }
}

extension AppError {
    /// Returns the error with the address or path of an invalid file; any other error as it is.
    fileprivate func about(_ place: String) -> AppError {
        code == .invalid ? AppError(code, "\(place): \(description)") : self
    }
}

extension InstalledApp {
    /// The number of the version that was rolled back, which is kept as the previous one.
    fileprivate var rejectedNumber: AppVersionNumber? {
        previous.flatMap { $0.sha256 == rejected ? $0.number : nil }.flatMap(AppVersionNumber.init)
    }
}
