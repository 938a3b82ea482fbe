internal import Logging

extension OutageReport.Failure {
    /// The failure in a sentence.
    var sentence: String { retryIn.map { "Not delivered, tried again in \($0.words)" } ?? "Given up" }

    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["reason": "\(reason)"]
        if let status { metadata["status"] = "\(status)" }
        return metadata
    }
}

extension OutageReport.Line {
    /// Writes the line to a log.
    func log(to logger: Logger) {
        switch self {
        case .began(let failure):
            logger.log(
                level: failure.retryIn == nil ? .error : .warning, "\(failure.sentence)", metadata: failure.metadata)
        case .goesOn(let failure, let attempts, let givenUp, let lasting):
            logger.log(
                level: givenUp > 0 ? .error : .warning, "Deliveries fail; the last one: \(failure.sentence)",
                metadata: failure.metadata.merging(Self.counts(attempts, givenUp, lasting)) { $1 })
        case .alert(let failure, let lasting):
            logger.error(
                "Nothing has arrived for \(lasting.words): somebody must look at the receiver",
                metadata: failure.metadata)
        case .over(let attempts, let givenUp, let lasting):
            logger.notice("Deliveries arrive again", metadata: Self.counts(attempts, givenUp, lasting))
        }
    }

    private static func counts(_ attempts: Int, _ givenUp: Int, _ lasting: Duration) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["failed-attempts": "\(attempts)", "for": "\(lasting.words)"]
        if givenUp > 0 { metadata["given-up"] = "\(givenUp)" }
        return metadata
    }
}
