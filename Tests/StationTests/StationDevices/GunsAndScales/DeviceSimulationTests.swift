import ScanDevices
import StationDevices
import Testing

@Suite struct DeviceSimulationTests {
    @Test(arguments: [
        ("no JSON", "scan", 1), ("a second line", #"{"device":"a","event":"disconnected"}"# + "\n\n{}", 3),
        ("an unknown event", #"{"device":"a","event":"sing"}"#, 1),
        ("a scan without a code", #"{"device":"a","event":"scan"}"#, 1),
        ("invalid base64", #"{"device":"a","event":"scan","base64":"?"}"#, 1),
        ("an unknown unit", #"{"device":"a","event":"weight","weight":"1","unit":"stone"}"#, 1),
        ("a weight that is no number", #"{"device":"a","event":"weight","weight":"x"}"#, 1),
        ("an unknown fault", #"{"device":"a","event":"no_weight","reason":"bored"}"#, 1),
        ("a pause below zero", #"{"device":"a","event":"disconnected","after":-1}"#, 1),
    ])
    func faults(_ label: String, _ text: String, _ line: Int) {
        let fault = #expect(throws: DeviceSimulation.Fault.self) { try DeviceSimulation(Array(text.utf8)) }
        #expect(fault?.line == line, "\(label)")
    }

    /// The output of `watch` gives the original events when played.
    @Test func linesOfWatch() throws {
        let events: [DeviceEvent.Kind] = [
            .connected(DeviceIdentity(connection: .serial, path: "/dev/ttyUSB0")),
            .scan(DeviceScan(bytes: [0, 0xFF, 0x1D], symbologyIdentifier: "]C1")),
            .scale(.weight(WeightReading(value: "1.20", unit: .pound, isStable: false, isNet: true))),
            .scale(.unavailable(.notReady)), .discarded(.tooLong, length: 9), .unavailable("Why."), .disconnected,
        ]
        let lines = try events.map { try DeviceLine(DeviceEvent(device: "a", time: .zero, kind: $0)).line() }
        let simulation = try DeviceSimulation(Array(lines.joined(separator: "\n").utf8))
        #expect(simulation.devices.map(\.name) == ["a"] && simulation.devices.map(\.kind) == [.scale])
        #expect(
            lines[1]
                == #"{"base64":"AP8d","device":"a","event":"scan","format":"code_128","symbologyIdentifier":"]C1","text":"\u0000ÿ\u001d"}"#
        )
    }
}
