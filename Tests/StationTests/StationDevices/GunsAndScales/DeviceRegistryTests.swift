import ScanDevices
import ScanEvents
import StationDevices
import Synchronization
import Testing

@Suite struct DeviceRegistryTests {
    /// A registry with a gun, two scales and a clock.
    private final class Box: Sendable {
        let registry: DeviceRegistry

        init() {
            let clock = Clock()
            registry = DeviceRegistry(
                [("gun", .gun), ("left", .scale), ("right", .scale)], now: { clock.time.withLock { $0 } })
            self.clock = clock
        }

        private let clock: Clock

        private final class Clock: Sendable {
            let time = Mutex<Duration>(.seconds(100))
        }

        func wait(_ duration: Duration) { clock.time.withLock { $0 += duration } }

        func take(_ device: String, _ kind: DeviceEvent.Kind) {
            registry.take(DeviceEvent(device: device, time: clock.time.withLock { $0 }, kind: kind))
        }

        func connect(_ device: String) {
            take(device, .connected(DeviceIdentity(connection: .serial, path: "/dev/ttyUSB0")))
        }

        func weigh(_ device: String, _ value: String, isStable: Bool = true) {
            take(device, .scale(.weight(WeightReading(value: value, unit: .kilogram, isStable: isStable))))
        }

        /// The weight that a scan gets now.
        var carried: String? {
            let event = DeviceEvent(device: "gun", time: clock.time.withLock { $0 }, kind: .disconnected)
            return registry.submission(of: DeviceScan(bytes: [0x31]), event).source.details?["weight"]
        }
    }

    @Test func statesFollowEvents() {
        let box = Box()
        #expect(box.registry.states.map(\.status) == [.away, .away, .away])
        box.connect("gun")
        box.take("gun", .scan(DeviceScan(bytes: [0x31])))
        box.take("gun", .discarded(.tooLong, length: 9))
        box.take("left", .unavailable("No permission."))
        box.take("nobody", .disconnected)
        let states = box.registry.states
        #expect(states.map(\.status) == [.connected, .unavailable, .away])
        #expect(states[0].scans == 1 && states[0].discarded == 1 && states[0].lastSeen != nil)
        #expect(states[1].problem == "No permission." && states[1].lastSeen == nil)
        box.connect("left")
        #expect(box.registry.states[1].problem == nil)
    }

    @Test func weightsOfTheirMoment() {
        let box = Box()
        #expect(box.registry.weight() == .silent(device: "left") && box.registry.weight(of: "gun") == .none)
        box.connect("right")
        box.weigh("right", "1.250")
        #expect(box.carried == "1.250")
        let reading = WeightReading(value: "1.250", unit: .kilogram, isStable: true)
        #expect(box.registry.weight() == .weight(reading, device: "right"))
        #expect(box.registry.weight(of: "left") == .silent(device: "left"))
        box.wait(.seconds(9))
        #expect(box.carried == "1.250")
        box.wait(.seconds(1))
        #expect(box.carried == nil && box.registry.weight(of: "right") == .silent(device: "right"), "it is too old")
        box.weigh("right", "1.3", isStable: false)
        #expect(box.carried == nil, "it is not at rest")
        box.take("right", .scale(.unavailable(.overload)))
        #expect(box.registry.weight(of: "right") == .fault(.overload, device: "right"))
        box.weigh("right", "2")
        box.take("right", .disconnected)
        #expect(box.carried == nil && box.registry.weight(of: "right") == .silent(device: "right"))
    }

    @Test func aWeightIsWaitedFor() async {
        let box = Box()
        box.connect("left")
        box.weigh("left", "0.9", isStable: false)
        async let weight = box.registry.weight(of: "left", atRestWithin: .seconds(240))
        box.weigh("left", "1")
        let reading = WeightReading(value: "1", unit: .kilogram, isStable: true)
        #expect(await weight == .weight(reading, device: "left"))
        #expect(await box.registry.weight(of: "none", atRestWithin: .seconds(240)) == .none)
    }
}
