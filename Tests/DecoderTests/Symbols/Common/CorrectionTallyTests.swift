import Testing

@testable import Symbols

/// The share of the error correction that was used.
@Suite struct CorrectionTallyTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var wrong: [Int]
        var erasures: [Int] = []
        var capacity: Int
        var used: Double?
    }

    static let cases = [
        Case(testDescription: "no error", wrong: [], capacity: 10, used: 0),
        Case(testDescription: "an error takes two", wrong: [3], capacity: 10, used: 0.2),
        Case(testDescription: "a wrong erasure takes one", wrong: [3], erasures: [3], capacity: 10, used: 0.1),
        Case(testDescription: "an erasure that is right takes none", wrong: [], erasures: [3], capacity: 10, used: 0),
        Case(testDescription: "all", wrong: [0, 1, 2, 3, 4], capacity: 10, used: 1),
        Case(testDescription: "detection only", wrong: [], capacity: 0, used: nil),
    ]

    @Test(arguments: cases) func used(_ test: Case) {
        let received = [Int](repeating: 1, count: 20)
        var corrected = received
        for index in test.wrong { corrected[index] = 2 }
        var tally = CorrectionTally()
        tally.add(received, corrected: corrected, erasures: test.erasures, capacity: test.capacity)
        #expect(tally.used == test.used && tally.codewords == test.wrong.count)
    }

    /// The worst block counts, as in ISO/IEC 15415.
    @Test func worstBlockCounts() {
        var (tally, other) = (CorrectionTally(), CorrectionTally())
        tally.add([1, 2], corrected: [1, 3], capacity: 4)
        other.add([1, 2], corrected: [1, 2], capacity: 4)
        tally.add(other)
        #expect(tally.used == 0.5 && tally.codewords == 1)
    }
}
