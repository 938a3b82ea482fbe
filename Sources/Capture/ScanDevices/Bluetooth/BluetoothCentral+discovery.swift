/// The discovery state of an adapter.
struct BluetoothScan: Sendable, Hashable {
    private enum State: Hashable {
        /// Discovery is off, and is to be requested again at this time.
        case off(until: Duration)
        case asked
        case on
    }

    /// The pause after a failure before discovery is requested again.
    private static let pause: Duration = .seconds(2)

    private var state: State

    init(at time: Duration) { state = .off(until: time) }

    var isOn: Bool { state == .on }

    var deadline: Duration? { if case .off(let until) = state { until } else { nil } }

    func isDue(at time: Duration) -> Bool { if case .off(let until) = state { until <= time } else { false } }

    mutating func ask() { state = .asked }

    mutating func hasBegun() { state = .on }

    mutating func hasEnded(at time: Duration) { state = .off(until: time + Self.pause) }

    mutating func end(at time: Duration) { state = .off(until: time) }
}

extension BluetoothCentral {
    /// Runs discovery only while a device is missing, because it costs radio time.
    mutating func settleScans() {
        let isWanted = hasObjects && (isSurvey || links.contains { isSearchedFor($0) })
        for adapter in objects.adapters {
            guard objects.isPowered(adapter) else {
                scans[adapter] = nil
                continue
            }
            var scan = scans[adapter] ?? BluetoothScan(at: time)
            if isWanted, scan.isDue(at: time) {
                scan.ask()
                call(adapter, .adapter, "SetDiscoveryFilter", [.table(filter)], for: .filter(adapter: adapter))
            } else if !isWanted, scan.isOn {
                scan.end(at: time)
                call(adapter, .adapter, "StopDiscovery", for: .other)
            }
            scans[adapter] = scan
        }
        for adapter in scans.keys where !objects.adapters.contains(adapter) { scans[adapter] = nil }
    }

    private func isSearchedFor(_ device: BluetoothDevice) -> Bool {
        if !device.connects || device.path == nil { return true }
        guard let since = device.missingSince, !device.isReady else { return false }
        return time - since >= BluetoothDevice.searchDelay
    }

    /// The discovery filter: LE only, with repeated advertisements if they may carry a measurement.
    private var filter: [String: BusValue] {
        ["Transport": .text("le"), "DuplicateData": .flag(links.contains { !$0.connects })]
    }

    /// Starts discovery at an adapter, after its filter was set.
    mutating func scan(_ adapter: String) { call(adapter, .adapter, "StartDiscovery", for: .scan(adapter: adapter)) }
}
