internal import CLinux
internal import FoundationEssentials
internal import Glibc

/// The apps of a station on disk.
///
/// Each app has a folder with a subfolder per version, and `app.json`, which names the current version. A new version
/// is unpacked beside the others and becomes current when `app.json` is replaced by a rename (atomically). If the
/// process ends before that, the old version stays current, and the next change removes the remains.
public struct AppStore: Sendable {
    /// The folder of all apps.
    public let folder: String
    /// The limits of an app.
    public let limits: AppLimits
    /// The steps of an installation; tests inspect the disk between them.
    enum Step: String, Sendable, CaseIterable { case began, unpacked, placed, recorded }
    let observe: @Sendable (Step) -> Void

    /// Creates a store in a folder, which the first change creates.
    public init(folder: String, limits: AppLimits = AppLimits()) {
        self.init(folder: folder, limits: limits) { _ in }
    }

    init(folder: String, limits: AppLimits = AppLimits(), observe: @escaping @Sendable (Step) -> Void) {
        (self.folder, self.limits, self.observe) = (folder, limits, observe)
    }

    // MARK: - Reading

    /// Returns all apps whose records can be read, by name.
    public func list() -> [InstalledApp] { results().compactMap { try? $0.get() } }

    /// Returns the errors of the apps whose records cannot be read, by name.
    public func faults() -> [AppError] {
        results().compactMap { result in
            guard case .failure(let error) = result else { return nil }
            return error
        }
    }

    /// Reads the records of all apps, without those that are being added or removed and have none.
    private func results() -> [Result<InstalledApp, AppError>] {
        entries(of: folder).compactMap(AppName.init(rawValue:)).sorted { $0.rawValue < $1.rawValue }
            .compactMap { name in
                do throws(AppError) {
                    return try existing(name).map { .success($0) }
                } catch {
                    return .failure(error)
                }
            }
    }

    /// Returns an app.
    ///
    /// - Throws: ``AppError`` if there is none with this name, or its record cannot be read.
    public func app(_ name: AppName) throws(AppError) -> InstalledApp {
        guard let data = try? Data(contentsOf: URL(filePath: record(name))) else {
            let number = access(record(name), R_OK) == 0 ? EIO : errno
            guard number == ENOENT || number == ENOTDIR else {
                throw AppError.disk("\(record(name)) cannot be read", number)
            }
            throw AppError(.notFound, "there is no app \"\(name)\"; scan-station apps list shows the apps")
        }
        guard let app = try? JSONDecoder().decode(InstalledApp.self, from: data), app.name == name else {
            throw AppError(.storage, "\(record(name)) is not valid: remove the app and add it again")
        }
        return app
    }

