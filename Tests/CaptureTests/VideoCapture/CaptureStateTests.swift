import Testing

@testable import VideoCapture

@Suite struct CaptureStateTests {
    @Test func retriesDoubleUpToTheLongest() {
        var state = CaptureState(now: .zero)
        var now = Duration.zero
        var waits: [Duration] = []
        for _ in 0..<6 {
            #expect(state.action(at: now) == .open)
            state.note(.failed, at: now)
            guard case .pause(let wait) = state.action(at: now) else {
                Issue.record("no pause after a failure")
                return
            }
            waits.append(wait)
            now += wait
        }
        #expect(waits == [100, 200, 400, 500, 500, 500].map { .milliseconds($0) })
    }

    @Test func aFrameForgetsTheFailures() {
        var state = CaptureState(now: .zero)
        for _ in 0..<5 { state.note(.failed, at: .zero) }
        state.note(.started, at: .seconds(1))
        state.note(.frame, at: .seconds(1))
        state.note(.failed, at: .seconds(2))
        #expect(state.action(at: .seconds(2)) == .pause(.milliseconds(100)))
    }

    @Test func silenceStartsAnewThenOpensAnew() {
        var state = CaptureState.opened(now: .zero)
        #expect(state.action(at: .zero) == .start)
        state.note(.started, at: .zero)
        #expect(state.action(at: .seconds(1)) == .capture(timeout: .seconds(2)))
        state.note(.silence, at: .seconds(2))
        #expect(state.action(at: .seconds(2)) == .capture(timeout: .seconds(1)))
        state.note(.silence, at: .seconds(3))
        #expect(state.action(at: .seconds(3)) == .start)
        state.note(.started, at: .seconds(3))
        state.note(.silence, at: .seconds(6))
        #expect(!state.needsDevice)
        #expect(state.action(at: .seconds(6)) == .pause(.milliseconds(100)))
    }

    @Test func aChangeOfTheSourceKeepsTheDevice() {
        var state = CaptureState.opened(now: .zero)
        state.note(.started, at: .zero)
        state.note(.sourceChanged, at: .seconds(1))
        #expect(state.needsDevice)
        #expect(state.action(at: .seconds(1)) == .start)
    }

    @Test(
        arguments: [
            ([0, 1, 2], 0), ([5, 6, 9], 2), ([0xFFFF_FFFE, 0xFFFF_FFFF, 0, 1], 0), ([0xFFFF_FFFF, 2], 2),
            ([9, 0], 0), ([1000, 5, 6], 0),
        ] as [([UInt32], Int)])
    func gapsAreCountedAcrossTheWrap(numbers: [UInt32], missing: Int) {
        var gaps = SequenceGaps()
        #expect(numbers.reduce(0) { $0 + gaps.gap(before: $1) } == missing)
    }
}
