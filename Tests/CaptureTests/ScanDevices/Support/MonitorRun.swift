import BarcodeCore
import TestSupport

@testable import ScanDevices

extension Pseudoterminal {
    /// Returns the configuration of the device at this port.
    func configuration(_ name: String, _ role: DeviceConfiguration.Role = .gun(.init())) -> DeviceConfiguration {
        DeviceConfiguration(name: name, match: DeviceMatch(connection: .serial, path: path), role: role)
    }
}

/// A monitor on a thread of its own, with its events.
///
/// It keeps its ports until it has stopped: the kernel reuses the name of a closed pseudoterminal, possibly for
/// another test.
final class MonitorRun {
    private let ports: [Pseudoterminal]
    private let monitor: DeviceMonitor
    private var told: AsyncStream<DeviceEvent>.AsyncIterator

    convenience init(
        _ devices: [DeviceConfiguration], at ports: Pseudoterminal..., in root: DeviceList.Root = DeviceList.Root()
    ) {
        self.init(DeviceMonitor(devices, in: root), at: ports)
    }

    init(_ monitor: DeviceMonitor, at ports: [Pseudoterminal] = []) {
        self.ports = ports
        let (stream, continuation) = AsyncStream.makeStream(of: DeviceEvent.self, bufferingPolicy: .unbounded)
        self.monitor = monitor
        told = stream.makeAsyncIterator()
        OwnedThread {
            monitor.run { continuation.yield($0) }
            continuation.finish()
        }.detach()
    }

    deinit { monitor.stop() }

    /// Returns the next events; fewer if the monitor has ended.
    func nextEvents(_ count: Int) async -> [DeviceEvent] {
        var events: [DeviceEvent] = []
        while events.count < count, let event = await told.next() { events.append(event) }
        return events
    }

    func next(_ count: Int) async -> [DeviceEvent.Kind] { await nextEvents(count).map(\.kind) }

    func stop() { monitor.stop() }
}
