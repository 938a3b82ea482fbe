import ArgumentParser
import BarcodeCore
import Delivery
import ProgramSupport
import ScanOutbox

/// The option `--check`, which makes a program only check its configuration.
struct CheckOption: ParsableArguments {
    /// Indicates whether to only check the configuration.
    @Flag(name: .customLong("check"), help: "Check the configuration, and the files and programs in it, then exit.")
    var isWanted = false

    /// Creates options for ArgumentParser to fill.
    init() {}

    /// If requested, checks what can fail after the configuration was read, and reports that it is valid.
    ///
    /// - Parameter known: the problems that the program itself has found.
    /// - Returns: true if only the check was requested.
    /// - Throws: ``ConfigurationError`` with all problems, one a line, or a ``Failure`` of standard output.
    func run(
        _ program: String, _ common: OutboxOptions, _ configuration: DeliveryConfiguration,
        problems known: [String] = []
    ) async throws -> Bool {
        if !isWanted { return false }
        var problems = known
        if let missing = configuration.missingPaths() { problems.append(missing.description) }
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
        let file = common.file(of: program) ?? "no configuration file; the defaults"
        let names = configuration.destinations.map(\.name)
        let destinations = names.isEmpty ? "no destination" : "destinations: " + names.joined(separator: ", ")
        try Output.write("\(file.printable): valid, outbox \(configuration.database.printable), \(destinations)\n")
        for (name, count) in waiting {
            try Output.write(
                "\(count.counted("event")) \(count == 1 ? "waits" : "wait") for \(name.printable), which is not "
                    + "configured: \(Outbox.remedyOfUnknownDestination)\n")
        }
        return true
    }

    /// Checks that the outbox can be opened or created; returns the events that wait for unknown destinations.
    private func checkOutbox(
        _ common: OutboxOptions, _ configuration: DeliveryConfiguration
    ) async throws -> [(name: String, count: Int)] {
        do {
            guard let outbox = try await common.openIfThere(configuration) else {
                if !configuration.isStandardDatabase { try Outbox.checkPath(configuration.database) }
                return []
            }
            let waiting = try await outbox.waiting(besides: Set(configuration.destinations.map(\.name)))
            try outbox.close()
            return waiting
        } catch let error as OutboxError where error.code == .inUse {
            // The process that has it open has reported its problems.
            return []
        }
    }
}
