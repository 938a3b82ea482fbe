public import ArgumentParser
public import Delivery
internal import FoundationEssentials
internal import Glibc
internal import ProgramSupport
public import ScanOutbox

/// The options by which a program names its outbox and its configuration.
public struct OutboxOptions: ParsableArguments {
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

    /// What ArgumentParser fills.
    public init() {}

    /// Checks what the types of the options do not say.
    public func validate() throws {
        for pair in set where !pair.contains("=") || pair.hasPrefix("=") {
            throw ValidationError(
                "--set \(Redaction.withoutSecrets(pair)): give a key and a value, as in --set station=ward-3")
        }
    }

    /// The configuration, checked.
    ///
    /// Without `--config` it is `$XDG_CONFIG_HOME/quietzone/PROGRAM.yaml`, where that is there.
    ///
    /// - Parameters:
    ///   - program: the program's name, which names its file and its environment variables.
    ///   - databaseName: the file below `$XDG_STATE_HOME/quietzone` that is the outbox where nothing names one.
    ///   - keys: the program's own keys, see ``ConfigurationSchema``.
    ///   - collections: the program's own sections of named items.
    ///   - readsDestinations: `false` for a program that delivers nothing.
    ///   - own: reads the program's own keys.
    /// - Throws: ``ConfigurationError``.
    public func load<Own>(
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
            throw ConfigurationError("neither HOME nor XDG_STATE_HOME is set: name the outbox with --database")
        }
        // Commands and workers inherit the environment, and have no use for secrets. Nothing else runs yet that reads it.
        for variable in loaded.0.secretVariables { unsetenv(variable) }
        return loaded
    }

    /// The configuration file that a program reads; nil where none is named and the standard one is not there.
    public func file(of program: String) -> String? {
        if let config { return config }
        let environment = ProcessInfo.processInfo.environment
        guard let folder = Self.folder("XDG_CONFIG_HOME", ".config", environment) else { return nil }
        let file = folder + "/quietzone/\(program).yaml"
        return FileManager.default.fileExists(atPath: file) ? file : nil
    }

    /// The configuration of a program without keys of its own.
    public func load(_ program: String) async throws(ConfigurationError) -> DeliveryConfiguration {
        try await load(program) { _ in }.0
    }

    /// The outbox of the configuration, after `--wait` at the most.
    ///
    /// - Throws: ``OutboxError``, or `CancellationError` while waiting.
    public func open(_ configuration: DeliveryConfiguration, mayCreate: Bool = false) async throws -> Outbox {
        try await waiting(for: { ($0 as? OutboxError)?.code == .inUse }) {
            try Outbox(
                path: configuration.database, mayCreate: mayCreate,
                mayMakeFolder: mayCreate && configuration.isStandardDatabase)
        }
    }

    /// Does what another process may be in the way of, again and again for `--wait` at the most.
    ///
    /// - Parameter isInUse: whether an error says that another process is in the way.
    public func waiting<Value>(
        for isInUse: (any Error) -> Bool, _ body: () throws -> Value
    ) async throws -> Value {
        let deadline = ContinuousClock.now + .seconds(wait)
        while true {
            do {
                return try body()
            } catch {
                guard isInUse(error), ContinuousClock.now < deadline else { throw error }
                // The kernel tells nobody that a lock was let go of, but those who block for it.
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// The outbox of the configuration; nil where there is none yet.
    public func openIfThere(_ configuration: DeliveryConfiguration) async throws -> Outbox? {
        do {
            return try await open(configuration)
        } catch let error as OutboxError where error.code == .notFound {
            return nil
        }
    }

    /// A folder of the XDG base directories; a relative one does not count, as their specification says.
    private static func folder(_ variable: String, _ below: String, _ environment: [String: String]) -> String? {
        if let folder = environment[variable], folder.hasPrefix("/") { return folder }
        return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/" + below : nil }
    }
}
