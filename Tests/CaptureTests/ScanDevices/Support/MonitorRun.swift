import BarcodeCore
import TestSupport

@testable import ScanDevices

extension Pseudoterminal {
    /// The device at this port.
    func configuration(_ name: String, _ role: DeviceConfiguration.Role = .gun(.init())) -> DeviceConfiguration {
        DeviceConfiguration(name: name, match: DeviceMatch(connection: .serial, path: path), role: role)
    }
}

/// A monitor on a thread of its own, and what it tells.
///
/// It keeps its ports until it has been stopped: the kernel gives the name of one that is closed to the next, which may
/// be another test's.
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

    /// The next events; fewer where it has ended.
    func nextEvents(_ count: Int) async -> [DeviceEvent] {
        var events: [DeviceEvent] = []
        while events.count < count, let event = await told.next() { events.append(event) }
        return events
    }

    func next(_ count: Int) async -> [DeviceEvent.Kind] { await nextEvents(count).map(\.kind) }

    func stop() { monitor.stop() }
}
