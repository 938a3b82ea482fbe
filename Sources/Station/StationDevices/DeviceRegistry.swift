internal import BarcodeCore
internal import FoundationEssentials
public import ScanDevices
public import ScanEvents
internal import Synchronization

/// What is known of the devices that are read, and what scales show.
public final class DeviceRegistry: Sendable {
    /// How old what a scale has said may be.
    public static let weightAge: Duration = .seconds(10)

    /// A weight, or why there is none.
    public enum Weight: Sendable, Hashable {
        /// What a scale shows, and which.
        case weight(WeightReading, device: String)
        /// The scale cannot say.
        case fault(ScaleFault, device: String)
        /// The scale is not connected, or has said nothing for ten seconds.
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

    /// A registry of devices of which nothing is known yet.
    ///
    /// - Parameters:
    ///   - devices: their names and what they do, in the order of the configuration.
    ///   - now: the clock of events.
    public init(
        _ devices: [(name: String, kind: DeviceState.Kind)], now: @escaping @Sendable () -> Duration = DeviceMonitor.now
    ) {
        store = Mutex(Store(states: devices.map { DeviceState(name: $0.name, kind: $0.kind) }))
        self.now = now
    }

    /// The devices, in the order of the configuration.
    public var states: [DeviceState] { store.withLock { $0.states } }

    /// Looks at once for devices that are away.
    public func search() { store.withLock { $0.reader }?.search() }

    /// Says who looks for devices.
    public func searches(by reader: DeviceReader) { store.withLock { $0.reader = reader } }

    /// Takes what has happened.
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

    /// Takes how full the battery of a device is, in percent, unless it is at another place by now.
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

    /// Wakes whenever something has happened at a device, and at once for the first time.
    ///
    /// Several changes may be one wake: whoever wakes looks at ``states``.
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

    /// What a scale shows now.
    ///
    /// - Parameter device: its name; nil for the first scale that shows something.
    public func weight(of device: String? = nil) -> Weight { weight(of: device, at: now()) }

    /// What a scale shows, as soon as it is at rest, within a time; what it shows then where it does not come to rest.
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

    /// What a sensor has measured as it is stored: the digits as a text, with their unit.
    public func sighting(ofMeasurement value: String, unit: String, _ event: DeviceEvent) -> ScanSighting {
        ScanSighting(
            symbols: [ScannedSymbol(scanned: Array(value.utf8), symbologyIdentifier: nil)],
            source: ScanSource(kind: .device, name: event.device, details: unit.isEmpty ? nil : ["unit": unit]))
    }

    /// A scan of a gun as it is stored, with the weight of its moment where a scale was at rest.
    public func sighting(of scan: DeviceScan, _ event: DeviceEvent) -> ScanSighting {
        var details: [String: String]?
        if case .weight(let reading, _) = weight(of: nil, at: event.time), reading.isStable {
            details = ["weight": reading.value, "weightUnit": reading.unit.rawValue]
        }
        return ScanSighting(
            symbols: [ScannedSymbol(scanned: scan.bytes, symbologyIdentifier: scan.symbologyIdentifier)],
            source: ScanSource(kind: .device, name: event.device, details: details))
    }
}
