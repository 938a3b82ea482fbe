public import Logging

/// Attempts to store a scan until one succeeds: a gun does not scan again by itself.
public struct Persistence: Sendable {
    /// Between attempts where the outbox refuses, as on a full disk.
    private static let firstPause: Duration = .milliseconds(200)
    private static let longestPause: Duration = .seconds(10)

    private let logger: Logger

    /// - Parameter logger: hears of attempts that fail.
    public init(logger: Logger) {
        self.logger = logger
    }

    /// Tries until it succeeds or the task is cancelled, with growing pauses.
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
                logger.critical("A scan was lost at the end of the program, since it could not be stored")
                return
            }
            pause = min(pause * 2, Self.longestPause)
        }
    }
}
