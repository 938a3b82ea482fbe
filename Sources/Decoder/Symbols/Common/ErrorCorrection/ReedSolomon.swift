/// Corrects blocks of a Reed-Solomon code over a ``GaloisField`` whose generator has the roots 2^b, 2^(b + 1), ...
///
/// The first codeword of a block is the coefficient of the highest power. The Berlekamp-Massey iteration, started
/// with the locator of the erasures, finds the error locator; trying each location finds its roots (Chien search);
/// Forney's formula gives the values. Source: ISO/IEC 18004, annex B, and Blahut, Theory and Practice of Error
/// Control Codes.
///
/// The buffers are reused from block to block.
struct ReedSolomon {
    /// The error for a block that cannot be corrected.
    struct Failure: Error {}

    private let field: GaloisField
    private let firstRoot: Int
    private var syndromes: [UInt16] = []
    private var locator: [UInt16] = []
    private var previous: [UInt16] = []
    private var candidate: [UInt16] = []
    private var evaluator: [UInt16] = []

    /// Creates a corrector.
    ///
    /// - Parameter firstRoot: b, the exponent of the generator's first root 2^b: 0 for QR Code, 1 for Data Matrix,
    ///   Aztec, MaxiCode and Han Xin.
    init(_ field: GaloisField, firstRoot: Int) {
        self.field = field
        self.firstRoot = firstRoot
    }

    /// Corrects a block in place.
    ///
    /// - Parameters:
    ///   - block: data codewords, then `checkCount` check codewords; together at most the number of nonzero elements
    ///     of the field. Unchanged on failure.
    ///   - erasures: the indices of unknown codewords, without repetition.
    ///   - reserve: the number of check codewords kept for error detection: 2 x errors + erasures is at most
    ///     `checkCount - reserve`.
    /// - Returns: the number of codewords changed.
    /// - Throws: ``Failure`` if there are more errors than can be corrected.
    mutating func correct(
        _ block: inout [UInt16], checkCount: Int, erasures: [Int] = [], reserve: Int = 0
    ) throws(Failure) -> Int {
        let capacity = checkCount - reserve
        guard checkCount > 0, block.count > checkCount, block.count <= field.order, erasures.count <= max(0, capacity),
            erasures.allSatisfy({ block.indices.contains($0) })
        else { throw Failure() }

        if computeSyndromes(of: block, count: checkCount) { return 0 }
        let degree = findLocator(checkCount: checkCount, erasures: erasures, length: block.count)
        // The iteration counts an erasure once and an error twice.
        guard degree >= erasures.count, 2 * degree - erasures.count <= capacity else { throw Failure() }

        let original = block
        guard let corrected = applyCorrections(to: &block, degree: degree, checkCount: checkCount),
            computeSyndromes(of: block, count: checkCount)
        else {
            block = original
            throw Failure()
        }
        return corrected
    }

    /// Evaluates the block at each root; returns true if all syndromes are zero, that is, if the block is a valid
    /// codeword.
    private mutating func computeSyndromes(of block: [UInt16], count: Int) -> Bool {
        syndromes.removeAll(keepingCapacity: true)
        var isCodeword = true
        field.exponents.withUnsafeBufferPointer { exponents in
            field.logarithms.withUnsafeBufferPointer { logarithms in
                block.withUnsafeBufferPointer { block in
                    for power in firstRoot..<firstRoot + count {
                        var value: UInt16 = 0
                        for codeword in block {
                            // Horner: value * 2^power + codeword.
                            if value != 0 { value = exponents[Int(logarithms[Int(value)]) &+ power] }
                            value ^= codeword
                        }
                        syndromes.append(value)
                        if value != 0 { isCodeword = false }
                    }
                }
            }
        }
        return isCodeword
    }

    /// Finds the error locator, the polynomial whose roots are the inverses of all error locations; returns its
    /// degree as counted by the iteration.
    private mutating func findLocator(checkCount: Int, erasures: [Int], length: Int) -> Int {
        let width = checkCount + 1
        locator.removeAll(keepingCapacity: true)
        locator.append(contentsOf: repeatElement(0, count: width))
        locator[0] = 1
        for (order, place) in erasures.enumerated() {
            let root = field.power(length - 1 - place)
            for index in stride(from: order + 1, to: 0, by: -1) {
                locator[index] ^= field.multiply(locator[index - 1], root)
            }
        }
        previous = locator
        candidate = locator
        var degree = erasures.count
        for step in erasures.count..<checkCount {
            var discrepancy: UInt16 = 0
            for index in 0...step {
                discrepancy ^= field.multiply(locator[index], syndromes[step - index])
            }
            // previous <- x * previous, in both cases below.
            previous.removeLast()
            previous.insert(0, at: 0)
            guard discrepancy != 0 else { continue }
            for index in 0..<width {
                candidate[index] = locator[index] ^ field.multiply(discrepancy, previous[index])
            }
            if 2 * degree <= step + erasures.count {
                degree = step + 1 + erasures.count - degree
                for index in 0..<width {
                    previous[index] = field.divide(locator[index], discrepancy)
                }
            }
            swap(&locator, &candidate)
        }
        return degree
    }

    /// Corrects the block at the roots of the locator; returns `nil` if it has fewer roots in the block than its
    /// degree.
    private mutating func applyCorrections(to block: inout [UInt16], degree: Int, checkCount: Int) -> Int? {
        guard degree > 0, degree <= checkCount, locator[degree] != 0,
            !locator[(degree + 1)...].contains(where: { $0 != 0 })
        else { return nil }
        evaluator.removeAll(keepingCapacity: true)
        for power in 0..<checkCount {
            var sum: UInt16 = 0
            for index in 0...min(power, degree) {
                sum ^= field.multiply(locator[index], syndromes[power - index])
            }
            evaluator.append(sum)
        }
        var roots = 0
        var corrected = 0
        for place in block.indices {
            let power = block.count - 1 - place
            let inverse = field.power(field.order - power)
            guard evaluate(locator[...degree], at: inverse) == 0 else { continue }
            roots += 1
            // The derivative keeps the odd coefficients: l1 + l3 x^2 + l5 x^4 + ...
            let square = field.multiply(inverse, inverse)
            var slope: UInt16 = 0
            for index in stride(from: degree - (degree + 1) % 2, through: 1, by: -2) {
                slope = field.multiply(slope, square) ^ locator[index]
            }
            guard slope != 0 else { return nil }
            // The location to the power of 1 - b.
            let scale = field.power(firstRoot == 0 ? power : (field.order - power) * (firstRoot - 1))
            let magnitude = field.multiply(scale, field.divide(evaluate(evaluator[...], at: inverse), slope))
            if magnitude != 0 {
                block[place] ^= magnitude
                corrected += 1
            }
        }
        return roots == degree ? corrected : nil
    }

    private func evaluate(_ polynomial: ArraySlice<UInt16>, at x: UInt16) -> UInt16 {
        var value: UInt16 = 0
        for coefficient in polynomial.reversed() {
            value = field.multiply(value, x) ^ coefficient
        }
        return value
    }
}
