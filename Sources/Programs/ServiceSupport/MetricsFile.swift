public import ArgumentParser
internal import Delivery
internal import FoundationEssentials
public import Logging
internal import Metrics
internal import ProgramSupport
internal import PrometheusMetrics
internal import ScanOutbox
public import ServiceLifecycle

/// Where a program without a server shows what it counts.
public struct MetricsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write metrics to a file every 15 seconds, for the textfile collector of Prometheus' node_exporter.",
            valueName: "file"))
    var metricsFile: String?

    /// What ArgumentParser fills.
    public init() {}

    /// Has the process count from now on; nil where nobody wants to see it.
    ///
    /// To be called once, before anything is counted.
    public func start(logger: Logger) -> MetricsFile? {
        guard let metricsFile else { return nil }
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        return MetricsFile(path: metricsFile, text: { registry.text() }, logger: logger)
    }
}

/// Writes counts to a file now and then, and once more at the end; readers see the old file or the new one.
public struct MetricsFile: Service {
    let path: String
    let text: @Sendable () -> String
    let logger: Logger

    /// As often as Prometheus asks at the most.
    private static let interval: Duration = .seconds(15)

    /// Writes until a graceful shutdown.
    public func run() async {
        var problem: String?
        while !Task.isShuttingDownGracefully {
            problem = write(after: problem)
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.interval) }
        }
        _ = write(after: problem)
    }

    /// Says what is wrong once, and not again until it is something else.
    private func write(after previous: String?) -> String? {
        let problem: String
        do {
            // Before the writing, which would put a file in the place of a link, a device or a pipe.
            try OutputFile.check(Array(path.utf8))
            try Data(text().utf8).write(to: URL(filePath: path), options: .atomic)
            return nil
        } catch let fault as OutputFile.Fault {
            problem = fault.description
        } catch {
            problem = SystemReason.words(for: error)
        }
        if problem != previous {
            logger.error(
                "Could not write the metrics file; retrying", metadata: ["file": "\(path)", "reason": "\(problem)"])
        }
        return problem
    }
}
