import ArgumentParser
import BarcodeDecoding
import Delivery
import FoundationEssentials
import Glibc
import ProgramSupport
import ScanOutbox

/// The command-line options for the outbox and the configuration of a program.
struct OutboxOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The outbox, instead of the configured one.", valueName: "file"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "Override a value of the configuration file, such as station=ward-3; repeatable.", valueName: "key=value"
        ))
    var set: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long to wait while another process has the outbox open.", valueName: "seconds"),
        transform: NumberArgument.decimal(0...86_400))
    var wait = 0.0

    /// Creates options for ArgumentParser to fill.
    init() {}

    /// Validates what the types of the options do not express.
    func validate() throws {
        for pair in set where !pair.contains("=") || pair.hasPrefix("=") {
            throw ValidationError(
                "--set \(Redaction.withoutSecrets(pair)): give a key and a value, such as --set station=ward-3")
        }
    }

    /// Loads and validates the configuration.
    ///
    /// The default for `--config` is `$XDG_CONFIG_HOME/quietzone/PROGRAM.yaml`, if it exists.
    ///
    /// - Parameters:
    ///   - program: the program's name, which determines its file and its environment variables.
    ///   - databaseName: the default file of the outbox below `$XDG_STATE_HOME/quietzone`.
    ///   - keys: the program's own keys, see ``ConfigurationSchema``.
    ///   - collections: the program's own sections of named items.
    ///   - readsDestinations: `false` for a program that delivers nothing.
    ///   - own: reads the program's own keys.
    /// - Throws: ``ConfigurationError``.
    func load<Own>(
        _ program: String, databaseName: String = "outbox.sqlite", keys: [String: ConfigurationSchema.Form] = [:],
        collections: [String: [String: ConfigurationSchema.Form]] = [:], readsDestinations: Bool = true,
        own: (inout ConfigurationValues) -> Own
    ) async throws(ConfigurationError) -> (DeliveryConfiguration, Own) {
        var overrides: [String: String] = [:]
        for pair in set {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            overrides[String(parts[0])] = String(parts[1])
        }
        if let database { overrides["database"] = database }
        let environment = ProcessInfo.processInfo.environment
        let path = file(of: program)
        let state = Self.folder("XDG_STATE_HOME", ".local/state", environment)
        let prefix = String(program.map { $0 == "-" ? "_" : $0 }).uppercased()
        let loaded = try await DeliveryConfiguration.load(
            path: path,
            schema: ConfigurationSchema(variablePrefix: prefix, keys: keys, collections: collections),
            overrides: overrides, environment: environment,
            defaultDatabase: state.map { $0 + "/quietzone/" + databaseName } ?? "",
            readsDestinations: readsDestinations, own: own)
        if loaded.0.database.isEmpty {
            throw ConfigurationError("neither HOME nor XDG_STATE_HOME is set: set the outbox with --database")
        }
        // Commands and workers inherit the environment but need no secrets. No other thread that reads it is
        // running yet.
        for variable in loaded.0.secretVariables { unsetenv(variable) }
        return loaded
    }

    /// The configuration file of a program; `nil` if none is named and the default one does not exist.
    func file(of program: String) -> String? {
        if let config { return config }
        let environment = ProcessInfo.processInfo.environment
        guard let folder = Self.folder("XDG_CONFIG_HOME", ".config", environment) else { return nil }
        let file = folder + "/quietzone/\(program).yaml"
        return FileManager.default.fileExists(atPath: file) ? file : nil
    }

    /// Loads the configuration of a program without keys of its own.
    func load(_ program: String) async throws(ConfigurationError) -> DeliveryConfiguration {
        try await load(program) { _ in }.0
    }

    /// Opens the configured outbox, waiting at most as long as `--wait` allows.
    ///
    /// - Throws: ``OutboxError``, or `CancellationError` while it waits.
    func open(_ configuration: DeliveryConfiguration, mayCreate: Bool = false) async throws -> Outbox {
        try await waiting(for: { ($0 as? OutboxError)?.code == .inUse }) {
            try Outbox(
                path: configuration.database, mayCreate: mayCreate,
                mayMakeFolder: mayCreate && configuration.isStandardDatabase, joining: JoinedMessage.joined)
        }
    }

    /// Retries an operation while another process blocks it, at most as long as `--wait` allows.
    ///
    /// - Parameter isInUse: returns true for an error that another process is the cause.
    func waiting<Value>(
        for isInUse: (any Error) -> Bool, _ body: () throws -> Value
    ) async throws -> Value {
        let deadline = ContinuousClock.now + .seconds(wait)
        while true {
            do {
                return try body()
            } catch {
                guard isInUse(error), ContinuousClock.now < deadline else { throw error }
                // The kernel reports a released lock only to threads that block for it.
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Opens the configured outbox; `nil` if it does not exist yet.
    func openIfThere(_ configuration: DeliveryConfiguration) async throws -> Outbox? {
        do {
            return try await open(configuration)
        } catch let error as OutboxError where error.code == .notFound {
            return nil
        }
    }

    /// A folder of the XDG base directories; a relative path is ignored, as their specification requires.
    private static func folder(_ variable: String, _ below: String, _ environment: [String: String]) -> String? {
        if let folder = environment[variable], folder.hasPrefix("/") { return folder }
        return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/" + below : nil }
    }
}
