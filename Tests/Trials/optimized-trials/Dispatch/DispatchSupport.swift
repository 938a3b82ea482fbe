import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import ScanEvents
import Synchronization

/// A temporary folder below the current one, because /tmp may be in memory; deleted at the end.
final class Scratch {
    let path: String

    init() throws {
        path = FileManager.default.currentDirectoryPath + "/.build/benchmark-\(getpid())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(_ name: String) -> String { "\(path)/\(name)" }
}

extension [Double] {
    var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}

extension Double {
    var twoPlaces: String { String((self * 100).rounded() / 100) }
}

func microseconds(_ seconds: Double) -> String { "\(Int((seconds * 1e6).rounded())) us" }

func seconds(_ work: () -> Void) -> Double {
    let start = ContinuousClock.now
    work()
    return (ContinuousClock.now - start) / .seconds(1)
}

/// Prints a figure, its ratio and the goal.
func report(_ what: String, _ figures: String, _ ratio: Double, _ goal: String) {
    print("\(what): \(figures); ratio \(ratio.twoPlaces), \(goal)")
    fflush(nil)
}

/// The resident memory of the process, in KiB.
func residentKilobytes() -> Int {
    let status = (try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
}

/// A receiver on loopback that counts requests and answers with 204.
final class CountingServer: Sendable {
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: CountingServer

        init(_ server: CountingServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            server.received.add(1, ordering: .relaxed)
            let head = HTTPResponseHead(version: .http1_1, status: .noContent)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private let received = Atomic<Int>(0)
    private let channel = Mutex<(any Channel)?>(nil)

    var count: Int { received.load(ordering: .relaxed) }
    var url: String { "http://127.0.0.1:\(channel.withLock { $0?.localAddress?.port } ?? 0)/scans" }

    init() async throws {
        let bound = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(self))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        channel.withLock { $0 = bound }
    }

    func close() async throws {
        let bound = channel.withLock { channel in
            defer { channel = nil }
            return channel
        }
        try await bound?.close()
    }

    /// Posts the body of an event repeatedly with AsyncHTTPClient alone; returns posts a second.
    func postPlainly(_ count: Int, concurrency: Int, body event: ScanEvent) async throws -> Double {
        let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton)
        let body = try JSONEncoder().encode(event)
        let url = url
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    for _ in 0..<count / concurrency {
                        var request = HTTPClientRequest(url: url)
                        request.method = .POST
                        request.headers.add(name: "content-type", value: "application/json")
                        request.body = .bytes(ByteBuffer(bytes: body))
                        let response = try await client.execute(request, timeout: .seconds(15))
                        for try await _ in response.body {}
                    }
                }
            }
            try await group.waitForAll()
        }
        let rate = Double(count) / ((ContinuousClock.now - start) / .seconds(1))
        try await client.shutdown()
        return rate
    }
}
