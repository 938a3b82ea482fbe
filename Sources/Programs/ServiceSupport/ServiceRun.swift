internal import Delivery
public import ServiceLifecycle
internal import UnixSignals

extension ServiceGroupConfiguration {
    /// Runs the services until they end, or until SIGTERM or SIGINT asks them to; a second signal cuts off what is under
    /// way then.
    ///
    /// - Parameter writesOutput: whether a service writes to standard output; then the end of its reader is the end.
    /// - Throws: ``Failure`` of the status 141 when standard output was closed, and what a service throws.
    public func runToEnd(writesOutput: Bool) async throws {
        var configuration = self
        configuration.gracefulShutdownSignals = [.sigterm, .sigint]
        if writesOutput {
            // The last is the first to be asked to end.
            configuration.services.append(
                .init(service: OutputReader(), successTerminationBehavior: .gracefullyShutdownGroup))
        }
        let group = ServiceGroup(configuration: configuration)
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask {
                var count = 0
                for await _ in signals {
                    count += 1
                    if count == 2 { break }
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

/// A service that may be done before the others, and ends when its group asks for it all the same.
///
/// A group takes it for a failure, and cuts the others off, when one service ends while another is being shut down:
/// standard input that ends at the moment of a SIGTERM would cost the attempts that are under way.
public struct UntilShutdown<Wrapped: Service>: Service {
    private let service: Wrapped

    /// The same service, which ends at the shutdown of its group.
    public init(_ service: Wrapped) {
        self.service = service
    }

    /// Runs the service, then waits for the shutdown.
    public func run() async throws {
        try await service.run()
        // Thrown where the group is cancelled, which is an end too.
        try? await gracefulShutdown()
    }
}

/// Ends when nobody reads standard output any more.
private struct OutputReader: Service {
    func run() async {
        await cancelWhenGracefulShutdown { await LineWriter.standardOutput.untilClosed() }
    }
}
