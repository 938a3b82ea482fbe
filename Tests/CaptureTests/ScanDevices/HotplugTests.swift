import BarcodeCore
import Glibc
import TestSupport
import Testing

@testable import ScanDevices

/// Hot-plug notifications of the kernel; in these tests, the periodic scan for devices runs only once a day.
@Suite(.timeLimit(.minutes(10))) struct HotplugTests {
    @Test func aPortThatComesAgainAndAgain() async throws {
        let folder = try TemporaryFolder()
        let link = folder["by-id/gun"]
        let device = DeviceConfiguration(name: "gun", match: DeviceMatch(connection: .serial, path: link))
        let run = MonitorRun(DeviceMonitor([device], in: .init(path: folder["dev"]), interval: .seconds(86_400)))
        for round in 0..<20 {
            var port: Pseudoterminal? = try Pseudoterminal()
            let path = try #require(port).path
            // As udev does, which creates the folder with the first link and removes it with the last.
            try #require(mkdir(folder["by-id"], 0o755) == 0)
            try #require(symlink(path, link) == 0)
            #expect(await run.next(1) == [.connected(DeviceIdentity(connection: .serial, path: path))])
            try port?.send("code \(round)\r".utf8)
            #expect(await run.next(1) == [.scan(DeviceScan(bytes: Array("code \(round)".utf8)))])
            unlink(link)
            rmdir(folder["by-id"])
            port = nil
            #expect(await run.next(1) == [.disconnected])
        }
        run.stop()
    }

    /// A device that cannot be opened yet, as before udev assigns it to a group, is only reported if that persists.
    @Test func aFileThatIsNoPortYet() async throws {
        let folder = try TemporaryFolder()
        let path = folder["ttyUSB0"]
        let match = DeviceMatch(connection: .serial, path: path)
        let run = MonitorRun(
            DeviceMonitor(
                [DeviceConfiguration(name: "gun", match: match)], in: .init(path: folder.path),
                interval: .seconds(86_400)))
        try folder.file("ttyUSB0", [])
        guard case .unavailable(let sentence)? = await run.next(1).first else {
            Issue.record("it was not told")
            return
        }
        #expect(sentence.contains(path))
        let port = try Pseudoterminal()
        unlink(path)
        try #require(symlink(port.path, path) == 0)
        #expect(await run.next(1) == [.connected(DeviceIdentity(connection: .serial, path: path))])
        run.stop()
        withExtendedLifetime(port) {}
    }
}
