import BarcodeDecoding
import Logging
import ServiceLifecycle
import StationApps

/// Asks for newer versions of the station's apps when it starts, and then every hour.
struct AppUpdates: Service {
    let store: AppStore
    let updater: AppUpdater
    let logger: Logger
    /// Waits for so long; throws when the station ends.
    let pause: @Sendable (Duration) async throws -> Void

    /// How long to wait where all went well.
    static let interval: Duration = .seconds(3600)
    /// How long to wait after the first failure, and twice as long after each further one.
    ///
    /// A kiosk may start before its network.
    static let firstRetry: Duration = .seconds(30)

    /// A package is unpacked on a thread of its own: those that all tasks share answer the pages.
    private let thread = DecodingPool(maximumThreads: 1)

    init(
        store: AppStore, updater: AppUpdater, logger: Logger, pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        (self.store, self.updater, self.logger, self.pause) = (store, updater, logger, pause)
    }

    func run() async {
        try? await cancelWhenGracefulShutdown {
            var failures = 0
            while !Task.isCancelled {
                let isWell = await withTaskExecutorPreference(thread) { await updateAll() }
                failures = isWell ? 0 : failures + 1
                try await pause(Self.wait(failures: failures))
            }
        }
    }

    /// How long to wait after so many failures in a row.
    static func wait(failures: Int) -> Duration {
        failures == 0 ? interval : min(interval, firstRetry * (1 << min(failures - 1, 10)))
    }

    /// Asks for each app; false where one could not be asked for.
    private func updateAll() async -> Bool {
        var isWell = true
        for app in store.list() where app.settings.source != nil {
            let name: Logger.MetadataValue = "\(app.name)"
            do throws(AppError) {
                switch try await updater.update(app) {
                case .current: break
                case .installed(let new):
                    logger.notice("Updated an app", metadata: ["app": name, "version": "\(new.current.label)"])
                case .rejected(let version):
                    logger.debug(
                        "Left out the version that somebody went back from",
                        metadata: ["app": name, "version": "\(version)"])
                }
            } catch {
                isWell = false
                logger.warning(
                    "Could not update an app; its pages are served as before",
                    metadata: ["app": name, "reason": "\(error)"])
            }
        }
        return isWell
    }
}
