import BarcodeCore
import Glibc
import Synchronization
import Testing

@testable import BarcodeDecoding
@testable import Symbols

/// Decoding does not block the threads of the cooperative pool.
@Suite(.timeLimit(.minutes(10))) struct DecodingPoolTests {
    static let image = LumaImage(width: 300, height: 200, pixels: [UInt8](repeating: 200, count: 60_000))

    /// The threads that many tasks ran on, and the maximum at the same time.
    private struct Threads {
        var all: Set<pthread_t> = []
        var running = 0
        var mostRunning = 0
    }

    private final class Record: Sendable {
        let threads = Mutex(Threads())
    }

    private static func threads(of pool: DecodingPool, tasks: Int, meeting: Int) async -> Threads {
        let record = Record()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    await withTaskExecutorPreference(pool) {
                        record.threads.withLock {
                            $0.all.insert(pthread_self())
                            $0.running += 1
                            $0.mostRunning = max($0.mostRunning, $0.running)
                        }
                        // Blocks, as decoding does, until the expected number run at once.
                        while record.threads.withLock({ $0.mostRunning < meeting }) { sched_yield() }
                        record.threads.withLock { $0.running -= 1 }
                    }
                }
            }
        }
        return record.threads.withLock { $0 }
    }

    @Test(arguments: [1, 2, 5]) func poolHasSoManyThreads(_ count: Int) async {
        let threads = await Self.threads(of: DecodingPool(maximumThreads: count), tasks: 40, meeting: count)
        #expect(threads.all.count == count)
        #expect(threads.mostRunning == count)
    }

    @Test func poolHasAThreadAtLeast() async throws {
        #expect(DecodingPool(maximumThreads: -3).maximumThreads == 1)
        #expect(DecodingPool.shared.maximumThreads >= 1)
        #expect(try await BarcodeDecoder().decode(Self.image, on: DecodingPool(maximumThreads: 0)) == [])
    }

    /// A user's executor, which counts its jobs.
    private final class CountingExecutor: TaskExecutor {
        let count = Atomic(0)
        private let pool = DecodingPool(maximumThreads: 1)

        func enqueue(_ job: consuming ExecutorJob) {
            count.add(1, ordering: .relaxed)
            pool.enqueue(job)
        }
    }

    @Test func decodingRunsOnThePoolThatIsHandedIn() async throws {
        let executor = CountingExecutor()
        let path = BarcodeDecoderTests.samples + "qr.png"
        let symbols = try await BarcodeDecoder().decode(contentsOf: path, on: executor)
        #expect(symbols.map(\.text) == ["https://example.org/quietzone"])
        #expect(executor.count.load(ordering: .relaxed) > 0)
    }

    @Test func asyncAndBlockingCallsReadTheSame() async throws {
        for sample in BarcodeDecoderTests.small {
            let blocking = try { try BarcodeDecoder().decode(contentsOf: sample.path) }()
            #expect(try await BarcodeDecoder().decode(contentsOf: sample.path) == blocking, "\(sample.file)")
        }
    }

    @Test func errorsComeThrough() async {
        await #expect(throws: DecodeError(.notFound, "there is no such file", subject: "/nowhere")) {
            try await BarcodeDecoder().decode(contentsOf: "/nowhere")
        }
        await #expect(throws: DecodeError(.emptyFile, "is empty", subject: "the picture")) {
            try await BarcodeDecoder().decode(bytes: [])
        }
    }

    @Test func cancelledTaskDecodesNothing() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await BarcodeDecoder().decode(Self.image)
        }
        let error = await #expect(throws: DecodeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func cancellationEndsTheSearchAfterThePassThatRuns() throws {
        let passes = Mutex<[Int]>([])
        let method = SearchStrategy.Method(name: "count", title: "counts", symbologies: [.qrCode]) { _, level in
            passes.withLock { $0.append(level) }
        }
        let strategy = SearchStrategy(method, .fast, SearchStrategy.Sizes { _ in [0, 1, 2, 3] })
        var search = SymbolSearch(
            image: Self.image, options: DecodeOptions(), strategies: [strategy],
            budget: SearchBudget(DecodeOptions(), isCancelled: { passes.withLock { $0.count == 2 } }))
        try search.run()
        #expect(passes.withLock { $0 } == [0, 1])
    }
}
