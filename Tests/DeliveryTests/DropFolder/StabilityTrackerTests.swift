import Testing

@testable import DropFolder

/// The detection of complete files, without real files and clocks.
@Suite struct StabilityTrackerTests {
    private static let path = RelativePath("a/b.jpg")

    /// A step at a time, in milliseconds.
    enum Step: Sendable {
        /// An inspection of the file.
        case inspect(Int, FileIdentity)
        /// The file was closed after writing, or renamed to this path.
        case close(Int, FileIdentity)
        case gone
        /// Nothing is due at this time.
        case waits(Int)
        /// The file is due at this time, with this identity.
        case due(Int, FileIdentity)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var steps: [Step]
    }

    static let cases: [Case] = [
        Case(
            testDescription: "a file that does not change is due after the window",
            steps: [.inspect(0, .version(1)), .waits(499), .due(500, .version(1)), .waits(10_000)]),
        Case(
            testDescription: "another check does not prolong the wait",
            steps: [.inspect(0, .version(1)), .inspect(400, .version(1)), .due(500, .version(1))]),
        Case(
            testDescription: "a change restarts the wait",
            steps: [.inspect(0, .version(1)), .inspect(400, .version(2)), .waits(899), .due(900, .version(2))]),
        Case(
            testDescription: "a file that keeps growing waits as long",
            steps: (0..<100).map { .inspect($0 * 400, .version(Int64($0))) } + [
                .waits(40_000), .due(40_100, .version(99)),
            ]),
        Case(
            testDescription: "closing restarts the wait even without a change",
            steps: [.inspect(0, .version(1)), .close(400, .version(1)), .waits(500), .due(900, .version(1))]),
        Case(
            testDescription: "a scanner that closes and reopens the file",
            steps: [
                .close(0, .version(1)), .close(300, .version(2)), .close(600, .version(2)), .waits(1000),
                .due(1100, .version(2)),
            ]),
        Case(
            testDescription: "a file that is gone is not due, and restarts the wait when it is back",
            steps: [
                .inspect(0, .version(1)), .gone, .waits(600), .inspect(700, .version(1)), .waits(1199),
                .due(1200, .version(1)),
            ]
        ),
    ]

    @Test(arguments: cases) func window(_ test: Case) {
        var settling = StabilityTracker()
        for (number, step) in test.steps.enumerated() {
            switch step {
            case .inspect(let time, let identity):
                settling.observe(Self.path, identity, window: .milliseconds(500), at: .milliseconds(time))
            case .close(let time, let identity):
                settling.observe(
                    Self.path, identity, window: .milliseconds(500), at: .milliseconds(time), restarts: true)
            case .gone: settling.forget(Self.path)
            case .waits(let time): #expect(settling.takeDue(at: .milliseconds(time)).isEmpty, "step \(number)")
            case .due(let time, let identity):
                let due = settling.takeDue(at: .milliseconds(time))
                #expect(due.map(\.path) == [Self.path], "step \(number)")
                #expect(due.map(\.identity) == [identity], "step \(number)")
            }
        }
    }

    @Test func theFirstToBeWholeIsFirst() {
        var settling = StabilityTracker()
        let names = (0..<1000).map { RelativePath("\($0)") }
        for (number, name) in names.enumerated() {
            settling.observe(name, .version(1), window: .milliseconds(500), at: .milliseconds(number))
        }
        // The first one changes and goes to the end.
        settling.observe(names[0], .version(2), window: .milliseconds(500), at: .milliseconds(2000))
        #expect(settling.nextDue.map { $0 <= .milliseconds(501) } == true)
        #expect(settling.takeDue(at: .seconds(9)).map(\.path) == Array(names.dropFirst()) + [names[0]])
        #expect(settling.count == 0)
        #expect(settling.nextDue == nil)
    }

    @Test func foldersAreForgottenWhole() {
        var settling = StabilityTracker()
        for name in ["a/1", "a/b/2", "ab/3", "a"] {
            settling.observe(RelativePath(name), .version(1), window: .zero, at: .zero)
        }
        settling.forget(below: RelativePath("a"))
        #expect(settling.takeDue(at: .seconds(1)).map(\.path.display) == ["ab/3"])
    }

    @Test(arguments: [
        (RetryPlan.patient, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]),
        (RetryPlan.brief, [500, 1000]),
    ]) func retries(_ plan: RetryPlan, _ milliseconds: [Int]) {
        for (number, wait) in milliseconds.enumerated() {
            #expect(plan.wait(after: number + 1) == .milliseconds(wait))
        }
        #expect(plan.wait(after: 1_000_000) == (plan.attempts == nil ? plan.maximum : nil))
        #expect(plan.wait(after: milliseconds.count + 1) == (plan.attempts == nil ? plan.maximum : nil))
    }
}
