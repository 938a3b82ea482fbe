import Glibc

/// Reports the state of this process to the service manager by the protocol of sd_notify(3) of systemd.
///
/// The manager names a datagram socket in `NOTIFY_SOCKET`. Without it nothing is sent, so the methods may always be
/// called.
struct ServiceNotifier: Sendable {
    /// The watchdog timeout within which the manager expects a sign of life; `nil` if it expects none.
    ///
    /// From `WATCHDOG_USEC`, if `WATCHDOG_PID` is this process. Call ``alive()`` twice as often.
    let watchdog: Duration?
    private let socketPath: [UInt8]?

    /// Creates a notifier from the environment of this process.
    init() {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        self.init(
            socket: variable("NOTIFY_SOCKET"), watchdogMicroseconds: variable("WATCHDOG_USEC"),
            watchdogProcess: variable("WATCHDOG_PID"), process: getpid())
    }

    /// Creates a notifier from the values of these variables.
    init(socket: String?, watchdogMicroseconds: String?, watchdogProcess: String?, process: Int32) {
        let path = socket.map { Array($0.utf8) } ?? []
        // A path, or a name in the abstract namespace, written with @ for the initial NUL.
        socketPath = path.first == 0x2F || path.first == 0x40 ? path : nil
        let isMeant = watchdogProcess.map { Int32($0) == process } ?? true
        let microseconds = watchdogMicroseconds.flatMap { Int64($0) } ?? 0
        watchdog = isMeant && microseconds > 0 && socketPath != nil ? .microseconds(microseconds) : nil
    }

    /// Indicates whether a service manager listens.
    var isHeard: Bool { socketPath != nil }

    /// Reports that the program is ready.
    func ready() { send("READY=1") }

    /// Reports that the program is stopping.
    func stopping() { send("STOPPING=1") }

    /// Reports that the program is alive.
    func alive() { send("WATCHDOG=1") }

    /// Reports the status, in one line for people.
    func status(_ text: String) {
        send("STATUS=" + String(text.map { $0.isNewline ? " " : $0 }))
    }

    /// Sends one datagram; it is lost if the manager cannot receive it at once.
    private func send(_ text: String) {
        guard let path = socketPath else { return }
        var address = sockaddr_un()
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.count < capacity else { return }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            bytes.copyBytes(from: path)
            if path[0] == 0x40 { bytes[0] = 0 }
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let message = Array(text.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0, length)
            }
        }
    }
}
