internal import BarcodeCore
internal import CServices
internal import Synchronization

/// A connection to a broker, on a thread of its own, which reconnects whenever it ends.
///
/// Only that thread calls libmosquitto. Each connection has its own client, so unacknowledged messages exist only
/// in ``MQTTQueue``.
final class MQTTConnection: Sendable {
    let queue = MQTTQueue()
    private let settings: MQTTSettings
    private let isStarted = Mutex(false)
    private let hasEnded = AsyncStream<Void>.makeStream()
    private let wakeup: WakeupPipe?

    init(_ settings: MQTTSettings) {
        self.settings = settings
        wakeup = WakeupPipe()
    }

    deinit {
        queue.close()
        wakeup?.wake()
    }

    /// Starts to connect.
    func open() {
        let mustStart = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return !isStarted
        }
        guard mustStart else { return }
        guard let wakeup, let library = qz_mosquitto_load() else {
            queue.trouble = wakeup == nil ? "this process has too many open files" : "libmosquitto cannot be loaded"
            hasEnded.continuation.finish()
            return
        }
        let session = MQTTThread(
            library: library.pointee, settings: settings, queue: queue, wakeup: wakeup)
        let end = hasEnded.continuation
        OwnedThread {
            session.run()
            end.finish()
        }.detach()
    }

    /// Publishes a message.
    ///
    /// It is delivered once the broker has acknowledged it.
    func publish(_ message: MQTTMessage, timeout: Duration) async -> DeliveryOutcome {
        open()
        let outcome = await withTimeout(timeout) { [queue, wakeup] in
            await queue.publish(message) { wakeup?.wake() }
        }
        if let outcome { return outcome }
        let trouble = queue.trouble.map { "no connection to the broker \(settings.broker): \($0)" }
        return .failed(trouble ?? "the broker did not acknowledge it within \(timeout.words)")
    }

    /// Disconnects, after a farewell if there is a connection.
    func close() async {
        queue.close()
        wakeup?.wake()
        guard isStarted.withLock({ $0 }) else { return }
        _ = await withTimeout(.seconds(3)) { [hasEnded] in
            for await _ in hasEnded.stream {}
        }
    }
}
