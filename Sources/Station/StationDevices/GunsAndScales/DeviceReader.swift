internal import BarcodeCore
public import Logging
public import ScanDevices
public import ServiceLifecycle

/// Reads the devices on a thread of its own, and delivers their events in order.
public final class DeviceReader: Service {
    /// The maximum number of queued events if nobody takes them: more than a gun scans in an hour.
    private static let maximumWaiting = 10_000

    /// The source of the events.
    public enum Source: Sendable {
        /// Connected devices.
        case devices([DeviceConfiguration])
        /// A file that is played instead.
        case simulation(DeviceSimulation)
    }

    private let source: Source
    private let monitor: DeviceMonitor
    private let logger: Logger
    private let handle: @Sendable (DeviceEvent) async throws -> Void

    /// Creates a reader, which does not start yet.
    ///
    /// - Parameter handle: handles each event; an error ends the service.
    public init(_ source: Source, logger: Logger, handle: @escaping @Sendable (DeviceEvent) async throws -> Void) {
        self.source = source
        if case .devices(let devices) = source { monitor = DeviceMonitor(devices) } else { monitor = DeviceMonitor([]) }
        self.logger = logger
        self.handle = handle
    }

    /// Scans at once for disconnected devices.
    public func search() { monitor.search() }

    /// Reads until a graceful shutdown; events that came before it are still delivered.
    public func run() async throws {
        if case .simulation(let simulation) = source {
            try await simulation.play { try await self.take($0) }
            return
        }
        // If the queue is full, the newest events are dropped: the earliest scans are missed first.
        let (events, continuation) = AsyncStream.makeStream(
            of: DeviceEvent.self, bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
        let thread = OwnedThread { [monitor, logger] in
            var dropped = 0
            monitor.run { event in
                guard case .dropped = continuation.yield(event) else { return }
                dropped += 1
                logger.critical(
                    "Dropped an event of a device: too many events wait to be stored",
                    metadata: ["device": "\(event.device)", "dropped": "\(dropped)"])
            }
            continuation.finish()
        }
        defer {
            monitor.stop()
            thread.join()
        }
        try await withGracefulShutdownHandler {
            for await event in events { try await take(event) }
        } onGracefulShutdown: { [monitor] in
            monitor.stop()
        }
    }

    private func take(_ event: DeviceEvent) async throws {
        log(event)
        try await handle(event)
    }

    private func log(_ event: DeviceEvent) {
        var metadata: Logger.Metadata = ["device": "\(event.device)"]
        switch event.kind {
        // A scan may contain a person's name: it goes to the outbox, not to the log.
        case .scan(let scan):
            metadata["bytes"] = "\(scan.bytes.count)"
            logger.debug("Scanned", metadata: metadata)
        case .scale, .measurement: break
        case .battery(let percent):
            metadata["percent"] = "\(percent)"
            logger.debug("Reported its battery level", metadata: metadata)
        case .discarded(let reason, let length):
            metadata["bytes"] = "\(length)"
            metadata["reason"] = "\(reason.explanation)"
            logger.warning("Discarded an incomplete scan", metadata: metadata)
        case .connected(let identity):
            metadata["path"] = "\(identity.path)"
            logger.info("Connected", metadata: metadata)
        case .unavailable(let sentence):
            metadata["reason"] = "\(sentence)"
            logger.warning("Cannot read the device", metadata: metadata)
        case .disconnected: logger.info("Disconnected", metadata: metadata)
        }
    }
}
