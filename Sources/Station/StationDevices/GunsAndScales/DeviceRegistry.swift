internal import BarcodeCore
internal import FoundationEssentials
public import ScanDevices
public import ScanEvents
internal import Synchronization

/// The state of the station's devices, and the current weights of scales.
public final class DeviceRegistry: Sendable {
    /// The maximum age of a scale's report.
    public static let weightAge: Duration = .seconds(10)

    /// A weight, or the reason why there is none.
    public enum Weight: Sendable, Hashable {
        /// The weight of a scale, and the scale's name.
        case weight(WeightReading, device: String)
        /// The scale reports a fault.
        case fault(ScaleFault, device: String)
        /// The scale is not connected, or has reported nothing for ten seconds.
        case silent(device: String)
        /// There is no such scale.
        case none
    }

    private struct Store {
        var states: [DeviceState]
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var watcherCount = 0
        var reader: DeviceReader?
    }

    private let store: Mutex<Store>
    private let now: @Sendable () -> Duration

    /// Creates a registry of devices, all of them disconnected.
    ///
    /// - Parameters:
    ///   - devices: the names and kinds, in the order of the configuration.
    ///   - now: the clock of events.
    public init(
        _ devices: [(name: String, kind: DeviceState.Kind)], now: @escaping @Sendable () -> Duration = DeviceMonitor.now
    ) {
        store = Mutex(Store(states: devices.map { DeviceState(name: $0.name, kind: $0.kind) }))
        self.now = now
    }

    /// The devices, in the order of the configuration.
    public var states: [DeviceState] { store.withLock { $0.states } }

    /// Scans at once for disconnected devices.
    public func search() { store.withLock { $0.reader }?.search() }

    /// Sets the reader that scans for devices.
    public func searches(by reader: DeviceReader) { store.withLock { $0.reader = reader } }

    /// Records an event.
    public func take(_ event: DeviceEvent) {
        let watchers = store.withLock { store in
            guard let index = store.states.firstIndex(where: { $0.name == event.device }) else {
                return [AsyncStream<Void>.Continuation]()
            }
            store.states[index].take(event, at: Date())
            return Array(store.watchers.values)
        }
        for watcher in watchers { watcher.yield() }
    }

    /// Records the battery level of a device, in percent, unless the device has moved to another path.
    public func take(battery: Int?, of device: String, at path: String) {
        let watchers = store.withLock { store in
            guard let index = store.states.firstIndex(where: { $0.name == device && $0.identity?.path == path }),
                store.states[index].battery != battery
            else { return [AsyncStream<Void>.Continuation]() }
            store.states[index].battery = battery
            return Array(store.watchers.values)
        }
        for watcher in watchers { watcher.yield() }
    }

    /// Notifies of changes of the devices; the first notification comes at once.
    ///
    /// Several changes may be merged into one notification; the receiver reads ``states``.
    public func changes() -> AsyncStream<Void> {
        let (stream, output) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        output.yield()
        let number = store.withLock { store in
            store.watcherCount += 1
            store.watchers[store.watcherCount] = output
            return store.watcherCount
        }
        output.onTermination = { [weak self] _ in self?.store.withLock { $0.watchers[number] = nil } }
        return stream
    }

    // MARK: weights

    /// Returns the current weight of a scale.
    ///
    /// - Parameter device: the name of the scale; `nil` for the first scale with a weight.
    public func weight(of device: String? = nil) -> Weight { weight(of: device, at: now()) }

    /// Waits until the scale is at rest and returns the weight; after the timeout, returns the current one.
    public func weight(of device: String? = nil, atRestWithin timeout: Duration) async -> Weight {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in self.changes() {
                    switch self.weight(of: device) {
                    case .weight(let reading, _) where reading.isStable: return
                    case .none: return
                    default: continue
                    }
                }
            }
            group.addTask { try? await Task.sleep(for: timeout) }
            await group.next()
            group.cancelAll()
        }
        return weight(of: device)
    }

    private func weight(of device: String?, at time: Duration) -> Weight {
        let scales = states.filter { $0.kind == .scale && (device == nil || $0.name == device) }
        let weights = scales.map { scale -> Weight in
            guard scale.status == .connected, let message = scale.message,
                time - scale.messageTime < Self.weightAge
            else { return .silent(device: scale.name) }
            switch message {
            case .weight(let reading): return .weight(reading, device: scale.name)
            case .unavailable(let fault): return .fault(fault, device: scale.name)
            }
        }
        return weights.first { if case .weight = $0 { true } else { false } } ?? weights.first ?? .none
    }

    // MARK: scans

    /// Returns a measurement of a sensor for storage: the digits as text, with the unit.
    public func submission(ofMeasurement value: String, unit: String, _ event: DeviceEvent) -> ScanSubmission {
        ScanSubmission(
            symbols: [ScannedSymbol(scanned: Array(value.utf8), symbologyIdentifier: nil)],
            source: ScanSource(kind: .device, name: event.device, details: unit.isEmpty ? nil : ["unit": unit]))
    }

    /// Returns a scan of a gun for storage, with the weight at that moment if a scale was at rest.
    public func submission(of scan: DeviceScan, _ event: DeviceEvent) -> ScanSubmission {
        var details: [String: String]?
        if case .weight(let reading, _) = weight(of: nil, at: event.time), reading.isStable {
            details = ["weight": reading.value, "weightUnit": reading.unit.rawValue]
        }
        return ScanSubmission(
            symbols: [ScannedSymbol(scanned: scan.bytes, symbologyIdentifier: scan.symbologyIdentifier)],
            source: ScanSource(kind: .device, name: event.device, details: details))
    }
}
