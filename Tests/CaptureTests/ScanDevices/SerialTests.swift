import BarcodeCore
import Glibc
import TestSupport
import Testing

@testable import ScanDevices

/// Guns and scales on serial ports, simulated with pseudoterminals.
@Suite(.timeLimit(.minutes(10))) struct SerialTests {
    /// A gun's scan is reported byte for byte, whatever it contains.
    @Test func aGun() async throws {
        let port = try Pseudoterminal()
        let run = MonitorRun([port.configuration("gun")], at: port)
        #expect(await run.next(1) == [.connected(DeviceIdentity(connection: .serial, path: port.path))])
        let messages: [[UInt8]] = [
            Array("4006381333931".utf8), [0xFF], [0xFF, 0xFF, 0, 0x80, 0x1D, 0x11, 0x13, 3, 4, 0x7F],
        ]
        for message in messages { try port.send(message + [0x0D]) }
        #expect(await run.next(3) == messages.map { .scan(DeviceScan(bytes: $0)) })
        run.stop()
        #expect(await run.next(1) == [.disconnected])
    }

    @Test func aPartOfACodeIsNoCode() async throws {
        let port = try Pseudoterminal()
        var gun = DeviceConfiguration.Gun()
        gun.framing.end = .terminator(giveUpAfter: .milliseconds(50))
        let run = MonitorRun([port.configuration("gun", .gun(gun))], at: port)
        _ = await run.next(1)
        try port.send("400638".utf8)
        #expect(await run.next(1) == [.discarded(.withoutEnd, length: 6)])
        try port.send("next\r".utf8)
        #expect(await run.next(1) == [.scan(DeviceScan(bytes: Array("next".utf8)))])
        try port.send("half".utf8)
        run.stop()
        // The rest is in the kernel or has been read: either way it is discarded, at the latest with the connection.
        let rest = await run.next(2)
        #expect(rest.last == .disconnected || rest == [.discarded(.disconnected, length: 4), .disconnected])
    }

    /// A gun that is sending when its port is opened: the rest of that code is reported as discarded, and the gun as
    /// connected from the start of the next code.
    @Test func openedAmidACode() async throws {
        let port = try Pseudoterminal()
        try port.send("81333931\rwhole\r".utf8)
        let run = MonitorRun([port.configuration("gun")], at: port)
        let scan = DeviceEvent.Kind.scan(DeviceScan(bytes: Array("whole".utf8)))
        let connected = DeviceEvent.Kind.connected(DeviceIdentity(connection: .serial, path: port.path))
        #expect(await run.next(3) == [.discarded(.begunBefore, length: 8), connected, scan])
        run.stop()
        #expect(await run.next(1) == [.disconnected])
    }

    /// A port that disappears and comes back under the same name, like a link of udev.
    @Test func unplugged() async throws {
        let folder = try TemporaryFolder()
        var port: Pseudoterminal? = try Pseudoterminal()
        let link = folder["gun"]
        try #require(symlink(try #require(port).path, link) == 0)
        let match = DeviceMatch(connection: .serial, path: link)
        let run = MonitorRun([DeviceConfiguration(name: "gun", match: match)])
        _ = await run.next(1)
        for round in 0..<3 {
            try port?.send("code \(round)\r".utf8)
            #expect(await run.next(1) == [.scan(DeviceScan(bytes: Array("code \(round)".utf8)))])
            unlink(link)
            port = nil
            #expect(await run.next(1) == [.disconnected])
            let next = try Pseudoterminal()
            try #require(symlink(next.path, link) == 0)
            port = next
            #expect(await run.next(1) == [.connected(DeviceIdentity(connection: .serial, path: next.path))])
        }
        run.stop()
        withExtendedLifetime(port) {}
    }

    /// Two guns with different names at once, at full speed.
    @Test func twoGuns() async throws {
        let ports = [try Pseudoterminal(), try Pseudoterminal()]
        let run = MonitorRun([ports[0].configuration("left"), ports[1].configuration("right")], at: ports[0], ports[1])
        _ = await run.next(2)
        let count = 500
        for number in 0..<count {
            try ports[0].send("L\(number)\r\n".utf8)
            try ports[1].send("R\(number)\r\n".utf8)
        }
        let events = await run.nextEvents(2 * count)
        for (name, letter) in [("left", "L"), ("right", "R")] {
            let texts = events.filter { $0.device == name }.map(\.kind)
            #expect(texts == (0..<count).map { .scan(DeviceScan(bytes: Array("\(letter)\($0)".utf8))) })
        }
        run.stop()
    }

    @Test func scales() async throws {
        let port = try Pseudoterminal()
        let run = MonitorRun([port.configuration("scale", .scale(.serial(.sics)))], at: port)
        _ = await run.next(1)
        #expect(try port.receive(4) == SerialScaleProtocol.sics.request)
        try port.send("S D   1.20 kg\r\nS S   1.25 kg\r\nS +\r\n".utf8)
        #expect(
            await run.next(3) == [
                .scale(.weight(WeightReading(value: "1.20", unit: .kilogram, isStable: false))),
                .scale(.weight(WeightReading(value: "1.25", unit: .kilogram, isStable: true))),
                .scale(.unavailable(.overload)),
            ])
        #expect(try port.receive(4) == SerialScaleProtocol.sics.request, "it is asked again")
        run.stop()
        let counter = try Pseudoterminal()
        let other = MonitorRun([counter.configuration("counter", .scale(.serial(.toledo, .pound)))], at: counter)
        _ = await other.next(1)
        #expect(try counter.receive(1) == Array("W".utf8))
        try counter.send(Array("34\r".utf8) + [0x02] + Array("01234".utf8) + [0x0D, 0x02] + Array("?A".utf8) + [0x0D])
        #expect(
            await other.next(2) == [
                .scale(.weight(WeightReading(value: "12.34", unit: .pound, isStable: true))),
                .scale(.unavailable(.inMotion)),
            ])
        other.stop()
    }

    /// A file that is not a serial port is reported once, and tried again.
    @Test func noPort() async throws {
        let folder = try TemporaryFolder()
        try folder.file("file", [1])
        let match = DeviceMatch(connection: .serial, path: folder["file"])
        let run = MonitorRun([DeviceConfiguration(name: "gun", match: match)])
        let told = await run.next(1)
        guard case .unavailable(let sentence)? = told.first else {
            Issue.record("\(told)")
            return
        }
        #expect(sentence.contains(folder["file"]) && sentence.hasSuffix("."))
        run.stop()
        #expect(await run.next(1).isEmpty)
    }

    @Test func marks() {
        var marks = MarkedBytes()
        let items = [0x41, 0xFF, 0xFF, 0xFF, 0, 0x42, 0x43].map { marks.take($0) }
        #expect(items == [.byte(0x41), nil, .byte(0xFF), nil, nil, .damaged, .byte(0x43)])
    }
}
