public import ArgumentParser
internal import BarcodeCore
public import Delivery
internal import ProgramSupport
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
    /// - Parameter known: what the program itself has found.
    /// - Returns: whether this was all that is wanted.
    /// - Throws: ``ConfigurationError`` with all that is wrong, a line each, or a ``Failure`` of standard output.
    public func run(
        _ program: String, _ common: OutboxOptions, _ configuration: DeliveryConfiguration,
        problems known: [String] = []
    ) async throws -> Bool {
        if !isWanted { return false }
        var problems = known
        if let missing = configuration.missingPlaces() { problems.append(missing.description) }
        let clients = SharedClients(commands: StationCommands())
        do throws(ConfigurationError) { _ = try configuration.makeSinks(clients) } catch {
            problems.append(error.description)
        }
        await clients.close()
        var waiting: [(name: String, count: Int)] = []
        do {
            waiting = try await checkOutbox(common, configuration)
        } catch let error as OutboxError {
            problems.append(error.description)
        }
        if !problems.isEmpty { throw ConfigurationError(problems.joined(separator: "\n")) }
        let file = common.file(of: program) ?? "no configuration file, and the defaults"
        let names = configuration.destinations.map(\.name)
        let destinations = names.isEmpty ? "no destination" : "destinations: " + names.joined(separator: ", ")
        try Output.write("\(file.printable): right, outbox \(configuration.database.printable), \(destinations)\n")
        for (name, count) in waiting {
            try Output.write(
                "\(count.counted("event")) \(count == 1 ? "waits" : "wait") for \(name.printable), which is not "
                    + "configured: \(Outbox.remedyOfUnknownDestination)\n")
        }
        return true
    }

    /// Checks whether the outbox can be opened, or made; returns the events that wait for destinations that are not
    /// configured.
    private func checkOutbox(
        _ common: OutboxOptions, _ configuration: DeliveryConfiguration
    ) async throws -> [(name: String, count: Int)] {
        do {
            guard let outbox = try await common.openIfThere(configuration) else {
                if !configuration.isStandardDatabase { try Outbox.checkPlace(configuration.database) }
                return []
            }
            let waiting = try await outbox.waiting(besides: Set(configuration.destinations.map(\.name)))
            try outbox.close()
            return waiting
        } catch let error as OutboxError where error.code == .inUse {
            // Whoever has it open has said what is wrong with it.
            return []
        }
    }
}
