import BarcodeCore
import Glibc
import Testing

@testable import ScanDevices

/// A pseudoterminal of the kernel: what is written to it comes out of a port.
final class Pseudoterminal: Sendable {
    private let descriptor: Int32
    /// The port.
    let path: String

    init() throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: UInt32 = 0
        try #require(descriptor >= 0)
        try #require(ioctl(descriptor, Self.unlock, &number) == 0 && ioctl(descriptor, Self.getNumber, &number) == 0)
        path = "/dev/pts/\(number)"
    }

    /// TIOCSPTLCK and TIOCGPTN of the kernel, which are macros that Swift cannot import.
    private static let unlock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    deinit { close(descriptor) }

    /// The device at this port.
    func configuration(_ name: String, _ role: DeviceConfiguration.Role = .gun(.init())) -> DeviceConfiguration {
        DeviceConfiguration(name: name, match: DeviceMatch(connection: .serial, path: path), role: role)
    }

    func send(_ bytes: some Sequence<UInt8>) throws {
        var rest = Array(bytes)
        while !rest.isEmpty {
            let count = write(descriptor, rest, rest.count)
            try #require(count > 0)
            rest.removeFirst(count)
        }
    }

    /// Waits for so many bytes that were written to the port.
    func receive(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var byte: UInt8 = 0
            try #require(read(descriptor, &byte, 1) == 1)
            bytes.append(byte)
        }
        return bytes
    }
}

/// A monitor on a thread of its own, and what it tells.
final class MonitorRun {
    private let monitor: DeviceMonitor
    private var told: AsyncStream<DeviceEvent>.AsyncIterator

    init(_ devices: [DeviceConfiguration]) {
        let monitor = DeviceMonitor(devices)
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
