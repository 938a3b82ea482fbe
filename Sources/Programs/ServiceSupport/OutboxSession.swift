public import Delivery
public import Logging
public import ScanOutbox
public import ServiceLifecycle

/// The outbox of a program that runs services, and the clients of its destinations, from their opening to their end.
public struct OutboxSession {
    /// The configuration of the outbox and its destinations.
    public let configuration: DeliveryConfiguration
    /// The outbox.
    public let outbox: Outbox
    private let clients: SharedClients
    private let sinks: [(Destination, any Sink)]
    private let logger: Logger

    /// Makes the sinks of all destinations, which names what is wrong with them, then opens the outbox.
    public init(_ common: OutboxOptions, _ configuration: DeliveryConfiguration, logger: Logger) async throws {
        clients = SharedClients()
        sinks = try configuration.makeSinks(clients)
        outbox = try await common.open(configuration, mayCreate: true)
        (self.configuration, self.logger) = (configuration, logger)
    }

    /// The service that delivers what is in the outbox, and ends when that is damaged.
    ///
    /// - Parameter adjust: changes the options of the configuration.
    public func delivery(_ adjust: (inout DeliveryService.Options) -> Void = { _ in }) -> DeliveryService {
        var options = DeliveryService.Options()
        options.retention = configuration.retention
        options.endsWithDamage = true
        adjust(&options)
        return DeliveryService(outbox: outbox, destinations: sinks, options: options, logger: logger)
    }

    /// Runs services until they end, then closes the clients and the outbox; throws the first fault.
    ///
    /// - Parameters:
    ///   - services: they are stopped from the last to the first.
    ///   - shutdown: the time that they have to end, beside that of an attempt to deliver.
    ///   - writesOutput: indicates that the end of standard output ends the program; by default as the destinations say.
    ///   - end: runs before the outbox is closed, and returns what to throw if nothing else went wrong.
    public func run(
        _ services: [ServiceGroupConfiguration.ServiceConfiguration], shutdown: Duration, writesOutput: Bool? = nil,
        end: () async throws -> (any Error)? = { nil }
    ) async throws {
        var group = ServiceGroupConfiguration(services: services, logger: logger)
        // An attempt ends within its timeout; what hangs longer than that is cut off.
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
    /// A service whose end is the end of the program.
    public static func essential(_ service: any Service) -> Self {
        Self(
            service: service, successTerminationBehavior: .gracefullyShutdownGroup,
            failureTerminationBehavior: .gracefullyShutdownGroup)
    }

    /// A service that may end before the others; its failure is the end of the program.
    public static func finite(_ service: any Service) -> Self {
        Self(
            service: service, successTerminationBehavior: .ignore,
            failureTerminationBehavior: .gracefullyShutdownGroup)
    }

    /// A service beside the others, whose end is nobody's.
    public static func auxiliary(_ service: any Service) -> Self {
        Self(service: service, successTerminationBehavior: .ignore)
    }
}