    /// Returns an app; `nil` if there is none with this name.
    ///
    /// - Throws: ``AppError`` if its record cannot be read.
    func existing(_ name: AppName) throws(AppError) -> InstalledApp? {
        do throws(AppError) {
            return try app(name)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Returns the folder with the files of a version.
    public func folder(of version: InstalledApp.Version, _ name: AppName) -> String {
        "\(folder)/\(name)/\(version.sha256)"
    }

    func record(_ name: AppName) -> String { "\(folder)/\(name)/app.json" }

    /// Creates a file for a package that is being received.
    ///
    /// - Throws: ``AppError`` if the folder or the file cannot be created.
    public func packageFile() throws(AppError) -> AppPackageFile {
        try makeFolder(folder)
        return try AppPackageFile(in: folder, maximumBytes: limits.packageBytes)
    }

    // MARK: - Changes

    /// Installs a package as the current version, and keeps the previous one.
    ///
    /// If the package is already current, only the settings change.
    ///
    /// - Parameter expected: the app at the time the settings were made, or `nil` if there was none. A download can
    ///   take minutes, in which another process may change the app.
    /// - Throws: ``AppError``, also if the app differs from `expected`; the current version then stays current.
    @discardableResult func install(
        _ package: AppPackageFile, as name: AppName, version: String?, settings: InstalledApp.Settings,
        inPlaceOf expected: InstalledApp?
    ) throws(AppError) -> InstalledApp {
        try changing { () throws(AppError) in
            let before = try existing(name)
            guard before == expected else {
                throw AppError(
                    .inUse, "the app \"\(name)\" was changed while its package was fetched: add it again")
            }
            if before == nil {
                let others = results().count
                guard others < limits.apps else {
                    throw AppError(.tooLarge, "the station has \(others) apps, which is the limit: remove one first")
                }
            }
            sweep()
            try makeFolder("\(folder)/\(name)")
            observe(.began)
            let bytes = try place(package, name)
            observe(.placed)
            let added = InstalledApp.Version(
                number: version, sha256: package.sha256, bytes: bytes, installedAt: time(nil))
            var app = InstalledApp(name: name, settings: settings, current: added, previous: before?.current)
            if before?.current.sha256 == added.sha256 { app.previous = before?.previous }
            try write(app)
            observe(.recorded)
            return app
        }
    }

    /// Rolls back to the previous version.
    ///
    /// The other version is kept, but updates do not install it again.
    ///
    /// - Throws: ``AppError`` if there is no previous version.
    @discardableResult public func rollBack(_ name: AppName) throws(AppError) -> InstalledApp {
        try changing { () throws(AppError) in
            var app = try app(name)
            guard let previous = app.previous, access(folder(of: previous, name) + "/index.html", R_OK) == 0 else {
                throw AppError(.notFound, "the app \"\(name)\" has no version before \(app.current.label)")
            }
            app.rejected = app.current.sha256
            (app.current, app.previous) = (previous, app.current)
            try write(app)
            return app
        }
    }

    /// Removes an app with all of its versions.
    ///
    /// - Throws: ``AppError`` if there is none.
    public func remove(_ name: AppName) throws(AppError) {
        try changing { () throws(AppError) in
            // The record goes first, so that a partially removed app is never served.
            guard unlink(record(name)) == 0 else {
                guard errno == ENOENT else { throw AppError.disk("\(record(name)) cannot be removed", errno) }
                throw AppError(
                    .notFound, "there is no app \"\(name)\"; scan-station apps list shows the apps")
            }
        }
    }

    /// Unpacks a package to its folder unless that exists.
    ///
    /// Returns the total size of its files in bytes.
    private func place(_ package: AppPackageFile, _ name: AppName) throws(AppError) -> Int {
        let archive = try AppArchive(package, limits: limits)
        let target = "\(folder)/\(name)/\(package.sha256)"
        // The folder gets this name only after everything was unpacked, so it is complete.
        if access(target, F_OK) == 0 { return archive.entries.reduce(0) { $0 + $1.size } }
        var made = Array("\(folder)/\(name)/.unpack-XXXXXX".utf8CString)
        guard mkdtemp(&made) != nil else { throw AppError.disk("a folder cannot be created in \(folder)", errno) }
        let staging = String(decoding: made.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        chmod(staging, 0o755)
        let bytes = try archive.unpack(to: staging)
        observe(.unpacked)
        try synchronizeAll()
        guard rename(staging, target) == 0 else { throw AppError.disk("\(target) cannot be created", errno) }
        try synchronize("\(folder)/\(name)")
        return bytes
    }

    /// Replaces the record atomically: readers see the old one or the new one.
    private func write(_ app: InstalledApp) throws(AppError) {
        let path = record(app.name)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(app) else { throw AppError(.storage, "\(path) cannot be written") }
        let bytes = Array(data)
        let file = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw AppError.disk("\(path) cannot be written", errno) }
        let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        let number = errno
        close(file)
        guard isWritten else { throw AppError.disk("\(path) cannot be written", number) }
        guard rename(path + ".new", path) == 0 else { throw AppError.disk("\(path) cannot be written", errno) }
        try synchronize("\(folder)/\(app.name)")
    }

    private func synchronize(_ path: String) throws(AppError) {
        try synchronize(path) { fsync($0) == 0 || errno == EINVAL }
    }

    /// Synchronizes the whole file system in one call, which is faster than an fsync for each of thousands of files.
    private func synchronizeAll() throws(AppError) {
        try synchronize(folder) { qz_synchronize_file_system($0) == 0 }
    }

    private func synchronize(_ path: String, by call: (Int32) -> Bool) throws(AppError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AppError.disk("\(path) cannot be opened", errno) }
        defer { close(descriptor) }
        guard call(descriptor) else { throw AppError.disk("\(path) cannot be flushed to the disk", errno) }
    }
}

extension AppStore {
    /// Runs a change under a lock against other processes, then removes unused files.
    private func changing<Value>(_ body: () throws(AppError) -> Value) throws(AppError) -> Value {
        try makeFolder(folder)
        let lock = open(folder + "/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw AppError.disk("\(folder)/.lock cannot be opened", errno) }
        defer {
            // Closing alone is not enough: until its exec, a child that is being spawned keeps the file open.
            flock(lock, LOCK_UN)
            close(lock)
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw AppError(.inUse, "another process is changing the apps of \(folder): try again in a moment")
        }
        defer { sweep() }
        return try body()
    }

    /// Removes incomplete installations, versions other than the current and previous one, and removed apps.
    private func sweep() {
        for name in entries(of: folder) {
            guard let appName = AppName(rawValue: name) else { continue }
            let path = "\(folder)/\(name)"
            guard access(record(appName), F_OK) == 0 else {
                try? FileManager.default.removeItem(atPath: path)
                continue
            }
            // An unreadable record may refer to any of them.
            guard let app = try? app(appName) else { continue }
            let kept = Set(["app.json", app.current.sha256] + (app.previous.map { [$0.sha256] } ?? []))
            for entry in entries(of: path) where !kept.contains(entry) {
                try? FileManager.default.removeItem(atPath: "\(path)/\(entry)")
            }
        }
    }

    private func entries(of path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Makes a folder and, for a station that never ran, those above it.
    private func makeFolder(_ path: String) throws(AppError) {
        if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try makeFolder(String(path[..<slash]))
            if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
        }
        throw AppError.disk("\(path) cannot be created", errno)
    }
}
