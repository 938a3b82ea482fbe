import TestSupport
import Testing

@testable import ScanDevices

/// Bluetooth guns with a simulated bluetoothd.
@Suite struct BluetoothCentralTests {
    private static let address = "C0:00:00:00:00:01"
    private static let path = PlayedBlueZ.path(address)

    /// Returns a simulation with a connected gun.
    private static func connected(_ device: DeviceConfiguration = .overBluetooth()) -> PlayedBlueZ {
        var blueZ = PlayedBlueZ([device])
        blueZ.start()
        blueZ.advertise(address, name: "Gun 7")
        blueZ.connect(address)
        _ = blueZ.events()
        _ = blueZ.calls()
        return blueZ
    }

    @Test func aGunIsFoundConnectedAndRead() {
        var blueZ = PlayedBlueZ([.overBluetooth()])
        blueZ.start()
        #expect(
            blueZ.calls().suffix(3) == [
                "GetManagedObjects /", "SetDiscoveryFilter /org/bluez/hci0", "StartDiscovery /org/bluez/hci0",
            ])
        blueZ.advertise("C0:00:00:00:00:09", name: "Somebody's headphones")
        #expect(blueZ.calls().isEmpty)
        blueZ.advertise(Self.address, name: "Ward gun 7")
        #expect(blueZ.calls().contains("Connect \(Self.path)"))
        #expect(blueZ.events().isEmpty)
        blueZ.connect(Self.address)
        #expect(blueZ.calls() == ["StartNotify \(Self.path)/s/c"])
        #expect(
            blueZ.events() == [
                .connected(
                    DeviceIdentity(
                        connection: .bluetooth, path: Self.path, name: "Ward gun 7", serialNumber: Self.address))
            ])
        blueZ.notify(Self.address, "40063")
        blueZ.notify(Self.address, "81333931\r\nnext")
        blueZ.notify(Self.address, "\r")
        #expect(blueZ.events() == [.scan("4006381333931"), .scan("next")])
    }

    /// A notification that arrives before the reply to StartNotify is not lost.
    @Test func aNotificationBeforeTheAnswer() {
        var blueZ = PlayedBlueZ([.overBluetooth()])
        blueZ.answers["StartNotify"] = { _ in nil }
        blueZ.start()
        blueZ.advertise(Self.address, name: "gun")
        blueZ.connect(Self.address)
        blueZ.notify(Self.address, "early\r")
        let events = blueZ.events()
        #expect(events.count == 2 && events.first?.isConnected == true && events.last == .scan("early"))
    }

    /// Messages that wait while the thread is late are of the time before: a code may still end in them.
    @Test func messagesThatWaited() {
        var blueZ = Self.connected()
        blueZ.notify(Self.address, "4006")
        blueZ.pause(.seconds(10))
        blueZ.advertise("C0:00:00:00:00:09", name: "Somebody's headphones")
        blueZ.notify(Self.address, "381\r40")
        #expect(blueZ.events() == [.scan("4006381")])
        blueZ.wait(.seconds(3))
        #expect(blueZ.events() == [.discarded(.withoutEnd, length: 2)])
    }

    /// If notifications stop for a while, the next data may be the end of a code whose start was lost.
    @Test func notificationsThatStop() {
        var blueZ = Self.connected()
        blueZ.notify(Self.address, "whole\r4006")
        blueZ.change(
            "\(PlayedBlueZ.path(Self.address))/s/c", "org.bluez.GattCharacteristic1", ["Notifying": .flag(false)])
        blueZ.wait(.milliseconds(500))
        #expect(blueZ.calls().last?.hasPrefix("StartNotify ") == true)
        blueZ.notify(Self.address, "933\r")
        blueZ.wait(.milliseconds(200))
        blueZ.notify(Self.address, "next\r")
        let scans = blueZ.events().filter { if case .scan = $0 { true } else { false } }
        #expect(scans == [.scan("whole"), .scan("next")])
    }

    /// A device that was already connected, by another program or before this one was killed.
    @Test func connectedAlready() {
        var blueZ = Self.connected()
        let restarted = BluetoothCentral([.overBluetooth()])
        blueZ.central = restarted
        blueZ.start()
        #expect(!blueZ.calls().contains("Connect \(Self.path)"))
        #expect(blueZ.events().map(\.isConnected) == [true])
        blueZ.notify(Self.address, "after\r")
        #expect(blueZ.events() == [.scan("after")])
    }

    /// The gun is lost a hundred times in the middle of a code: complete codes are reported once, others discarded.
    @Test func losses() {
        var blueZ = Self.connected()
        for round in 0..<100 {
            blueZ.notify(Self.address, "code \(round)\rhalf")
            blueZ.lose(Self.address)
            #expect(blueZ.events() == [.scan("code \(round)"), .discarded(.disconnected, length: 4), .disconnected])
            #expect(blueZ.calls() == ["Connect \(Self.path)"], "a good connection is made again at once")
            blueZ.connect(Self.address)
            #expect(blueZ.events().map(\.isConnected) == [true])
            _ = blueZ.calls()
        }
    }

    /// The backoff of failed attempts grows up to half a minute; an advertisement or a request ends the wait.
    @Test func growingWaits() {
        var blueZ = Self.connected()
        blueZ.notify(Self.address, "1\r")
        blueZ.answers["Connect"] = { _ in .failure("org.bluez.Error.Failed") }
        blueZ.lose(Self.address)
        var waits: [Duration] = []
        var last = blueZ.time
        _ = blueZ.calls()
        while waits.count < 8 {
            blueZ.wait(.milliseconds(100))
            guard blueZ.calls().contains("Connect \(Self.path)") else { continue }
            waits.append(blueZ.time - last)
            last = blueZ.time
        }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        blueZ.wait(.seconds(3))
        _ = blueZ.calls()
        blueZ.advertise(Self.address)
        #expect(blueZ.calls() == ["Connect \(Self.path)"])
        blueZ.central.search(at: blueZ.time)
        blueZ.answer()
        #expect(blueZ.calls() == ["Connect \(Self.path)"])
        blueZ.wait(.milliseconds(999))
        #expect(blueZ.calls().isEmpty)
        blueZ.wait(.milliseconds(1))
        #expect(blueZ.calls() == ["Connect \(Self.path)"], "the waits restart")
        #expect(blueZ.events().filter { $0 != .scan("1") } == [.disconnected], "being away is not a fault")
    }

    /// A connection that breaks before any data arrives is not retried without a pause.
    @Test func aConnectionThatDoesNotLast() {
        var blueZ = Self.connected()
        var connects = 0
        for _ in 0..<200 {
            blueZ.lose(Self.address)
            blueZ.wait(.milliseconds(100))
            guard blueZ.calls().contains("Connect \(Self.path)") else { continue }
            connects += 1
            blueZ.connect(Self.address)
        }
        #expect((3...7).contains(connects), "\(connects) in 20 seconds")
    }

    /// After a restart of bluetoothd the gun is read again; a long absence is reported once.
    @Test func bluetoothdRestarts() {
        var blueZ = Self.connected()
        blueZ.notify(Self.address, "half")
        blueZ.end()
        #expect(blueZ.events() == [.discarded(.disconnected, length: 4), .disconnected])
        blueZ.begin()
        blueZ.advertise(Self.address, name: "gun")
        blueZ.connect(Self.address)
        blueZ.notify(Self.address, "again\r")
        let events = blueZ.events()
        #expect(events.count == 2 && events.first?.isConnected == true && events.last == .scan("again"))
        blueZ.end()
        blueZ.wait(.seconds(120))
        let absence = blueZ.events()
        #expect(absence.count == 2 && absence.first == .disconnected)
        #expect(absence.last?.problem?.contains("bluetoothd is not running") == true)
        blueZ.begin()
        #expect(blueZ.events() == [.disconnected], "it is away, and nothing is wrong")
    }

    /// Replies of the old bluetoothd are ignored after a restart.
    @Test func lateAnswers() {
        var blueZ = PlayedBlueZ([.overBluetooth()])
        blueZ.answers["Connect"] = { _ in nil }
        blueZ.start()
        blueZ.advertise(Self.address, name: "gun")
        blueZ.end()
        blueZ.begin()
        for number in UInt64(0)..<20 {
            blueZ.receive(.failure(number, name: "org.bluez.Error.AuthenticationFailed", text: ""))
        }
        #expect(blueZ.events().isEmpty)
    }

    @Test func adapters() {
        var blueZ = Self.connected()
        blueZ.change(PlayedBlueZ.adapter, "org.bluez.Adapter1", ["Powered": .flag(false)])
        #expect(blueZ.events() == [.disconnected])
        blueZ.wait(.seconds(10))
        #expect(blueZ.events().map(\.problem).map { $0?.contains("switched off") } == [true])
        blueZ.change(PlayedBlueZ.adapter, "org.bluez.Adapter1", ["Powered": .flag(true)])
        #expect(blueZ.events().map(\.isConnected) == [false, true], "it was connected all the time")
        blueZ.remove(PlayedBlueZ.adapter)
        blueZ.wait(.seconds(10))
        #expect(blueZ.events().last?.problem?.contains("no Bluetooth adapter") == true)
        blueZ.add(PlayedBlueZ.adapter, ["org.bluez.Adapter1": .table(["Powered": .flag(true)])])
        #expect(blueZ.events().last?.isConnected == true)
    }

    @Test(arguments: [
        ("org.freedesktop.DBus.Error.AccessDenied", "permission denied"),
        ("org.freedesktop.DBus.Error.ServiceUnknown", "bluetoothd is not running"),
    ])
    func nobodyAnswers(_ error: String, _ sentence: String) {
        var blueZ = PlayedBlueZ([.overBluetooth()])
        blueZ.answers["GetManagedObjects"] = { _ in .failure(error) }
        blueZ.start()
        blueZ.wait(.seconds(100))
        let events = blueZ.events()
        #expect(events.count == 1 && events.first?.problem?.contains(sentence) == true)
        #expect(blueZ.calls().count { $0.hasPrefix("GetManagedObjects") } == 4, "it is asked again")
        blueZ.answers = [:]
        blueZ.wait(.seconds(31))
        #expect(blueZ.events() == [.disconnected])
    }

    /// Anybody may send signals on the system bus; only those of bluetoothd are accepted.
    @Test func signalsOfOthers() {
        var blueZ = Self.connected()
        let body: [BusValue] = [
            .text("org.bluez.GattCharacteristic1"), .table(["Value": .bytes(Array("forged\r".utf8))]), .list([]),
        ]
        for sender in [":1.66", "org.bluez", ""] {
            blueZ.receive(
                .signal(
                    sender: sender, path: "\(Self.path)/s/c", interface: "org.freedesktop.DBus.Properties",
                    member: "PropertiesChanged", body: body))
        }
        #expect(blueZ.events().isEmpty)
    }

    @Test func whatKeepsAGunFromBeingRead() {
        var blueZ = PlayedBlueZ([.overBluetooth()])
        blueZ.answers["StartNotify"] = { _ in .failure("org.bluez.Error.NotPermitted") }
        blueZ.start()
        blueZ.advertise(Self.address, name: "gun")
        blueZ.connect(Self.address)
        blueZ.wait(.seconds(20))
        #expect(blueZ.events().map(\.problem).map { $0?.contains("bluetoothctl pair \(Self.address)") } == [true])
        blueZ.answers = [:]
        blueZ.wait(.seconds(5))
        #expect(blueZ.events().map(\.isConnected) == [true])
        var other = PlayedBlueZ([.overBluetooth()])
        other.start()
        other.advertise(Self.address, name: "gun")
        other.connect(Self.address, service: BluetoothLink.heartRate.service)
        other.wait(.seconds(20))
        #expect(other.events().map(\.problem).map { $0?.contains("`characteristic`") } == [true])
    }

    /// An attempt without a result is aborted: after a while if the gun advertises, else if no reply comes.
    @Test func attemptsThatHang() {
        var blueZ = Self.connected()
        blueZ.notify(Self.address, "1\r")
        blueZ.lose(Self.address)
        blueZ.wait(.seconds(19))
        blueZ.advertise(Self.address)
        _ = blueZ.calls()
        blueZ.wait(.seconds(1))
        blueZ.advertise(Self.address)
        #expect(blueZ.calls() == ["Disconnect \(Self.path)"])
        blueZ.wait(.seconds(2))
        #expect(blueZ.calls() == ["Connect \(Self.path)"])
        blueZ.wait(.seconds(59))
        #expect(blueZ.calls().isEmpty)
        blueZ.wait(.seconds(1))
        #expect(blueZ.calls() == ["Disconnect \(Self.path)"])
        blueZ.connect(Self.address)
        #expect(blueZ.events().last?.isConnected == true)
    }

    /// A gun with a private address changes it; the old address is not tried forever.
    @Test func anotherAddress() {
        var blueZ = Self.connected()
        blueZ.notify(Self.address, "1\r")
        blueZ.answers["Connect"] = { _ in nil }
        blueZ.lose(Self.address)
        blueZ.wait(.seconds(6))
        _ = blueZ.calls()
        let address = "C0:00:00:00:00:02"
        blueZ.advertise(address, name: "gun")
        #expect(blueZ.calls() == ["Disconnect \(Self.path)", "Connect \(PlayedBlueZ.path(address))"])
        _ = blueZ.events()
        blueZ.connect(address)
        #expect(blueZ.events().map(\.isConnected) == [true])
    }

    @Test func twoGunsOfOneName() {
        var blueZ = PlayedBlueZ([.overBluetooth(), .overBluetooth("gun")])
        blueZ.start()
        let addresses = ["C0:00:00:00:00:01", "C0:00:00:00:00:02"]
        for address in addresses { blueZ.advertise(address, name: "gun") }
        for address in addresses { blueZ.connect(address) }
        #expect(blueZ.events().map(\.isConnected) == [true, true])
        blueZ.notify(addresses[0], "le")
        blueZ.notify(addresses[1], "right\r")
        blueZ.notify(addresses[0], "ft\r")
        #expect(blueZ.events() == [.scan("right"), .scan("left")])
    }

    @Test func batteries() {
        var blueZ = Self.connected()
        blueZ.change(Self.path, "org.bluez.Battery1", ["Percentage": .number(80)])
        #expect(blueZ.events().isEmpty, "the interface was not there")
        blueZ.add(Self.path, ["org.bluez.Battery1": .table(["Percentage": .number(79)])])
        blueZ.change(Self.path, "org.bluez.Battery1", ["Percentage": .number(78)])
        #expect(blueZ.events() == [.battery(79), .battery(78)])
    }

    @Test func stopping() {
        var blueZ = Self.connected()
        blueZ.notify(Self.address, "half")
        blueZ.central.stop(at: blueZ.time)
        let output = blueZ.central.takeOutput()
        #expect(output.events.map(\.kind) == [.discarded(.disconnected, length: 4), .disconnected])
        #expect(output.requests.map(\.call.member) == ["Disconnect"] && output.requests.first?.call.path == Self.path)
    }

    /// The adapter scans only while a device is missing.
    @Test func discovery() {
        var blueZ = Self.connected()
        blueZ.wait(.seconds(60))
        #expect(blueZ.calls().isEmpty)
        blueZ.answers["Connect"] = { _ in nil }
        blueZ.lose(Self.address)
        blueZ.wait(.seconds(4))
        #expect(blueZ.calls() == ["Connect \(Self.path)"])
        blueZ.wait(.seconds(2))
        #expect(blueZ.calls() == ["SetDiscoveryFilter /org/bluez/hci0", "StartDiscovery /org/bluez/hci0"])
        blueZ.connect(Self.address)
        #expect(blueZ.calls().contains("StopDiscovery /org/bluez/hci0"))
    }

    /// In any order of events, no deadline lies in the past, and the gun is connected in the end.
    @Test(arguments: 0..<200) func anyOrder(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var blueZ = PlayedBlueZ([.overBluetooth()])
        blueZ.start()
        for _ in 0..<60 {
            switch Int.random(in: 0..<11, using: &random) {
            case 0: blueZ.end()
            case 1: if blueZ.owner == nil { blueZ.begin() }
            case 2, 3: if blueZ.owner != nil { blueZ.advertise(Self.address, name: "gun") }
            case 4, 5: if blueZ.owner != nil { blueZ.connect(Self.address) }
            case 6: if blueZ.owner != nil { blueZ.lose(Self.address) }
            case 7: blueZ.change(PlayedBlueZ.adapter, "org.bluez.Adapter1", ["Powered": .flag(.random(using: &random))])
            case 8: blueZ.remove(Self.path)
            case 9: blueZ.notify(Self.address, "x")
            default: blueZ.wait(.milliseconds(Int.random(in: 0..<40_000, using: &random)))
            }
        }
        blueZ.end()
        blueZ.begin()
        blueZ.advertise(Self.address, name: "gun")
        blueZ.connect(Self.address)
        _ = blueZ.events()
        blueZ.notify(Self.address, "\rend\r")
        #expect(blueZ.events().last == .scan("end"), "seed \(seed)")
    }
}
