import Glibc
import ScanOutbox
import ServiceLifecycle

/// Reports to the service manager that the station is ready, alive or stopping.
struct ServiceManagerReports: Service {
    let notifier: ServiceNotifier
    let outbox: Outbox

    func run() async {
        let isAsked = notifier.watchdog.map { $0 / 2 }
        await withGracefulShutdownHandler {
            while let interval = isAsked, !Task.isShuttingDownGracefully {
                // The station is alive if it can still read its stored events: a task that only sleeps would always
                // seem alive.
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
