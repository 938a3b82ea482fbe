internal import Synchronization

/// Notifies listeners of new events to deliver.
package final class AcceptanceSignal: Sendable {
    private let listeners = Mutex<[UInt64: AsyncStream<Void>.Continuation]>([:])
    private let next = Atomic<UInt64>(0)

    /// A stream with an element after each ``signal()``; consecutive signals coalesce into one element.
    package func listen() -> AsyncStream<Void> {
        let number = next.add(1, ordering: .relaxed).newValue
        // One is enough: a listener looks at everything there is.
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            listeners.withLock { $0[number] = continuation }
            continuation.onTermination = { [weak self] _ in
                self?.listeners.withLock { _ = $0.removeValue(forKey: number) }
            }
        }
    }

    func signal() {
        for listener in listeners.withLock({ Array($0.values) }) { listener.yield() }
    }
}
