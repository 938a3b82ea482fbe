import Synchronization
import Testing

@testable import StationServer

/// Whose picture is decoded next.
@Suite(.timeLimit(.minutes(1))) struct DecodeTurnTests {
    /// Pictures that are decoded until they are told to end, in the order in which they began.
    private final class Work: Sendable {
        let turns: DecodeTurns
        private let begun = Mutex<[(name: String, end: CheckedContinuation<Void, Never>)]>([])
        private let names = Mutex<[String]>([])

        init(workers: Int) { turns = DecodeTurns(workers: workers) }

        /// The names of all that have begun.
        var order: [String] { names.withLock { $0 } }

        /// Adds a picture, and waits until it has begun or waits.
        func add(_ name: String, _ user: QuotaUser) async -> Task<Void, Never> {
            let before = turns.waiting + order.count
            let task = Task {
                await self.turns.run(user) {
                    await withCheckedContinuation { end in
                        self.begun.withLock { $0.append((name, end)) }
                        self.names.withLock { $0.append(name) }
                    }
                }
            }
            while turns.waiting + order.count == before { await Task.yield() }
            return task
        }

        /// Ends the picture that began first, and waits until `count` have begun.
        func endFirst(untilBegun count: Int) async {
            begun.withLock { $0.removeFirst() }.end.resume()
            while order.count < count { await Task.yield() }
        }
    }

    private static func page(_ origin: String) -> QuotaUser { .page(origin: origin, session: "1") }

    @Test func aPageNeverHasAllWorkers() async {
        let work = Work(workers: 2)
        var tasks: [Task<Void, Never>] = []
        for number in 1...4 { tasks.append(await work.add("a\(number)", Self.page("a"))) }
        #expect(work.order == ["a1"])
        tasks.append(await work.add("own", .station))
        #expect(work.order == ["a1", "own"])
        for count in [3, 3, 4, 5, 5] { await work.endFirst(untilBegun: count) }
        for task in tasks { await task.value }
        #expect(work.order == ["a1", "own", "a2", "a3", "a4"])
    }

    @Test func originsTakeTurns() async {
        let work = Work(workers: 2)
        var tasks: [Task<Void, Never>] = []
        for number in 1...4 { tasks.append(await work.add("a\(number)", Self.page("a"))) }
        for number in 1...2 { tasks.append(await work.add("b\(number)", Self.page("b"))) }
        for count in [2, 3, 4, 5, 6, 6] { await work.endFirst(untilBegun: count) }
        for task in tasks { await task.value }
        #expect(work.order == ["a1", "b1", "a2", "b2", "a3", "a4"])
    }

    @Test func theStationTakesTurnsWithPages() async {
        let work = Work(workers: 1)
        var tasks: [Task<Void, Never>] = []
        for number in 1...3 { tasks.append(await work.add("own\(number)", .station)) }
        tasks.append(await work.add("a", Self.page("a")))
        for count in [2, 3, 4, 4] { await work.endFirst(untilBegun: count) }
        for task in tasks { await task.value }
        #expect(work.order == ["own1", "a", "own2", "own3"])
    }
}
