import Delivery
import Logging
import ServiceLifecycle
import UnixSignals

extension ServiceGroupConfiguration {
    /// Runs the services until they end, or until SIGTERM or SIGINT.
    ///
    /// A second signal cancels the work in progress.
    ///
    /// - Parameter writesOutput: true if a service writes to standard output; the program then ends when its reader
    ///   does.
    /// - Throws: ``Failure`` with status 141 if standard output was closed, and the errors of services.
    func runToEnd(writesOutput: Bool) async throws {
        var configuration = self
        // The group would see only signals after its own start, and miss one that comes before.
        configuration.gracefulShutdownSignals = []
        if writesOutput {
            // The last service is the first to stop.
            configuration.services.append(
                .init(service: OutputReader(), successTerminationBehavior: .gracefullyShutdownGroup))
        }
        let group = ServiceGroup(configuration: configuration)
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask { [logger] in
                var count = 0
                for await signal in signals {
                    count += 1
                    logger.debug("Signal caught", metadata: ["signal": "\(signal)"])
                    if count == 2 { break }
                    await group.triggerGracefulShutdown()
                }
            }
            defer { tasks.cancelAll() }
            try await tasks.next()
            tasks.cancelAll()
            do { try await tasks.waitForAll() } catch is CancellationError {}
        }
        if writesOutput && LineWriter.standardOutput.isClosed { throw Failure.outputClosed }
    }
}

/// A service that may finish before the others, but stays until its group shuts down.
///
/// A group treats it as a failure, and cancels the others, if one service ends while another is shutting down.
/// Standard input that ends at the moment of a SIGTERM would then cancel running attempts.
struct UntilShutdown<Wrapped: Service>: Service {
    private let service: Wrapped

    /// Wraps a service.
    init(_ service: Wrapped) {
        self.service = service
    }

    /// Runs the service, then waits for the shutdown.
    func run() async throws {
        try await service.run()
        // Throws if the group is canceled, which is an end too.
        try? await gracefulShutdown()
    }
}

/// Ends when standard output is closed by its reader.
private struct OutputReader: Service {
    func run() async {
        await cancelWhenGracefulShutdown { await LineWriter.standardOutput.untilClosed() }
    }
}
