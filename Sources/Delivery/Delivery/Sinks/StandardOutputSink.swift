internal import FoundationEssentials
internal import Glibc
public import ScanOutbox

/// Writes the bodies to standard output, one a line.
///
/// A body contains no line feed, because JSON escapes those in strings.
public final class StandardOutputSink: Sink {
    private let writer: LineWriter
    private let timeout: Duration

    /// Creates a sink for standard output.
    ///
    /// A line that is not read in time has failed.
    public convenience init(timeout: Duration = Destination.standardTimeout) {
        self.init(.standardOutput, timeout: timeout)
    }

    /// Creates a sink for a writer that may be shared.
    init(_ writer: LineWriter, timeout: Duration = Destination.standardTimeout) {
        self.writer = writer
        self.timeout = timeout
    }

    /// Writes a line.
    ///
    /// It is delivered once the system has accepted all of it.
    public func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        let outcome = await withTimeout(timeout) { [writer] in
            await writer.write([UInt8](message.body), name: message.id)
        }
        switch outcome {
        case .written?: return .delivered()
        case .closed?:
            // There was no receiver to refuse it, so the next run still has all attempts.
            return DeliveryOutcome(.postponed, reason: "standard output was closed by its reader")
        case .failed(let code)?: return LineFile.Fault("standard output cannot be written", errno: code).outcome
        case .abandoned?, nil: return .failed("standard output was not read within \(timeout.words)")
        }
    }
}

extension DestinationKind {
    /// Writes each event to standard output.
    public static let standardOutput = DestinationKind(
        name: "stdout", summary: "writes each event to standard output as a line of JSON", keys: [],
        writesStandardOutput: true
    ) { _ in
        { _, timeout throws(ConfigurationError) in StandardOutputSink(timeout: timeout) }
    }
}
