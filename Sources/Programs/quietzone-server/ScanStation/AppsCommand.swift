import ArgumentParser
import BarcodeCore
import Delivery
import Glibc
import StationApps

/// `scan-station apps`: manages the pages that live on the station.
struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps", abstract: "Add, list, remove and roll back apps: web pages that the station serves.",
        discussion: "A running station serves the change at once. docs/how-to/apps.md has the details.",
        subcommands: [Add.self, List.self, Remove.self, RollBack.self])

    /// The app store of the station with these options.
    static func store(_ common: OutboxOptions) async throws -> AppStore {
        try await place(common).store
    }

    /// The app store of the station with these options, and the address of an app.
    static func place(
        _ common: OutboxOptions
    ) async throws -> (store: AppStore, address: @Sendable (AppName) -> String) {
        let (configuration, own) = try await ScanStation.load(common)
        let (scheme, port) = (own.hasTLS ? "https" : "http", own.port)
        return (
            AppStore(folder: StationOptions.appFolder(database: configuration.database)),
            { "\(scheme)://\($0).localhost:\(port)/" }
        )
    }

    /// Runs a closure and turns an app error into a sentence on standard error.
    static func reporting<Value>(_ body: () async throws(AppError) -> Value) async throws -> Value {
        do throws(AppError) {
            return try await body()
        } catch {
            throw Failure(
                message: error.description, status: error.code == .inUse ? Failure.inUse : Failure.general)
        }
    }

    static func name(_ text: String) throws -> AppName {
        guard let name = AppName(rawValue: text) else {
            throw ValidationError("\(text): a name is 1 to 40 lower-case letters, digits and inner hyphens")
        }
        return name
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an app, or replace its version.",
            discussion: """
                The source is the address or path of an info.json, which the station checks every hour for a newer
                version, or of a package, a zip archive with index.html.
                """)

        @OptionGroup var common: OutboxOptions
        @Argument(help: "The address or path of an info.json or of a package.")
        var source: String
        @Option(help: "The app's name, which is in its address. (default: that of info.json or of the package)")
        var name: String?
        @Option(
            help: ArgumentHelp("The publisher's Ed25519 key, in PEM: every version must be signed.", valueName: "file"))
        var key: String?
        @Option(help: ArgumentHelp("The expected SHA-256 of the package.", valueName: "digits"))
        var sha256: String?
        @Option(help: ArgumentHelp("An origin that its pages may send requests to; repeatable.", valueName: "origin"))
        var allow: [String] = []
        @Option(help: ArgumentHelp("The page to open when such an origin answers 401.", valueName: "path"))
        var signIn: String?

        func validate() throws {
            if let name { _ = try AppsCommand.name(name) }
            for origin in allow where !StationConfiguration.isPlainOrigin(origin) {
                throw ValidationError("--allow \(origin): an origin must be like https://oa.example, without a path")
            }
            if signIn?.contains("://") == true || signIn?.hasPrefix("//") == true {
                throw ValidationError("--sign-in: it must be the path of a page in the package, such as login.html")
            }
        }

        func run() async throws {
            let (store, address) = try await AppsCommand.place(common)
            let app = try await AppsCommand.reporting { () throws(AppError) in
                var settings = InstalledApp.Settings()
                if let key {
                    var pem: [UInt8] = []
                    try await AppSources().fetch(key, maximumBytes: 4096) { pem += $0 }
                    settings.key = try AppKey(pem: String(decoding: pem, as: UTF8.self))
                }
                (settings.origins, settings.signIn) = (allow, signIn)
                try AppSources.check(source, isSigned: settings.key != nil || sha256 != nil && source.hasSuffix(".zip"))
                // The station runs in another folder when it checks again.
                let place = source.contains("://") ? source : AppsCommand.absolute(source)
                return try await AppUpdater(store: store, fetcher: AppSources()).add(
                    place, as: name.flatMap(AppName.init(rawValue:)), sha256: sha256, settings: settings)
            }
            let line = "\(app.name) \(app.current.label): \(address(app.name))\(AppsCommand.rights(app))"
            try Output.write(line.printable + "\n")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the apps and their versions.")

        @OptionGroup var common: OutboxOptions

        func run() async throws {
            let store = try await AppsCommand.store(common)
            for app in store.list() {
                let previous = app.previous.map { ", before it \($0.label)" } ?? ""
                let source = app.settings.source.map { ", from \($0)" } ?? ""
                let key = app.settings.key == nil ? "" : ", signed"
                let line = "\(app.name) \(app.current.label) (\(app.current.bytes) bytes)\(previous)\(source)\(key)"
                try Output.write((line + AppsCommand.rights(app)).printable + "\n")
            }
            let faults = store.faults()
            guard faults.isEmpty else { throw Failure(message: faults.map { "\($0)" }.joined(separator: "\n")) }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove an app with all of its versions.")

        @OptionGroup var common: OutboxOptions
        @Argument(help: "The app's name.")
        var name: String

        func run() async throws {
            let store = try await AppsCommand.store(common)
            let name = try AppsCommand.name(name)
            try await AppsCommand.reporting { () throws(AppError) in try store.remove(name) }
        }
    }

    struct RollBack: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rollback", abstract: "Serve the previous version, and skip the current one from now on.")

        @OptionGroup var common: OutboxOptions
        @Argument(help: "The app's name.")
        var name: String

        func run() async throws {
            let store = try await AppsCommand.store(common)
            let name = try AppsCommand.name(name)
            let app = try await AppsCommand.reporting { () throws(AppError) in try store.rollBack(name) }
            try Output.write("\(app.name) \(app.current.label)\n")
        }
    }

    /// A description of the app's permissions, to append to its line.
    private static func rights(_ app: InstalledApp) -> String {
        let origins = app.settings.origins.joined(separator: " ")
        return (origins.isEmpty ? "" : ", may talk to \(origins)")
            + (app.settings.signIn.map { ", signs in at \($0)" } ?? "")
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}
