import Foundation
import TestSupport
import Testing

@testable import quietzone_server

/// Notifications to systemd, on a real socket.
@Suite struct ServiceNotifierTests {
    @Test func datagrams() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/notify"
        let listener = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        let notifier = ServiceNotifier(socket: path, watchdogMicroseconds: nil, watchdogProcess: nil, process: 1)
        notifier.ready()
        notifier.alive()
        notifier.status("3 waiting\nREADY=0")
        notifier.stopping()
        var said: [String] = []
        var buffer = [UInt8](repeating: 0, count: 1000)
        while case let count = recv(listener, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count >= 0 {
            said.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
        #expect(said == ["READY=1", "WATCHDOG=1", "STATUS=3 waiting READY=0", "STOPPING=1"])
    }

    @Test(
        arguments: [
            ("/run/x", "2000000", nil, Duration.seconds(2)), ("/run/x", "2000000", "42", .seconds(2)),
            ("/run/x", "2000000", "43", nil), ("/run/x", nil, nil, nil), ("/run/x", "0", nil, nil),
            ("/run/x", "soon", nil, nil), (nil, "2000000", nil, nil), ("@abstract", "1000", nil, .milliseconds(1)),
            ("relative", "1000", nil, nil),
        ] as [(String?, String?, String?, Duration?)])
    func watchdog(_ socket: String?, _ microseconds: String?, _ process: String?, _ expected: Duration?) {
        let notifier = ServiceNotifier(
            socket: socket, watchdogMicroseconds: microseconds, watchdogProcess: process, process: 42)
        #expect(notifier.watchdog == expected)
    }

    @Test func nobodyListens() {
        let notifier = ServiceNotifier(
            socket: "/nowhere/at/all", watchdogMicroseconds: nil, watchdogProcess: nil, process: 1)
        notifier.ready()
        #expect(notifier.isHeard)
        #expect(!ServiceNotifier(socket: nil, watchdogMicroseconds: nil, watchdogProcess: nil, process: 1).isHeard)
    }
}
