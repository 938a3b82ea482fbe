internal import Glibc

/// Tells the service manager how this process is, by the protocol of sd_notify(3) of systemd.
///
/// The manager names a datagram socket in `NOTIFY_SOCKET`; without one nothing is sent, so that a program may say what
/// it likes wherever it runs.
public struct ServiceNotifier: Sendable {
    /// How often the manager wants to hear that this process is alive; nil where it does not ask.
    ///
    /// It asks by `WATCHDOG_USEC`, and of the process `WATCHDOG_PID` alone. Say it twice as often.
    public let watchdog: Duration?
    private let socketPath: [UInt8]?

    /// What the environment of this process asks for.
    public init() {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        self.init(
            socket: variable("NOTIFY_SOCKET"), watchdogMicroseconds: variable("WATCHDOG_USEC"),
            watchdogProcess: variable("WATCHDOG_PID"), process: getpid())
    }

    /// What variables of that content ask for.
    init(socket: String?, watchdogMicroseconds: String?, watchdogProcess: String?, process: Int32) {
        let path = socket.map { Array($0.utf8) } ?? []
        // A path, or a name of the abstract namespace, which is written with @ for the NUL before it.
        socketPath = path.first == 0x2F || path.first == 0x40 ? path : nil
        let isMeant = watchdogProcess.map { Int32($0) == process } ?? true
        let microseconds = watchdogMicroseconds.flatMap { Int64($0) } ?? 0
        watchdog = isMeant && microseconds > 0 && socketPath != nil ? .microseconds(microseconds) : nil
    }

    /// Whether a service manager listens.
    public var isHeard: Bool { socketPath != nil }

    /// The program does what it is there for.
    public func ready() { send("READY=1") }

    /// The program ends.
    public func stopping() { send("STOPPING=1") }

    /// The program is alive.
    public func alive() { send("WATCHDOG=1") }

    /// How things stand, one line for people.
    public func status(_ text: String) {
        send("STATUS=" + String(text.map { $0.isNewline ? " " : $0 }))
    }

    /// Sends one datagram; a manager that does not take it at once misses it.
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
