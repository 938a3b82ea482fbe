internal import HTTPTypes
internal import Synchronization

/// Counts the uploads that are under way, and refuses more than there is room for.
final class UploadGate: Sendable {
    private let most: Int
    private let count = Mutex(0)

    init(most: Int) { self.most = most }

    /// How many are under way.
    var current: Int { count.withLock { $0 } }

    /// Runs `body` as one of them.
    ///
    /// - Throws: ``HTTPFailure`` 503 where there are too many.
    func enter<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        let isIn = count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
        guard isIn else {
            throw HTTPFailure(
                .serviceUnavailable, "busy", "\(most) pictures are being read already; send it again in a moment.",
                headers: [.retryAfter: "2"])
        }
        defer { count.withLock { $0 -= 1 } }
        return try await body()
    }
}
