internal import ResultDispatch
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

/// Ends when nobody reads standard output any more.
private struct OutputReader: Service {
    func run() async {
        await cancelWhenGracefulShutdown { await LineWriter.standardOutput.untilClosed() }
    }
}
