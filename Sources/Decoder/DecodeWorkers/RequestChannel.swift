internal import BarcodeCore
internal import CLinux
internal import Dispatch
internal import Glibc
internal import ImageCodecs
internal import Synchronization
internal import SystemPackage

/// The pool's end of the Unix socket that is a worker's standard input.
///
/// Over a socket, an open file can be passed along with its request, so that a worker need not be able to open any.
final class RequestChannel: Sendable {
    private let socket: CInt
    /// Indicates whether a path below `/dev` or `/proc` may be an open file of this process.
    private let opensOwnFiles: Bool
    /// For sending, which waits until the worker has taken what was sent before.
    private let queue = DispatchQueue(label: "requests")
    private let isClosed = Mutex(false)

    private init(socket: CInt, opensOwnFiles: Bool) {
        self.socket = socket
        self.opensOwnFiles = opensOwnFiles
    }

    /// Creates a socket.
    ///
    /// - Returns: the channel, and the descriptor for the standard input of the worker.
    /// - Throws: an `Errno` if there are no more descriptors.
    static func open(opensOwnFiles: Bool = true) throws -> (RequestChannel, FileDescriptor) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Errno(rawValue: errno)
        }
        // A worker that a picture has taken over could fill its end with open files, which count as those of the user.
        _ = shutdown(ends[0], Int32(SHUT_RD))
        return (RequestChannel(socket: ends[0], opensOwnFiles: opensOwnFiles), FileDescriptor(rawValue: ends[1]))
    }

    /// Sends a request line, and the bytes that follow it.
    ///
    /// The rest is dropped if the worker has ended: the end of its output tells more about that.
    ///
    /// - Parameter file: the path of the file to open and to pass along; `nil` for none.
    /// - Throws: the error of a file that cannot be opened; nothing is sent then.
    func send(_ line: [UInt8], _ bytes: [UInt8]?, file: PictureName?) async throws(DecodeError) {
        let result = await withCheckedContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    returning: Result { () throws(DecodeError) in try sendNow(line, bytes, file: file) })
            }
        }
        try result.get()
    }

    private func sendNow(_ line: [UInt8], _ bytes: [UInt8]?, file: PictureName?) throws(DecodeError) {
        if let file {
            let opened = try ImageLoader.openForPassing(file.bytes, isOfThisProcess: opensOwnFiles)
            write(line, passing: opened.number)
        } else {
            write(line)
        }
        if let bytes { write(bytes) }
    }

    /// Writes all bytes, and passes a file with the first of them.
    private func write(_ bytes: [UInt8], passing file: CInt = -1) {
        bytes.withUnsafeBytes { bytes in
            var (rest, file) = (bytes[...], file)
            while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
                let count = qz_send(socket, start, rest.count, file)
                if count <= 0 { return }
                rest = rest.dropFirst(count)
                file = -1
            }
        }
    }

    /// Closes the socket, which is the end of the worker's input; call it when nothing is being sent.
    func close() {
        isClosed.withLock { isClosed in
            if !isClosed { _ = Glibc.close(socket) }
            isClosed = true
        }
    }
}
