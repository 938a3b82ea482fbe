internal import BarcodeCore

/// The number whose digits fit best of all that are valid, and how much worse the next one fits.
///
/// Only valid numbers take part: the check digit and the sets of the left digits are part of the search and no test
/// after it.
struct EANNumberSearch {
    struct Answer {
        /// Four bits a digit, the last digit in the lowest.
        var digits: UInt64
        /// The sum of the misfits of its digits.
        var misfit: Float
    }

    private(set) var best: Answer?
    /// The misfit of the best other number.
    private(set) var next = Float.infinity

    /// - Parameter misfits: for each digit of the symbol, the misfit of each of its patterns.
    init(_ misfits: [[Float]], _ layout: EANLayout) {
        switch layout.symbology {
        case .ean13:
            for first in 0..<10 {
                let mask = EANLayout.parities[first]
                let columns = misfits.enumerated().map { place, patterns -> ArraySlice<Float> in
                    place < 6 && mask >> (5 - place) & 1 == 1 ? patterns[10..<20] : patterns[0..<10]
                }
                // The last digit has weight 1, those before 3 and 1 in turn.
                consider(columns, weights: (0..<12).map { $0 % 2 == 0 ? 3 : 1 }, sum: first, prefix: UInt64(first))
            }
        case .ean8:
            consider(
                misfits.map { $0[0..<10] }, weights: (0..<8).map { $0 % 2 == 0 ? 3 : 1 }, sum: 0, prefix: 0)
        default:
            considerUPCE(misfits)
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

    /// The best two rows of digits whose weighted sum is a multiple of ten.
    private mutating func consider(_ columns: [ArraySlice<Float>], weights: [Int], sum: Int, prefix: UInt64) {
        // For each sum the best row and the next best.
        let none = Answer(digits: 0, misfit: .infinity)
        var ways = [Answer](repeating: none, count: 20)
        ways[sum % 10 * 2] = Answer(digits: prefix, misfit: 0)
        for (column, weight) in zip(columns, weights) {
            var further = [Answer](repeating: none, count: 20)
            for (place, answer) in ways.enumerated() where answer.misfit < .infinity {
                for digit in 0..<10 {
                    let target = (place / 2 + digit * weight) % 10 * 2
                    let misfit = answer.misfit + column[column.startIndex + digit]
                    guard misfit < further[target + 1].misfit else { continue }
                    let candidate = Answer(digits: answer.digits << 4 | UInt64(digit), misfit: misfit)
                    if misfit < further[target].misfit {
                        further[target + 1] = further[target]
                        further[target] = candidate
                    } else {
                        further[target + 1] = candidate
                    }
                }
            }
            ways = further
        }
        for answer in ways[0..<2] where answer.misfit < .infinity { note(answer) }
    }

    /// UPC-E holds its number system and its check digit in the sets of its digits, so the check is over what the
    /// digits stand for: all rows of digits near the best are tried for each of the twenty choices of sets.
    private mutating func considerUPCE(_ misfits: [[Float]]) {
        for system in 0..<2 {
            for check in 0..<10 {
                // A digit of set B where the first digit's code of an EAN-13 has set A: the same table, exchanged.
                let mask = system == 0 ? ~EANLayout.upceParities[check] & 63 : EANLayout.upceParities[check]
                let columns = misfits.enumerated().map { place, patterns -> ArraySlice<Float> in
                    mask >> (5 - place) & 1 == 1 ? patterns[10..<20] : patterns[0..<10]
                }
                // Which digit is last decides where the zeros stand, and so the weights of the others.
                for last in 0..<10 {
                    let weights: [Int] =
                        switch last {
                        case 0...2: [1, 3, 3, 1, 3]
                        case 3: [1, 3, 1, 1, 3]
                        case 4: [1, 3, 1, 3, 3]
                        default: [1, 3, 1, 3, 1]
                        }
                    let own = last <= 2 ? last : last >= 5 ? last * 3 : 0
                    let lastMisfit = columns[5][columns[5].startIndex + last]
                    considerRow(
                        Array(columns[0..<5]), weights: weights, sum: system * 3 + check + own,
                        prefix: UInt64(system), suffix: UInt64(last << 4 | check), misfit: lastMisfit)
                }
            }
        }
    }

    private mutating func considerRow(
        _ columns: [ArraySlice<Float>], weights: [Int], sum: Int, prefix: UInt64, suffix: UInt64, misfit: Float
    ) {
        var inner = EANNumberSearch()
        inner.consider(columns, weights: weights, sum: sum, prefix: prefix)
        guard let answer = inner.best else { return }
        note(Answer(digits: answer.digits << 8 | suffix, misfit: answer.misfit + misfit))
        if inner.next.isFinite { next = min(next, inner.next + misfit) }
    }

    private init() {}
}
