internal import HTTPTypes
internal import Synchronization

/// The idempotency keys of the uploads in progress, so that a retry does not run beside the first attempt.
final class UploadKeys: Sendable {
    private let current = Mutex<Set<String>>([])

    /// Runs `body` as the upload of a key; without a key, it always runs.
    ///
    /// - Throws: ``HTTPFailure`` 409 while another upload with this key is in progress.
    func enter<Value: Sendable>(_ key: String?, _ body: () async throws -> Value) async throws -> Value {
        guard let key else { return try await body() }
        guard current.withLock({ $0.insert(key).inserted }) else {
            throw HTTPFailure(
                .conflict, "upload_under_way",
                "An upload with this Idempotency-Key is still in progress; retry in a moment.",
                headers: [.retryAfter: "1"])
        }
        defer { current.withLock { _ = $0.remove(key) } }
        return try await body()
    }
}
