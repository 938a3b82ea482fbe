internal import BarcodeCore
internal import Synchronization

/// Somebody who waits for a symbol: answered once, whoever comes first of a frame, the clock and a cancellation.
final class TriggerWait: Sendable {
    /// What is waited for; empty for everything.
    let symbologies: Set<Symbology>
    /// Whether a code counts that has answered somebody and still lies there.
    let acceptsAnswered: Bool
    /// Hears of a frame that shows nothing but such codes.
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

    /// The symbols of a frame that are waited for.
    func matching(_ symbols: [Symbol]) -> [Symbol] {
        symbologies.isEmpty ? symbols : symbols.filter { symbologies.contains($0.symbology) }
    }

    /// Ends the wait; whether it had not ended before.
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

    /// What the wait ended with; asked for once.
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
