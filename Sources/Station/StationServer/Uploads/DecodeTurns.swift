internal import Synchronization

/// Shares the workers that decode among the pages of other origins and the callers with the station's token.
///
/// Pages never have all workers, unless there is only one, and the next turn is that of the user whose last one is the
/// longest ago. An origin that sends many pictures, or slow ones, so delays mostly its own.
final class DecodeTurns: Sendable {
    private struct State {
        var inHand = 0
        var inHandOfPages = 0
        /// The users who wait, by their origins; `nil` is the station.
        var waiting: [(origin: String?, turn: CheckedContinuation<Void, Never>)] = []
        /// The number of each user's last turn, until nothing is decoded.
        var lastTurns: [String?: Int] = [:]
        var turns = 0
    }

    private let workers: Int
    private let state = Mutex(State())

    /// Creates turns for a number of workers.
    init(workers: Int) {
        self.workers = max(1, workers)
    }

    /// The number of users who wait.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` when it is the user's turn.
    func run<Value: Sendable>(_ user: QuotaUser, _ body: () async -> Value) async -> Value {
        await withCheckedContinuation { turn in
            state.withLock { state in
                state.waiting.append((user.origin, turn))
                give(&state)
            }
        }
        defer {
            state.withLock { state in
                state.inHand -= 1
                if user != .station { state.inHandOfPages -= 1 }
                give(&state)
            }
        }
        return await body()
    }

    /// Gives turns to users who wait, as long as there are workers for them.
    private func give(_ state: inout State) {
        while state.inHand < workers {
            let mayBePage = state.inHandOfPages < max(1, workers - 1)
            let next = state.waiting.indices.filter { mayBePage || state.waiting[$0].origin == nil }
                .min { one, other in
                    let (one, other) = (state.waiting[one].origin, state.waiting[other].origin)
                    return state.lastTurns[one, default: 0] < state.lastTurns[other, default: 0]
                }
            guard let next else { break }
            let (origin, turn) = state.waiting.remove(at: next)
            state.inHand += 1
            if origin != nil { state.inHandOfPages += 1 }
            state.turns += 1
            state.lastTurns[origin] = state.turns
            turn.resume()
        }
        if state.waiting.isEmpty && state.inHand == 0 { state.lastTurns = [:] }
    }
}
