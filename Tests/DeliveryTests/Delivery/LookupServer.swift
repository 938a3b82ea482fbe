import Foundation
import Glibc
import Synchronization

/// A stand-in for a system that is asked about codes: an HTTP server with one reply, which keeps the requests.
final class LookupServer: Sendable {
    /// A reply to each request.
    enum Reply: Sendable {
        /// These bytes, and then the end of the connection.
        case bytes(String)
        /// Nothing, until the client leaves.
        case hang
        /// The beginning of an answer, then a byte now and then, until the client leaves.
        case trickle
    }

    let port: UInt16
    private let listener: Int32
    private let received = Mutex<[String]>([])

    init(_ reply: Reply) throws {
        // Writing to a client that has left is an error, not a signal.
        signal(SIGPIPE, SIG_IGN)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else { throw CocoaError(.fileNoSuchFile) }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            // Closed here, not in `deinit`: the number of a closed descriptor is taken by the next server at once, and
            // this thread would accept, and close, a connection of that one.
            defer { close(listener) }
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let self else {
                    close(client)
                    return
                }
                let head = Self.head(from: client)
                received.withLock { $0.append(head) }
                Thread.detachNewThread { Self.send(reply, to: client) }
            }
        }
    }

    /// Ends the thread's wait for a connection.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The heads of the requests so far.
    var requests: [String] { received.withLock { $0 } }

    private static func head(from client: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !bytes.ends(with: [13, 10, 13, 10]), case let count = read(client, &buffer, buffer.count), count > 0 {
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func send(_ reply: Reply, to client: Int32) {
        defer { close(client) }
        var byte: UInt8 = 0x20
        switch reply {
        case .bytes(let text):
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty, case let count = rest.withUnsafeBytes({ write(client, $0.baseAddress, $0.count) }),
                count > 0
            {
                rest = rest.dropFirst(count)
            }
        case .hang: _ = read(client, &byte, 1)
        case .trickle:
            let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n".utf8)
            _ = head.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
            while write(client, &byte, 1) == 1 { usleep(20_000) }
        }
    }
}

extension Array where Element: Equatable {
    fileprivate func ends(with other: [Element]) -> Bool { Array(suffix(other.count)) == other }
}
