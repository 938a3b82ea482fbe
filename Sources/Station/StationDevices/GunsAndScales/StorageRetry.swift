public import Logging

/// Retries storing a scan until it succeeds, because a gun does not repeat a scan by itself.
public struct StorageRetry: Sendable {
    /// The first pause of the backoff between attempts, for example if the disk is full.
    private static let firstPause: Duration = .milliseconds(200)
    private static let longestPause: Duration = .seconds(10)

    private let logger: Logger

    /// - Parameter logger: logs failed attempts.
    public init(logger: Logger) {
        self.logger = logger
    }

    /// Retries until it succeeds or the task is cancelled, with growing pauses (backoff).
    public func store(_ device: String, _ attempt: () async throws -> Void) async {
        var pause = Self.firstPause
        while true {
            do {
                return try await attempt()
            } catch {
                logger.error(
                    "A scan could not be stored; trying again", metadata: ["reason": "\(error)", "device": "\(device)"])
            }
            do { try await Task.sleep(for: pause) } catch {
                logger.critical("A scan was lost at the end of the program, because it could not be stored")
                return
            }
            pause = min(pause * 2, Self.longestPause)
        }
    }
}
