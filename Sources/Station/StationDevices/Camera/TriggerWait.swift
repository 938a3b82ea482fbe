internal import BarcodeCore
internal import Synchronization

/// A request that waits for a symbol.
///
/// It ends once: by a frame, by the timeout, or by cancellation.
final class TriggerWait: Sendable {
    /// The wanted symbologies; empty for all.
    let symbologies: Set<Symbology>
    /// Indicates whether a code that has already answered, and is still in view, counts.
    let acceptsAnswered: Bool
    /// Called for a frame that shows only codes that have already answered.
    let onRepetition: @Sendable () -> Void

    private enum State {
        case open
        case waiting(CheckedContinuation<StationCamera.Reading?, any Error>)
        case done(Result<StationCamera.Reading?, any Error>)
    }

    private let state = Mutex(State.open)

    init(symbologies: Set<Symbology>, acceptsAnswered: Bool, onRepetition: @escaping @Sendable () -> Void) {
        self.symbologies = symbologies
        self.acceptsAnswered = acceptsAnswered
        self.onRepetition = onRepetition
    }

    /// Returns the symbols of a frame that match the request.
    func matching(_ symbols: [Symbol]) -> [Symbol] {
        symbologies.isEmpty ? symbols : symbols.filter { symbologies.contains($0.symbology) }
    }

    /// Ends the wait.
    ///
    /// Returns true if it had not ended before.
    @discardableResult
    func finish(_ result: Result<StationCamera.Reading?, any Error>) -> Bool {
        let continuation: CheckedContinuation<StationCamera.Reading?, any Error>?
        let isFirst: Bool
        (continuation, isFirst) = state.withLock { state in
            switch state {
            case .open:
                state = .done(result)
                return (nil, true)
            case .waiting(let continuation):
                state = .done(result)
                return (continuation, true)
            case .done:
                return (nil, false)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }

    /// Waits for the result; may be called once.
    func value() async throws -> StationCamera.Reading? {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<StationCamera.Reading?, any Error>? = state.withLock { state in
                if case .done(let result) = state { return result }
                state = .waiting(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
