import Glibc
import ScanOutbox
import ServiceLifecycle
import ServiceSupport

/// Tells the service manager that the station is ready, alive and ending.
struct ServiceManagerReports: Service {
    let notifier: ServiceNotifier
    let outbox: Outbox

    func run() async {
        let isAsked = notifier.watchdog.map { $0 / 2 }
        await withGracefulShutdownHandler {
            while let interval = isAsked, !Task.isShuttingDownGracefully {
                // Alive is a station that can still read what it has stored: a task that only sleeps would be so for
                // ever.
                if await isWell { notifier.alive() }
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }
            }
        } onGracefulShutdown: {
            notifier.stopping()
        }
        if isAsked == nil { try? await gracefulShutdown() }
    }

    private var isWell: Bool {
        get async {
            do {
                _ = try await outbox.newestEvent()
                return true
            } catch {
                return false
            }
        }
    }
}
