internal import BarcodeCore
internal import DecodeReports
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
public import ScanOutbox
internal import SystemPackage

/// The answer of a running watcher to a status request.
public struct WatchReport: Sendable, Hashable, Codable {
    /// The deliveries of one destination.
    public struct Deliveries: Sendable, Hashable, Codable {
        /// The number of pending deliveries.
        public var pending = 0
        /// The number of completed deliveries.
        public var delivered = 0
        /// The number of dead letters.
        public var dead = 0
        /// The number of deliveries to a disabled destination.
        public var disabled = 0
    }

    /// The watched folder; invalid UTF-8 becomes U+FFFD.
    public var folder: String
    /// The process identifier.
    public var process: Int32
    /// The status of the folder and its files.
    public var files: FolderStatus
    /// The deliveries by destination.
    public var destinations: [String: Deliveries]
}

/// Answers each connection to a Unix socket beside the database with a line of JSON.
///
/// Only its owner has access: users who may not read the outbox need not know the content of the folder.
public final class StatusSocket: Sendable {
    /// The suffix to the path of the database.
    public static let ending = ".status"

    private let path: [UInt8]
    // A Dispatch source may be used from any thread, although its protocol does not say so. It is canceled once.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Starts to listen beside a database.
    ///
    /// - Parameter report: creates the answer; called in a task of its own.
    /// - Throws: an error with a sentence if the socket cannot be created.
    public init(database: String, report: @escaping @Sendable () async -> WatchReport) throws {
        let path = Array((database + Self.ending).utf8)
        self.path = path
        // Only the holder of the database lock may have the socket.
        _ = path.withPath { unlink($0) }
        let listener = try Self.make(path, bind)
        guard path.withPath({ chmod($0, 0o600) }) == 0, listen(listener, 8) == 0 else {
            let error = Errno(rawValue: errno)
            Glibc.close(listener)
            throw error
        }
        source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: DispatchQueue(label: "status"))
        source.setEventHandler {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else {
                // The connection stays pending and would trigger the handler again at once.
                if ResourceShortage(errno: errno) != nil { usleep(100_000) }
                return
            }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            // Limited by the kernel's queue of connections; ends once the line is written.
            Task {
                let line = (try? JSONLine.encode(await report())) ?? []
                var timeout = timeval(tv_sec: 2, tv_usec: 0)
                setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
                await Blocking.value {
                    var rest = line[...]
                    while !rest.isEmpty {
                        let count = rest.withUnsafeBytes {
                            send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                        }
                        if count <= 0 { break }
                        rest = rest.dropFirst(count)
                    }
                    Glibc.close(connection)
                }
            }
        }
        source.setCancelHandler { Glibc.close(listener) }
        source.activate()
    }

    /// Removes the socket.
    public func close() {
        _ = path.withPath { unlink($0) }
        source.cancel()
    }

    /// Requests the status from the watcher that has a database open.
    ///
    /// - Parameter seconds: the timeout for each part of its answer.
    /// - Returns: its answer; `nil` if no watcher is running.
    public static func ask(database: String, within seconds: Int = 10) -> WatchReport? {
        let path = Array((database + ending).utf8)
        guard let connection = try? make(path, connect) else { return nil }
        defer { Glibc.close(connection) }
        var timeout = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while line.count < 1 << 22 {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count <= 0 { break }
            line += buffer.prefix(count)
        }
        return try? JSONLine.decode(WatchReport.self, from: line)
    }

    /// Creates a socket and passes its address to a system call.
    ///
    /// An address holds 107 bytes and paths can be longer, so the folder is referred to by its descriptor.
    private static func make(
        _ path: [UInt8], _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(Errno) -> Int32 {
        let slash = path.lastIndex(of: 0x2F)
        let folder = try FolderHandle(path: slash.map { Array(path[...$0]) } ?? [0x2E])
        let name = slash.map { Array(path[($0 + 1)...]) } ?? path
        let short = Array("/proc/self/fd/\(folder.descriptor)/".utf8) + name
        var address = sockaddr_un()
        guard short.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .fileNameTooLong }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short) }
        let descriptor = try FolderHandle.check(
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result != 0 {
            let error = Errno(rawValue: errno)
            Glibc.close(descriptor)
            throw error
        }
        return descriptor
    }
}

extension WatchReport {
    /// Creates the report of a watcher and its outbox.
    public init(folder: [UInt8], files: FolderStatus, outbox: OutboxStatus?) {
        self.init(
            folder: String(decoding: folder, as: UTF8.self), process: getpid(), files: files,
            destinations: outbox?.destinations.mapValues { destination in
                Deliveries(
                    pending: destination.counts[.pending] ?? 0, delivered: destination.counts[.delivered] ?? 0,
                    dead: destination.counts[.dead] ?? 0, disabled: destination.counts[.disabled] ?? 0)
            } ?? [:])
    }
}
