import DecodeWorkers
import ServiceLifecycle

/// The worker pool of a program as a service.
struct PoolService: Service {
    private let pool: WorkerPool

    /// Creates the service of a pool.
    init(_ pool: WorkerPool) {
        self.pool = pool
    }

    /// Runs the workers until a graceful shutdown.
    ///
    /// Waiting images are still read.
    func run() async {
        await withGracefulShutdownHandler {
            await pool.run()
        } onGracefulShutdown: {
            pool.finish()
        }
    }
}
