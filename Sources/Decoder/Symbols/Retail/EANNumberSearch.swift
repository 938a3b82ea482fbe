internal import BarcodeCore

/// The valid number with the smallest misfit, and the misfit of the second best.
///
/// Only valid numbers are searched: the check digit and the sets of the left digits are part of the search, not a
/// test after it.
struct EANNumberSearch {
    struct Answer {
        /// The digits, four bits each, the last digit in the lowest bits.
        var digits: UInt64
        /// The sum of the misfits of its digits.
        var misfit: Float
    }

    private(set) var best: Answer?
    /// The misfit of the second-best number.
    private(set) var next = Float.infinity

    /// - Parameter misfits: the misfit of each pattern, for each digit of the symbol.
    init(_ misfits: [[Float]], _ layout: EANLayout) {
        let table = Table(misfits)
        switch layout.symbology {
        case .ean13:
            // The sets of the others encode the first digit. Choices that cannot improve on the second best are
            // skipped.
            let choices = (0..<10).map { first in
                let starts = (0..<12).map { place in
                    place < 6 && EANLayout.parities[first] >> (5 - place) & 1 == 1
                        ? table.setB(of: place) : table.setA(of: place)
                }
                return (first: first, starts: starts, least: table.least(starts))
            }.sorted { $0.least < $1.least }
            // The last digit has weight 1, those before it alternately 3 and 1.
            let weights = (0..<12).map { $0 % 2 == 0 ? 3 : 1 }
            for choice in choices where choice.least < next {
                consider(table, choice.starts, weights: weights, sum: choice.first, prefix: UInt64(choice.first))
            }
        case .ean8:
            consider(
                table, (0..<8).map { table.setA(of: $0) }, weights: (0..<8).map { $0 % 2 == 0 ? 3 : 1 }, sum: 0,
                prefix: 0)
        default:
            considerUPCE(table)
        }
    }

    /// The misfits of all digits in one array: for each digit the ten of set A, then the ten of set B if it has
    /// them.
    private struct Table {
        static let stride = 20
        var values: [Float]

        init(_ misfits: [[Float]]) {
            values = misfits.flatMap { $0 + [Float](repeating: .infinity, count: Self.stride - $0.count) }
        }

        func setA(of place: Int) -> Int { place * Self.stride }
        func setB(of place: Int) -> Int { place * Self.stride + 10 }

        /// Returns the sum of the smallest misfits in some blocks of ten.
        func least(_ starts: [Int]) -> Float {
            starts.reduce(0) { sum, start in sum + (values[start..<start + 10].min() ?? 0) }
        }
    }

    private mutating func note(_ answer: Answer) {
        if let known = best, known.misfit <= answer.misfit {
            if answer.digits != known.digits { next = min(next, answer.misfit) }
        } else {
            if let known = best, known.digits != answer.digits { next = min(next, known.misfit) }
            best = answer
        }
    }

    /// Finds the two best digit sequences whose weighted sum is a multiple of ten (dynamic programming).
    ///
    /// - Parameter starts: the index in the table of the ten misfits of each digit.
    private mutating func consider(_ table: Table, _ starts: [Int], weights: [Int], sum: Int, prefix: UInt64) {
        // The best and the second-best sequence for each sum modulo 10.
        let none = Answer(digits: 0, misfit: .infinity)
        let found = withUnsafeTemporaryAllocation(of: Answer.self, capacity: 40) { buffer -> (Answer, Answer) in
            var ways = UnsafeMutableBufferPointer(rebasing: buffer[0..<20])
            var further = UnsafeMutableBufferPointer(rebasing: buffer[20..<40])
            ways.initialize(repeating: none)
            further.initialize(repeating: none)
            ways[sum % 10 * 2] = Answer(digits: prefix, misfit: 0)
            table.values.withUnsafeBufferPointer { misfits in
                for (start, weight) in zip(starts, weights) {
                    further.update(repeating: none)
                    for place in 0..<20 where ways[place].misfit < .infinity {
                        let answer = ways[place]
                        var target = place / 2
                        for digit in 0..<10 {
                            let misfit = answer.misfit + misfits[start + digit]
                            if misfit < further[2 * target + 1].misfit {
                                let candidate = Answer(digits: answer.digits << 4 | UInt64(digit), misfit: misfit)
                                if misfit < further[2 * target].misfit {
                                    further[2 * target + 1] = further[2 * target]
                                    further[2 * target] = candidate
                                } else {
                                    further[2 * target + 1] = candidate
                                }
                            }
                            target += weight
                            if target >= 10 { target -= 10 }
                        }
                    }
                    swap(&ways, &further)
                }
            }
            return (ways[0], ways[1])
        }
        for answer in [found.0, found.1] where answer.misfit < .infinity { note(answer) }
    }

    /// Searches UPC-E numbers, whose number system and check digit are encoded in the sets of the digits.
    ///
    /// The check covers the expanded number, so the search repeats for each of the ten choices of sets.
    private mutating func considerUPCE(_ table: Table) {
        // Only number system 0 is assigned (GS1 General Specifications). The sets of system 1 are those of the left
        // halves of EAN-13 symbols.
        for check in 0..<10 {
            // Set B is used for digits that have set A in the EAN-13 with the same first digit: the complement
            // of the same table.
            let mask = ~EANLayout.upceParities[check] & 63
            let starts = (0..<6).map { place in
                mask >> (5 - place) & 1 == 1 ? table.setB(of: place) : table.setA(of: place)
            }
            guard table.least(starts) < next else { continue }
            // The last digit determines the position of the zeros, and so the weights of the others.
            for last in 0..<10 {
                let weights: [Int] =
                    switch last {
                    case 0...2: [1, 3, 3, 1, 3]
                    case 3: [1, 3, 1, 1, 3]
                    case 4: [1, 3, 1, 3, 3]
                    default: [1, 3, 1, 3, 1]
                    }
                let own = last <= 2 ? last : last >= 5 ? last * 3 : 0
                considerRow(
                    table, Array(starts[0..<5]), weights: weights, sum: check + own,
                    prefix: 0, suffix: UInt64(last << 4 | check),
                    misfit: table.values[starts[5] + last])
            }
        }
    }

    private mutating func considerRow(
        _ table: Table, _ starts: [Int], weights: [Int], sum: Int, prefix: UInt64, suffix: UInt64, misfit: Float
    ) {
        guard table.least(starts) + misfit < next else { return }
        var inner = EANNumberSearch()
        inner.consider(table, starts, weights: weights, sum: sum, prefix: prefix)
        guard let answer = inner.best else { return }
        note(Answer(digits: answer.digits << 8 | suffix, misfit: answer.misfit + misfit))
        if inner.next.isFinite { next = min(next, inner.next + misfit) }
    }

    private init() {}
}
