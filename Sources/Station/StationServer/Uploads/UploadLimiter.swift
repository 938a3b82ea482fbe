internal import Synchronization

/// Counts the uploads that are under way, and refuses more than there is room for.
final class UploadLimiter: Sendable {
    private let quota: Quota
    private let taken = Mutex<[Party]>([])

    /// A gate for so many; a quarter is the station's own, and no origin takes more than another quarter.
    init(maximum: Int) {
        quota = Quota(
            maximum: maximum, maximumOfPages: maximum - maximum / 4, maximumOfOrigin: max(1, maximum / 4),
            maximumOfSession: max(1, maximum / 32))
    }

    /// How many are under way.
    var current: Int { taken.withLock { $0.count } }

    /// Runs `body` as one of them.
    ///
    /// - Throws: ``HTTPFailure`` 429 or 503 where there are too many.
    func enter<Value: Sendable>(_ party: Party, _ body: () async throws -> Value) async throws -> Value {
        let limit = taken.withLock { taken in
            let limit = quota.limit(for: party, among: taken)
            if limit == nil { taken.append(party) }
            return limit
        }
        if let limit {
            throw HTTPFailure(limit, of: quota, reason: "busy", what: "pictures being read", retryAfter: 2)
        }
        defer {
            taken.withLock { taken in
                if let place = taken.firstIndex(of: party) { taken.remove(at: place) }
            }
        }
        return try await body()
    }
}
