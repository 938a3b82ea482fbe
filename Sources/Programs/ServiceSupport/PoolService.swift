public import DecodeWorkers
public import ServiceLifecycle

/// The worker pool of a program as a service.
public struct PoolService: Service {
    private let pool: WorkerPool

    /// Creates the service of a pool.
    public init(_ pool: WorkerPool) {
        self.pool = pool
    }

    /// Runs the workers until a graceful shutdown.
    ///
    /// Waiting images are still read.
    public func run() async {
        await withGracefulShutdownHandler {
            await pool.run()
        } onGracefulShutdown: {
            pool.finish()
        }
    }
}
