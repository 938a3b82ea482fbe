internal import Synchronization

/// Limits the number of concurrent uploads.
final class UploadLimiter: Sendable {
    private let quota: Quota
    private let taken = Mutex<[QuotaUser]>([])

    /// Creates a limiter.
    ///
    /// A quarter of `maximum` is reserved for the station's own page; no origin gets more than a quarter.
    init(maximum: Int) {
        quota = Quota(
            maximum: maximum, maximumOfPages: maximum - maximum / 4, maximumOfOrigin: max(1, maximum / 4),
            maximumOfSession: max(1, maximum / 32))
    }

    /// The number of uploads in progress.
    var current: Int { taken.withLock { $0.count } }

    /// Runs `body` as one of the uploads.
    ///
    /// - Throws: ``HTTPFailure`` 429 or 503 if there are too many.
    func enter<Value: Sendable>(_ user: QuotaUser, _ body: () async throws -> Value) async throws -> Value {
        let limit = taken.withLock { taken in
            let limit = quota.limit(for: user, among: taken)
            if limit == nil { taken.append(user) }
            return limit
        }
        if let limit {
            throw HTTPFailure(limit, of: quota, reason: "busy", what: "pictures being read", retryAfter: 2)
        }
        defer {
            taken.withLock { taken in
                if let place = taken.firstIndex(of: user) { taken.remove(at: place) }
            }
        }
        return try await body()
    }
}
