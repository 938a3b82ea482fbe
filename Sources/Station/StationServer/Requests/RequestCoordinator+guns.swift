internal import BridgeDialects
internal import ScanEvents
internal import Synchronization

/// Scans of guns that the station reads itself: they answer a page's request, or go to the page in front.
extension RequestCoordinator {
    /// Stores a scan and sends it to the page that waits for it.
    ///
    /// The scan is on disk when this returns.
    ///
    /// - Throws: an error if it could not be stored; no page gets the scan then.
    func take(scanned submission: ScanSubmission) async throws {
        let entry = state.withLock { state in
            let entry = state.registryEntryForGun
            if let entry {
                state.typed.insert(entry.id)
                state.hold(entry.id)
            }
            return entry
        }
        defer { if let entry { releaseTyped(entry) } }
        let events = try await scanService.store(scanned: submission, answering: entry)
        let symbols = events.map { BridgeSymbol($0.symbol, event: $0.id) }
        let hasAnswered = entry.map { end($0.id, .answered(.symbols(symbols))) != nil } ?? false
        // The page may have canceled its request meanwhile.
        if !hasAnswered {
            for symbol in symbols { scanService.publish("gun", GunMessage(symbol), to: .gunListener) }
        }
    }

    /// The message to a page for a scan that no page requested.
    private struct GunMessage: Encodable {
        var id: String?
        var calls: [PageCall]

        init(_ symbol: BridgeSymbol) {
            id = symbol.event
            calls = [.scanGun(symbol)]
        }
    }
}

extension RequestCoordinator.State {
    /// The request that a scan of a gun answers: the one that has the camera, else the one that was opened last,
    /// which is the one that the person sees.
    fileprivate var registryEntryForGun: RequestRegistry.Entry? {
        let open = registry.open.filter { !typed.contains($0.id) }
        if let first = queue.first, let entry = open.first(where: { $0.id == first.id }) { return entry }
        return open.max { $0.deadline - $0.bridge.timeout < $1.deadline - $1.bridge.timeout }
    }
}
