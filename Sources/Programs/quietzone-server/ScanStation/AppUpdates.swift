import BarcodeDecoding
import Logging
import ServiceLifecycle
import StationApps

/// Checks for updates of the station's apps at the start, and then every hour.
struct AppUpdates: Service {
    let store: AppStore
    let updater: AppUpdater
    let logger: Logger
    /// Waits for a duration; throws when the station ends.
    let pause: @Sendable (Duration) async throws -> Void

    /// The interval of checks after a success.
    static let interval: Duration = .seconds(3600)
    /// The wait after the first failure, which doubles after each further failure (exponential backoff).
    ///
    /// A kiosk may start before its network is up.
    static let firstRetry: Duration = .seconds(30)

    /// Packages are unpacked on a separate thread: the shared threads of tasks serve the pages.
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

    /// The wait after a number of consecutive failures.
    static func wait(failures: Int) -> Duration {
        failures == 0 ? interval : min(interval, firstRetry * (1 << min(failures - 1, 10)))
    }

    /// Updates all apps; returns `false` if one could not be checked.
    private func updateAll() async -> Bool {
        var isWell = true
        for fault in store.faults() {
            logger.warning("Cannot serve an app", metadata: ["reason": "\(fault)"])
        }
        for app in store.list() where app.settings.source != nil {
            let name: Logger.MetadataValue = "\(app.name)"
            do throws(AppError) {
                switch try await updater.update(app) {
                case .current: break
                case .installed(let new):
                    logger.notice("Updated an app", metadata: ["app": name, "version": "\(new.current.label)"])
                case .rejected(let version):
                    logger.debug(
                        "Skipped a version that was rolled back",
                        metadata: ["app": name, "version": "\(version)"])
                }
            } catch {
                isWell = false
                logger.warning(
                    "Could not update an app; its pages stay the same",
                    metadata: ["app": name, "reason": "\(error)"])
            }
        }
        return isWell
    }
}
