internal import Glibc
internal import Synchronization

/// Standard error, which never blocks a service on a stuck reader.
///
/// Text without room is dropped, counted and reported later.
///
/// A command for a person waits for its reader, until ``beginService()``.
public struct ErrorStream: TextOutputStream, Sendable {
    /// The number of bytes that a write to a pipe with any room accepts without blocking, by POSIX.
    private static let atOnce = 4096
    /// The timeout in milliseconds after which a service takes a slow reader for a stuck one.
    private static let writeTimeout: Int32 = 1000

    private struct State {
        var isService = false
        /// The number of texts dropped since the last write.
        var dropped = 0
        /// Indicates whether the first dropped text was partly written.
        var isTorn = false
    }

    private static let state = Mutex(State())

    /// Creates a stream; all instances share one state.
    public init() {}

    /// Stops waiting for stuck readers from now on.
    public static func beginService() { state.withLock { $0.isService = true } }

    /// Writes a text.
    public func write(_ text: String) {
        Self.state.withLock { state in
            guard state.dropped > 0 else { return Self.write(text, &state) }
            let (count, end) = (state.dropped, state.isTorn ? "\n" : "")
            guard Self.hasRoom(within: 0) else {
                state.dropped += 1
                return
            }
            state.dropped = 0
            Self.write("\(end)(\(count) messages are missing here, because standard error was not read)\n", &state)
            if state.dropped > 0 { state.dropped += count } else { Self.write(text, &state) }
        }
    }

    private static func write(_ text: String, _ state: inout State) {
        let bytes = Array(text.utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            guard hasRoom(within: state.isService ? writeTimeout : -1) else {
                state.dropped = 1
                state.isTorn = rest.count < bytes.count
                return
            }
            let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, min($0.count, atOnce)) }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                // Standard error is closed, so there is no reader to report to.
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    private static func hasRoom(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = poll(&request, 1, milliseconds)
            if count >= 0 { return count > 0 }
            guard errno == EINTR else { return true }
        }
    }
}
