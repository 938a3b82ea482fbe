internal import BridgeDialects
internal import ScanEvents
internal import Synchronization

/// Codes of scan guns that the station reads itself: they answer a page that asks, or go to the page in front.
extension RequestCoordinator {
    /// Stores a code and hands it to whoever waits for it; it is on the disk when it returns.
    ///
    /// - Throws: where it could not be stored; nobody has it then.
    func take(scanned sighting: ScanSighting) async throws {
        let entry = state.withLock { state in
            let entry = state.registryEntryForGun
            if let entry { state.typed.insert(entry.id) }
            return entry
        }
        defer { if let entry { state.withLock { _ = $0.typed.remove(entry.id) } } }
        let events = try await scanService.store(scanned: sighting, answering: entry)
        let symbols = events.map { BridgeSymbol($0.symbol, event: $0.id) }
        if let entry {
            // One whose time ran out meanwhile finds it in the history when it is sent again.
            _ = end(entry.id, .answered(.symbols(symbols)))
        } else {
            for symbol in symbols { scanService.publish("gun", GunMessage(symbol), to: .gunListener) }
        }
    }

    /// What a page hears of a code that no page has asked for.
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
    /// The request that a gun's code answers: the one that has the camera, else the one that was opened last, which is
    /// the one that a person sees.
    fileprivate var registryEntryForGun: RequestRegistry.Entry? {
        let open = registry.open.filter { !typed.contains($0.id) }
        if let first = queue.first, let entry = open.first(where: { $0.id == first.id }) { return entry }
        return open.max { $0.deadline - $0.bridge.timeout < $1.deadline - $1.bridge.timeout }
    }
}
