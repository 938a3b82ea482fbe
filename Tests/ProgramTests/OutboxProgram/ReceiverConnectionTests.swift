import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Connections that receivers close, or never answer on, with the built program.
@Suite(.timeLimit(.minutes(10))) struct ReceiverConnectionTests {
    private static let nginx = "/usr/sbin/nginx"

    /// Adds events and delivers them once; no attempt may fail.
    private func deliverAll(_ station: Station) async throws {
        for picture in 0..<20 { try await station.add(report((0..<30).map { "\(picture)-\($0)" })) }
        let result = try await station("run", "--once", "--log-level", "debug")
        #expect(result.ending == .exit(0), "\(result.messages.suffix(2000))")
        #expect(!result.messages.contains("Delivery failed"))
        let attempts = try await station.export().flatMap(\.deliveries).map(\.attempts)
        #expect(attempts == Array(repeating: 1, count: 600))
    }

    /// nginx closes each connection after a number of requests, over HTTP/2 with a GOAWAY.
    @Test(
        .enabled(if: access(nginx, X_OK) == 0, "needs nginx"), arguments: ["http", "https"], [20, 100])
    func nginxEndsConnections(_ scheme: String, _ requests: Int) async throws {
        let station = try Station()
        let folder = station.folder.path
        _ = try Support.certificates(in: station.folder)
        let socket = try FreePort()
        let listen = scheme == "https" ? "ssl http2" : ""
        try station.folder.file(
            "nginx.conf",
            Array(
                """
                daemon off; pid nginx.pid; error_log stderr; worker_processes 1;
                events {}
                http {
                    access_log off; keepalive_requests \(requests);
                    client_body_temp_path 1; proxy_temp_path 2; fastcgi_temp_path 3; uwsgi_temp_path 4; scgi_temp_path 5;
                    server {
                        listen 127.0.0.1:\(socket.port) \(listen);
                        ssl_certificate server.pem; ssl_certificate_key server.key;
                        location / { return 204; }
                    }
                }
                """.utf8))
        try station.configure(
            """
            his:
              type: http
              url: \(scheme)://localhost:\(socket.port)/
              unsigned: true
              timeoutSeconds: 60
              certificateAuthorities: \(folder)/ca.pem
            """)
        socket.free()
        var runner = ProgramRunner(executable: Self.nginx)
        runner.streams.error = .append(station.folder["nginx.log"])
        let nginx = try runner.start(["-p", folder, "-c", "nginx.conf", "-e", "stderr"])
        defer {
            nginx.signal(SIGTERM)
            _ = try? nginx.end()
        }
        try #require(await eventually { socket.isTaken }, "\((readFile(station.folder["nginx.log"]) ?? []).text)")
        try await deliverAll(station)
    }

    /// An HTTP/1.1 receiver that closes the connection after each response without announcing it.
    @Test func connectionsThatEndWithoutAWord() async throws {
        let receiver = try Receiver()
        let station = try Station()
        try station.configure(receiver, path: "/close")
        try await deliverAll(station)
        #expect(Set(receiver.received).count == 600)
    }

    /// A receiver that does not answer the TLS handshake takes no longer to stop than one that does not answer HTTP.
    @Test(arguments: ["send-test", "run --once", "SIGTERM", "two SIGTERM"])
    func aSilentReceiver(_ way: String) async throws {
        let socket = try FreePort()
        func time(_ scheme: String) async throws -> Duration {
            let station = try Station()
            try station.configure(
                """
                his:
                  type: http
                  url: \(scheme)://127.0.0.1:\(socket.port)/
                  unsigned: true
                  timeoutSeconds: \(way == "two SIGTERM" ? 300 : 1)
                """)
            if way == "send-test" {
                let start = ContinuousClock.now
                let test = try await station("send-test")
                #expect(test.ending == .exit(1))
                #expect(test.messages.contains("not delivered: no answer within 1 s"), "\(test.messages)")
                return ContinuousClock.now - start
            }
            try await station.add(report("a"))
            if way == "run --once" {
                let start = ContinuousClock.now
                #expect(try await station("run", "--once", "--log-level", "critical").ending == .exit(3))
                return ContinuousClock.now - start
            }
            let run = try station.startWithLog("run", "--log-level", "debug")
            try #require(await eventually { socket.hasConnection }, "\(station.log)")
            let start = ContinuousClock.now
            run.signal(SIGTERM)
            if way == "two SIGTERM" {
                try #require(await eventually { station.log.contains("Signal caught") })
                run.signal(SIGTERM)
            }
            _ = try await onThread { [run = Box(run)] in try run.value.end() }
            return ContinuousClock.now - start
        }
        let (plain, secure) = (try await time("http"), try await time("https"))
        // The TLS part used to take 10 s and more.
        #expect(secure < plain + .seconds(7))
    }
}

/// A value that one thread passes to another.
private struct Box<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A local port on which nobody answers.
private final class FreePort {
    let port: UInt16
    private var socket: Int32

    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = socket
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                guard bind(descriptor, $0, length) == 0, listen(descriptor, 64) == 0,
                    getsockname(descriptor, $0, &length) == 0
                else { throw SystemFailure("bind") }
            }
        }
        port = address.sin_port.bigEndian
    }

    deinit { free() }

    /// Releases the port for another program.
    func free() {
        if socket >= 0 { close(socket) }
        socket = -1
    }

    /// Indicates whether somebody has connected since the last call; the connection stays open without an answer.
    var hasConnection: Bool {
        var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 0) == 1 else { return false }
        let connection = accept(socket, nil, nil)
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return connection >= 0
    }

    /// Indicates whether another program listens on the port.
    var isTaken: Bool {
        let client = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        var address = Self.address(port: port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
