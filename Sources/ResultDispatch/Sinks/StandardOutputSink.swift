internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Writes the bodies to standard output, one line each.
///
/// A body has no line feed in it, because JSON escapes those of its strings.
public final class StandardOutputSink: Sink {
    private let descriptor: Int32
    /// Lines of several attempts at the same time must not mix.
    private let turn = Mutex<Void>(())

    /// Writes to standard output.
    public convenience init() {
        self.init(descriptor: STDOUT_FILENO)
    }

    /// Writes to an open file.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes a line; delivered means that the system has all of it.
    public func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome {
        // A reader that does not read blocks the writer, which must be no thread of Swift's tasks.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: self.write(message)) }
        }
    }

    private func write(_ message: OutgoingMessage) -> DeliveryOutcome {
        turn.withLock { _ in
            var rest = [UInt8](message.body)[...]
            rest.append(0x0A)
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0 {
                    if errno == EINTR { continue }
                    return .failed("standard output: \(String(cString: strerror(errno)))")
                }
                rest = rest.dropFirst(count)
            }
            return .delivered()
        }
    }
}
