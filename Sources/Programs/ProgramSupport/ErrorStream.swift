internal import Glibc
internal import Synchronization

/// Standard error, whose reader holds up no service: what it leaves no room for is dropped, counted, and said later.
///
/// A command that somebody waits for waits in turn, until ``beginService()``.
public struct ErrorStream: TextOutputStream, Sendable {
    /// What a write to a pipe that has any room takes without waiting for more, by POSIX.
    private static let atOnce = 4096
    /// How long a service waits in milliseconds for a reader that is slow, before it takes it for one that is stuck.
    private static let writeTimeout: Int32 = 1000

    private struct State {
        var isService = false
        /// How many texts were dropped since one was written.
        var dropped = 0
        /// Whether a part of the first of them was written.
        var isTorn = false
    }

    private static let state = Mutex(State())

    /// The stream; all of them are one.
    public init() {}

    /// From now on nothing waits for a reader that is stuck.
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
            Self.write("\(end)(\(count) messages are missing here, because nobody read standard error)\n", &state)
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
                // Whoever has closed standard error does not want to hear of it.
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
