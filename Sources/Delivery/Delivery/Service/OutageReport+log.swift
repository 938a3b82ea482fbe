internal import Logging

extension OutageReport.Failure {
    /// The failure as a log message.
    var message: Logger.Message { retryIn == nil ? "Delivery failed, giving up" : "Delivery failed, retrying later" }

    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["reason": "\(reason)"]
        if let status { metadata["status"] = "\(status)" }
        if let retryIn { metadata["retry-in"] = "\(retryIn.words)" }
        return metadata
    }
}

extension OutageReport.Line {
    /// Writes the line to a log.
    func log(to logger: Logger) {
        switch self {
        case .began(let failure):
            logger.log(
                level: failure.retryIn == nil ? .error : .warning, failure.message, metadata: failure.metadata)
        case .continues(let failure, let attempts, let givenUp, let duration):
            logger.log(
                level: givenUp > 0 ? .error : .warning, "Deliveries keep failing",
                metadata: failure.metadata.merging(Self.counts(attempts, givenUp, duration)) { $1 })
        case .alert(let failure, let duration):
            logger.error(
                "No delivery succeeds: check the receiver",
                metadata: failure.metadata.merging(["for": "\(duration.words)"]) { $1 })
        case .lost(let failure, let givenUp):
            logger.error(
                "Events were given up", metadata: failure.metadata.merging(["given-up": "\(givenUp)"]) { $1 })
        case .ended(let attempts, let givenUp, let duration):
            logger.notice("Deliveries succeed again", metadata: Self.counts(attempts, givenUp, duration))
        }
    }

    private static func counts(_ attempts: Int, _ givenUp: Int, _ duration: Duration) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["failed-attempts": "\(attempts)", "for": "\(duration.words)"]
        if givenUp > 0 { metadata["given-up"] = "\(givenUp)" }
        return metadata
    }
}
