/// Corrects the codewords of PDF417 and DotCode symbols: a Reed-Solomon code over the integers modulo a prime.
///
/// The generator's roots are 3, 9, 27, ... and the first codeword is the coefficient of the highest power (ISO/IEC
/// 15438, 5.10; AIM DotCode 4.0, annex B). The Berlekamp-Massey iteration, started with the locator of the erasures,
/// finds the error locator; Forney's formula gives the values (Blahut, Theory and Practice of Error Control Codes).
/// This is separate from ``ReedSolomon``, whose fields have characteristic 2: plus and minus are the same there, but
/// not here.
enum PrimeReedSolomon<Field: PrimeField> {
    private static var order: Int { Field.order }

    /// Corrects codewords in place.
    ///
    /// - Parameters:
    ///   - codewords: data codewords, then `checkCount` check codewords: together at most the number of nonzero
    ///     elements of the field. Unchanged on failure.
    ///   - erasures: the indices of unknown codewords, without repetition.
    ///   - reserve: the number of check codewords kept for error detection: 2 x errors + erasures is at most
    ///     `checkCount - reserve`.
    ///   - known: the syndromes of the codewords, if already computed.
    /// - Returns: the number of codewords changed. `nil` if there are more errors than can be corrected.
    static func correct(
        _ codewords: inout [Int], checkCount: Int, erasures: [Int] = [], reserve: Int = 0, syndromes known: [Int]? = nil
    ) -> Int? {
        let count = codewords.count
        guard checkCount > 0, count > checkCount, count <= Field.period,
            erasures.count <= checkCount - reserve, erasures.allSatisfy({ codewords.indices.contains($0) }),
            codewords.allSatisfy({ (0..<order).contains($0) })
        else { return nil }
        let syndromes = known ?? syndromes(of: codewords, count: checkCount)
        guard syndromes.count == checkCount else { return nil }
        if syndromes.allSatisfy({ $0 == 0 }) { return 0 }
        guard let locator = locator(syndromes, erasures: erasures.map { count - 1 - $0 }) else { return nil }
        let degree = locator.count - 1
        guard degree >= erasures.count, 2 * degree - erasures.count <= checkCount - reserve else { return nil }

        var evaluator = [Int](repeating: 0, count: checkCount)
        for (power, coefficient) in locator.enumerated() where coefficient != 0 && power < checkCount {
            for place in 0..<checkCount - power {
                evaluator[power + place] = (evaluator[power + place] + coefficient * syndromes[place]) % order
            }
        }
        let derivative = (1..<locator.count).map { $0 * locator[$0] % order }
        var corrected = codewords
        var roots = 0
        var changes = 0
        for power in 0..<count {
            let x = Field.exponents[Field.period - power]
            guard Field.evaluate(locator[...], at: x) == 0 else { continue }
            let slope = Field.evaluate(derivative[...], at: x)
            guard slope != 0 else { return nil }
            roots += 1
            let error =
                (order - Field.evaluate(evaluator[...], at: x)) * Field.inverse(slope) % order
            let place = count - 1 - power
            corrected[place] = (corrected[place] + order - error) % order
            if error != 0 { changes += 1 }
        }
        guard roots == degree, Self.syndromes(of: corrected, count: checkCount).allSatisfy({ $0 == 0 }) else {
            return nil
        }
        codewords = corrected
        return changes
    }

    /// Evaluates the codewords as a polynomial at 3, 9, 27, ...
    ///
    /// The results (syndromes) are all zero if no codeword is wrong.
    static func syndromes(of codewords: [Int], count: Int) -> [Int] {
        (0..<max(0, count)).map { index in
            let x = Field.exponents[(index + 1) % Field.period]
            var value = 0
            for codeword in codewords { value = (value * x + codeword) % order }
            return value
        }
    }

    /// Returns the error locator: the polynomial whose roots are the inverses of all error locations, lowest power
    /// first; `nil` if there are more errors than can be corrected.
    ///
    /// - Parameter erasures: the locations of the erasures, as powers of 3.
    private static func locator(_ syndromes: [Int], erasures: [Int]) -> [Int]? {
        var locator = [Int](repeating: 0, count: syndromes.count + 2)
        locator[0] = 1
        for (degree, power) in erasures.enumerated() {
            let place = Field.exponents[power]
            for index in stride(from: degree + 1, through: 1, by: -1) {
                locator[index] = (locator[index] + (order - place) * locator[index - 1]) % order
            }
        }
        var previous = locator
        var length = erasures.count
        for step in erasures.count..<syndromes.count {
            var discrepancy = 0
            for index in 0...min(step, length) {
                discrepancy += locator[index] * syndromes[step - index] % order
            }
            discrepancy %= order
            previous.insert(0, at: 0)
            previous.removeLast()
            guard discrepancy != 0 else { continue }
            let old = locator
            for index in locator.indices {
                locator[index] = (locator[index] + (order - discrepancy) * previous[index]) % order
            }
            if 2 * length <= step + erasures.count {
                length = step + 1 - length + erasures.count
                let scale = Field.inverse(discrepancy)
                previous = old.map { $0 * scale % order }
            }
        }
        guard let last = locator.lastIndex(where: { $0 != 0 }), last == length else { return nil }
        return Array(locator[...last])
    }
}

/// The code of PDF417 and MicroPDF417.
typealias PDF417Correction = PrimeReedSolomon<PrimeField929>
