internal import BarcodeCore
public import Delivery
internal import Glibc
public import Logging
internal import ScanOutbox

/// What is said at the start of how many files may be open.
public enum DescriptorCheck {
    /// How many must be free for a program to begin; an event loop of NIO's, one a processor, has three of them.
    ///
    /// The libraries beneath trap where they cannot have the few that they begin with.
    private static let minimumFree = 64
    private static let forEventLoop = 3

    /// Raises the limit as far as this process may, and warns when it is lower than what the configuration can take.
    ///
    /// - Parameter needed: how many files may be open at the same time.
    /// - Throws: ``Failure`` when it is too low for the program to begin.
    public static func run(needed: Int, _ logger: Logger) throws(Failure) {
        let limit = DescriptorLimit.raise()
        let minimum = minimumFree + forEventLoop * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        if let shortage = DescriptorLimit.shortage(of: minimum) {
            throw Failure(message: "\(shortage): \(minimum) must be free to start, and the limit is \(limit)")
        }
        guard limit < needed else { return }
        logger.warning(
            "The limit of open files is lower than this configuration may need; deliveries wait when it is reached",
            metadata: [
                "limit": "\(limit)", "needed": "\(needed)",
                "remedy": "ulimit -Hn, LimitNOFILE= of the service, or fewer jobs and less concurrency",
            ])
    }
}

extension DeliveryConfiguration {
    /// How many files the deliveries may have open at the same time: a connection is one, a command has several.
    public var descriptorsNeeded: Int {
        destinations.reduce(0) { $0 + $1.concurrency * 4 } + DescriptorLimit.forProcess
    }
}
