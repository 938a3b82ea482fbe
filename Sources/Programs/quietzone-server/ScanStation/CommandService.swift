import Delivery
import Logging
import ServiceLifecycle
import StationDevices
import StationServer
import Synchronization

/// Executes the commands that destinations receive for the station.
final class CommandService: Service {
    /// The minimum interval of warnings about unknown or unsuccessful commands: anybody may send to a topic.
    private static let pauseOfWarnings: Duration = .seconds(60)

    private struct State {
        var isReading = false
        var lastWarning: ContinuousClock.Instant?
        /// The number of suppressed warnings since then.
        var unsaid = 0
    }

    private let commands: StationCommands
    private let camera: StationCamera
    private let server: BridgeServer
    private let logger: Logger
    private let state = Mutex(State())

    init(commands: StationCommands, camera: StationCamera, server: BridgeServer, logger: Logger) {
        self.commands = commands
        self.camera = camera
        self.server = server
        self.logger = logger
    }

    /// Runs until a graceful shutdown.
    func run() async {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await command in self.commands.stream {
                    switch command {
                    case .trigger:
                        // A trigger during a reading refers to the same code; executed later, it would read another
                        // one.
                        if self.beginsReading() { group.addTask { await self.read() } }
                    case .mode(let isContinuous): self.camera.set(mode: isContinuous ? .continuous : .trigger)
                    case .unknown(let text):
                        self.warn(
                            "Unknown command; the commands are trigger, mode continuous, mode trigger",
                            ["command": "\(text)"])
                    case .refused(let why):
                        self.logger.warning("Not subscribed to commands", metadata: ["why": "\(why)"])
                    }
                }
            }
        }
    }

    private func beginsReading() -> Bool {
        state.withLock { state in
            defer { state.isReading = true }
            return !state.isReading
        }
    }

    private func read() async {
        let why = await server.trigger()
        state.withLock { $0.isReading = false }
        if let why { warn("A command read no code", ["why": "\(why)"]) }
    }

    private func warn(_ message: Logger.Message, _ metadata: Logger.Metadata) {
        let now = ContinuousClock.now
        let unsaid = state.withLock { state -> Int? in
            if let last = state.lastWarning, now - last < Self.pauseOfWarnings {
                state.unsaid += 1
                return nil
            }
            defer { (state.lastWarning, state.unsaid) = (now, 0) }
            return state.unsaid
        }
        guard let unsaid else { return }
        logger.warning(message, metadata: metadata.merging(unsaid > 0 ? ["unsaid": "\(unsaid)"] : [:]) { $1 })
    }
}
