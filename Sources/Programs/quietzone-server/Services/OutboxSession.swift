import Delivery
import Logging
import ScanOutbox
import ServiceLifecycle

/// The open outbox of a program that runs services, with the clients of its destinations.
struct OutboxSession {
    /// The configuration of the outbox and its destinations.
    let configuration: DeliveryConfiguration
    /// The outbox.
    let outbox: Outbox
    private let clients: SharedClients
    private let sinks: [(Destination, any Sink)]
    private let logger: Logger

    /// Creates the sinks of all destinations, which validates them, then opens the outbox.
    init(_ common: OutboxOptions, _ configuration: DeliveryConfiguration, logger: Logger) async throws {
        clients = SharedClients()
        sinks = try configuration.makeSinks(clients)
        outbox = try await common.open(configuration, mayCreate: true)
        (self.configuration, self.logger) = (configuration, logger)
    }

    /// Creates the service that delivers the events of the outbox, and ends if the outbox is damaged.
    ///
    /// - Parameter adjust: changes the options of the configuration.
    func delivery(_ adjust: (inout DeliveryService.Options) -> Void = { _ in }) -> DeliveryService {
        var options = DeliveryService.Options()
        options.retention = configuration.retention
        options.endsWithDamage = true
        adjust(&options)
        return DeliveryService(outbox: outbox, destinations: sinks, options: options, logger: logger)
    }

    /// Runs services until they end, then closes the clients and the outbox.
    ///
    /// Throws the first failure.
    ///
    /// - Parameters:
    ///   - services: the services, which stop from the last to the first.
    ///   - shutdown: the time for them to end, in addition to that of a delivery attempt.
    ///   - writesOutput: if true, the program ends when standard output is closed; by default as the destinations
    ///     require.
    ///   - end: runs before the outbox is closed, and returns the error to throw if nothing else failed.
    func run(
        _ services: [ServiceGroupConfiguration.ServiceConfiguration], shutdown: Duration, writesOutput: Bool? = nil,
        end: () async throws -> (any Error)? = { nil }
    ) async throws {
        var group = ServiceGroupConfiguration(services: services, logger: logger)
        // An attempt ends within its timeout; anything that hangs longer is canceled.
        group.maximumGracefulShutdownDuration =
            (configuration.destinations.map(\.timeout).max() ?? .zero) + shutdown
        var fault: (any Error)?
        do {
            try await group.runToEnd(writesOutput: writesOutput ?? configuration.writesStandardOutput)
        } catch {
            fault = error
        }
        await clients.close()
        var left: (any Error)?
        do { left = try await end() } catch { fault = fault ?? error }
        do { try outbox.close() } catch { fault = fault ?? error }
        if let fault { throw fault }
        if let failure = Failure(damageOf: outbox) { throw failure }
        if let left { throw left }
    }
}

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// A service that ends the program when it ends.
    static func essential(_ service: any Service) -> Self {
        Self(
            service: service, successTerminationBehavior: .gracefullyShutdownGroup,
            failureTerminationBehavior: .gracefullyShutdownGroup)
    }

    /// A service that may end before the others; its failure ends the program.
    static func finite(_ service: some Service) -> Self {
        Self(
            service: UntilShutdown(service), successTerminationBehavior: .ignore,
            failureTerminationBehavior: .gracefullyShutdownGroup)
    }

    /// An auxiliary service, which may end without consequences.
    static func auxiliary(_ service: some Service) -> Self {
        Self(service: UntilShutdown(service), successTerminationBehavior: .ignore)
    }
}
