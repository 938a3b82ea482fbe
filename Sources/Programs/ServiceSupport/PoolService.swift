public import DecodeWorkers
public import ServiceLifecycle

/// The workers of a program as a service: they end when nobody asks any more.
public struct PoolService: Service {
    private let pool: WorkerPool

    /// The service of a pool.
    public init(_ pool: WorkerPool) {
        self.pool = pool
    }

    /// Runs the workers until a graceful shutdown; pictures that wait then are still read.
    public func run() async {
        await withGracefulShutdownHandler {
            await pool.run()
        } onGracefulShutdown: {
            pool.finish()
        }
    }
}
