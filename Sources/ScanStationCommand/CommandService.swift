internal import BrowserBridge
internal import Delivery
internal import Logging
internal import ServiceLifecycle
internal import StationCamera

/// Does what destinations hear that the station is to do.
struct CommandService: Service {
    let commands: StationCommands
    let camera: StationCamera
    let server: BridgeServer
    let logger: Logger

    /// Until a graceful shutdown.
    func run() async {
        await cancelWhenGracefulShutdown {
            for await command in self.commands.stream { await self.perform(command) }
        }
    }

    private func perform(_ command: StationCommand) async {
        switch command {
        case .trigger:
            if let why = await server.trigger() {
                logger.warning("A command read nothing", metadata: ["why": "\(why)"])
            }
        case .mode(let isContinuous): camera.set(mode: isContinuous ? .continuous : .trigger)
        case .unknown(let text):
            logger.warning(
                "Unknown command; there are: trigger, mode continuous, mode trigger", metadata: ["command": "\(text)"])
        case .refused(let why): logger.warning("No commands are heard", metadata: ["why": "\(why)"])
        }
    }
}
