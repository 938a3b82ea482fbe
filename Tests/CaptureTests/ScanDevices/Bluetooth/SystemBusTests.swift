import Glibc
import TestSupport
import Testing

@testable import ScanDevices

/// A Bluetooth gun with a simulated bluetoothd, over a real D-Bus.
@Suite(.timeLimit(.minutes(10))) struct SystemBusTests {
    private static let device = PlayedBlueZ.path("C0:00:00:00:00:01")
    private static let adapters: [String: BusValue] = [
        PlayedBlueZ.adapter: .table(["org.bluez.Adapter1": .table(["Powered": .flag(true)])])
    ]

    /// The gun is found, connects and scans; its connection is lost after each code except the last.
    private static func play(_ service: PlayedService, _ codes: [String]) throws {
        try service.serve(until: "StartDiscovery")
        service.add(
            device,
            [
                "org.bluez.Device1": .table([
                    "Address": .text("C0:00:00:00:00:01"), "Adapter": .text(PlayedBlueZ.adapter), "Name": .text("Gun"),
                    "RSSI": .number(-40), "ManufacturerData": .table(["89": .bytes([1, 2])]),
                ])
            ])
        for code in codes {
            try service.serve(until: "Connect")
            service.add(
                "\(device)/s",
                [
                    "org.bluez.GattService1": .table([
                        "UUID": .text(BluetoothLink.uartService), "Device": .text(device),
                    ])
                ])
            service.add(
                "\(device)/s/c",
                [
                    "org.bluez.GattCharacteristic1": .table([
                        "UUID": .text(BluetoothLink.uartTransmit), "Service": .text("\(device)/s"),
                    ])
                ])
            service.change(
                device, "org.bluez.Device1", ["Connected": .flag(true), "ServicesResolved": .flag(true)])
            try service.serve(until: "StartNotify")
            for byte in Array("\(code)\r".utf8) {
                service.change("\(device)/s/c", "org.bluez.GattCharacteristic1", ["Value": .bytes([byte])])
            }
            guard code != codes.last else { return }
            service.change(
                device, "org.bluez.Device1", ["Connected": .flag(false), "ServicesResolved": .flag(false)])
        }
    }

    @Test func aGun() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let address = bus.address
        let run = MonitorRun([.overBluetooth()], in: DeviceList.Root(bus: address))
        let codes = (0..<20).map { "code \($0)" }
        for round in 0..<2 {
            let player = Task {
                try await onThread {
                    let service = try PlayedService(at: address, Self.adapters)
                    try Self.play(service, codes)
                }
            }
            var told = await run.next(3 * codes.count)
            if case .unavailable? = told.first {
                // bluetoothd was away for longer than a moment.
                told = Array(told.dropFirst(2)) + (await run.next(2))
            }
            let identity = DeviceIdentity(
                connection: .bluetooth, path: Self.device, name: "Gun", serialNumber: "C0:00:00:00:00:01",
                manufacturerData: [89, 0, 1, 2])
            #expect(
                told == codes.flatMap { [.connected(identity), .scan($0), .disconnected] }, "bluetoothd \(round)")
            try await player.value
        }
        run.stop()
    }

    @Test func noBus() async throws {
        let run = MonitorRun([.overBluetooth()], in: DeviceList.Root(bus: "unix:path=/nonexistent/bus"))
        let problem = await run.next(1).first?.problem
        #expect(problem?.contains("D-Bus, which Bluetooth needs, cannot be reached") == true)
        run.stop()
    }

    @Test func surveys() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let address = bus.address
        let nobody = try await onThread { BluetoothHost.devices(searching: nil, address: address).fault }
        #expect(nobody?.contains("bluetoothd is not running") == true)
        let objects = Self.adapters.merging([
            Self.device: .table([
                "org.bluez.Device1": .table(["Address": .text("C0:00:00:00:00:01"), "Paired": .flag(true)]),
                "org.bluez.Battery1": .table(["Percentage": .number(55)]),
            ]),
            PlayedBlueZ.path("C0:00:00:00:00:02"): .table([
                "org.bluez.Device1": .table(["Address": .text("C0:00:00:00:00:02")])
            ]),
        ]) { $1 }
        let player = Task {
            try await onThread {
                let service = try PlayedService(at: address, objects)
                try service.serve(until: "GetManagedObjects")
                // Until the client has gone.
                try service.serve(until: "StopServing")
            }
        }
        let found = try await onThread { () -> [String] in
            var found: [String] = []
            while found.isEmpty {
                found = BluetoothHost.devices(searching: nil, address: address).devices.map {
                    "\($0.device.serialNumber) \($0.battery ?? 0)"
                }
            }
            return found
        }
        #expect(found == ["C0:00:00:00:00:01 55"])
        bus.end()
        _ = try? await player.value
    }
}
