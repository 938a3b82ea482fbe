import BarcodeCore
import Testing

/// Order statistics, compared with sorting.
struct RankTests {
    struct Case: CustomTestStringConvertible {
        var label: String
        var numbers: [Float]
        var testDescription: String { label }
    }

    @Test(
        "The value of each rank is that of the sorted numbers",
        arguments: [
            Case(label: "one", numbers: [3]),
            Case(label: "two", numbers: [2, 1]),
            Case(label: "rising", numbers: (0..<50).map(Float.init)),
            Case(label: "falling", numbers: (0..<50).reversed().map(Float.init)),
            Case(label: "all alike", numbers: [Float](repeating: 7, count: 40)),
            Case(label: "many alike", numbers: (0..<97).map { Float($0 * 31 % 7) }),
            Case(label: "in no order", numbers: (0..<211).map { Float($0 * 7919 % 211) - 100 }),
        ])
    func rank(_ test: Case) {
        let sorted = test.numbers.sorted()
        for rank in sorted.indices {
            var numbers = test.numbers
            #expect(numbers.withUnsafeMutableBufferPointer { $0.value(ofRank: rank) } == sorted[rank])
        }
    }

    @Test("NaN ends the search, and leaves the order unchanged")
    func notANumber() {
        var numbers: [Float] = [4, .nan, 1, .nan, 3, 2, .nan]
        for rank in numbers.indices { _ = numbers.withUnsafeMutableBufferPointer { $0.value(ofRank: rank) } }
        #expect(numbers.filter { !$0.isNaN }.sorted() == [1, 2, 3, 4])
    }
}
