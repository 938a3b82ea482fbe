import Dispatch
import Glibc
import ServiceLifecycle

/// Standard input, read in a way that notices a shutdown during a pause in the input.
enum StandardInput {
    /// The timeout of one poll of the input, in milliseconds.
    private static let pollTimeout: Int32 = 200

    /// Reads the next bytes; `nil` at the end of the input or after a shutdown has begun.
    static func read() async throws -> [UInt8]? {
        while !Task.isCancelled && !Task.isShuttingDownGracefully {
            let result = await withCheckedContinuation { continuation in
                // Polling blocks a thread, so it must not be one of the pool of Swift's tasks.
                DispatchQueue.global().async { continuation.resume(returning: readNow()) }
            }
            switch result {
            case .bytes(let bytes): return bytes.isEmpty ? nil : bytes
            case .nothing: continue
            case .failure(let code):
                throw Failure(message: "standard input: \(String(cString: strerror(code)))")
            }
        }
        return nil
    }

    private enum Result {
        case bytes([UInt8])
        case nothing
        case failure(Int32)
    }

    private static func readNow() -> Result {
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, pollTimeout) > 0 else { return .nothing }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN ? .nothing : .failure(errno) }
        return .bytes(Array(bytes.prefix(count)))
    }
}
