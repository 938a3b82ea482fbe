import ArgumentParser
import Delivery
import FoundationEssentials
import Logging
import Metrics
import ProgramSupport
import ScanOutbox
import ServiceLifecycle

/// The metrics options of a program without a server.
struct MetricsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write metrics to a file every 15 seconds, for the textfile collector of Prometheus' node_exporter.",
            valueName: "file"))
    var metricsFile: String?

    /// Creates options for ArgumentParser to fill.
    init() {}

    /// Starts to collect metrics; `nil` if they are not requested.
    ///
    /// Call it once, before any metric is recorded.
    func start(logger: Logger) -> MetricsFile? {
        guard let metricsFile else { return nil }
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        return MetricsFile(path: metricsFile, text: { registry.text() }, logger: logger)
    }
}

/// Writes metrics to a file periodically and at the end.
///
/// Replaces the file atomically.
struct MetricsFile: Service {
    let path: String
    let text: @Sendable () -> String
    let logger: Logger

    /// The interval of writes: Prometheus scrapes at most this often.
    private static let interval: Duration = .seconds(15)

    /// Writes until a graceful shutdown.
    func run() async {
        var problem: String?
        while !Task.isShuttingDownGracefully {
            problem = write(after: problem)
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.interval) }
        }
        _ = write(after: problem)
    }

    /// Writes the file and logs a problem, unless it is the same as before; returns the problem.
    private func write(after previous: String?) -> String? {
        let problem: String
        do {
            // Check first, because writing would replace a link, a device or a pipe by a file.
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
