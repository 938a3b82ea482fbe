import BarcodeCore
import Delivery
import Glibc
import Logging
import ScanOutbox

/// Checks at the start how many files may be open.
enum DescriptorCheck {
    /// The minimum number of free descriptors for a program to start.
    ///
    /// A NIO event loop, one for each processor, has three.
    ///
    /// The libraries trap if they cannot open their first few descriptors.
    private static let minimumFree = 64
    private static let forEventLoop = 3

    /// Raises the limit as far as permitted, and warns if it is lower than the configuration may need.
    ///
    /// - Parameter needed: the maximum number of files open at the same time.
    /// - Throws: ``Failure`` if it is too low for the program to start.
    static func run(needed: Int, _ logger: Logger) throws(Failure) {
        let limit = DescriptorLimit.raise()
        let minimum = minimumFree + forEventLoop * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        if let shortage = DescriptorLimit.shortage(of: minimum) {
            throw Failure(message: "\(shortage): \(minimum) must be free to start, and the limit is \(limit)")
        }
        guard limit < needed else { return }
        logger.warning(
            "The limit of open files is lower than this configuration may need; deliveries wait at the limit",
            metadata: [
                "limit": "\(limit)", "needed": "\(needed)",
                "remedy": "ulimit -Hn, LimitNOFILE= of the service, or fewer jobs and less concurrency",
            ])
    }
}

extension DeliveryConfiguration {
    /// The maximum number of descriptors that deliveries use at once: a connection takes one, a command several.
    var descriptorsNeeded: Int {
        destinations.reduce(0) { $0 + $1.concurrency * 4 } + DescriptorLimit.forProcess
    }
}
