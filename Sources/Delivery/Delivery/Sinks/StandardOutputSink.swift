internal import FoundationEssentials
internal import Glibc
public import ScanOutbox

/// Writes the bodies to standard output, one line each.
///
/// A body has no line feed in it, because JSON escapes those of its strings.
public final class StandardOutputSink: Sink {
    private let writer: LineWriter
    private let timeout: Duration

    /// Writes to standard output; a line that nobody reads in time has failed.
    public convenience init(timeout: Duration = Destination.standardTimeout) {
        self.init(.standardOutput, timeout: timeout)
    }

    /// Writes with a writer that others may use too.
    init(_ writer: LineWriter, timeout: Duration = Destination.standardTimeout) {
        self.writer = writer
        self.timeout = timeout
    }

    /// Writes a line; delivered means that the system has all of it.
    public func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        let outcome = await withTimeout(timeout) { [writer] in
            await writer.write([UInt8](message.body), name: message.id)
        }
        switch outcome {
        case .written?: return .delivered()
        case .closed?:
            // Nobody was there to refuse it: the next run has all its attempts.
            return DeliveryOutcome(.postponed, reason: "standard output was closed by its reader")
        case .failed(let code)?: return .failed("standard output: \(String(cString: strerror(code)))")
        case .abandoned?, nil: return .failed("nobody read standard output within \(timeout)")
        }
    }
}

extension DestinationKind {
    /// Writes a line for each event.
    public static let standardOutput = DestinationKind(
        name: "stdout", summary: "writes each event to standard output as a line of JSON", keys: [],
        writesStandardOutput: true
    ) { _ in
        { _, timeout throws(ConfigurationError) in StandardOutputSink(timeout: timeout) }
    }
}
