public import ArgumentParser
internal import BarcodeCore
public import Delivery
internal import ScanOutbox

/// The option by which a program checks its configuration and does nothing else.
public struct CheckOption: ParsableArguments {
    /// Whether only the configuration is checked.
    @Flag(name: .customLong("check"), help: "Check the configuration, and the files and programs it names, then exit.")
    public var isWanted = false

    /// What ArgumentParser fills.
    public init() {}

    /// Checks what can go wrong after the configuration was read, if this is all that is wanted, and says that it is
    /// right.
    ///
    /// - Returns: whether this was all that is wanted.
    /// - Throws: ``ConfigurationError``, or a ``Failure`` of standard output.
    public func run(
        _ program: String, _ common: OutboxOptions, _ configuration: DeliveryConfiguration
    ) async throws -> Bool {
        if !isWanted { return false }
        if let missing = configuration.missingPrograms { throw missing }
        let clients = SharedClients(commands: StationCommands())
        do {
            _ = try configuration.makeSinks(clients)
        } catch {
            await clients.close()
            throw error
        }
        await clients.close()
        let file = common.file(of: program) ?? "no configuration file, and the defaults"
        let names = configuration.destinations.map(\.name)
        let destinations = names.isEmpty ? "no destination" : "destinations: " + names.joined(separator: ", ")
        try Output.write("\(file.printable): right, outbox \(configuration.database.printable), \(destinations)\n")
        return true
    }
}
