/// Arithmetic in the integers modulo a prime with the primitive root 3: its powers are all nonzero elements.
protocol PrimeField {
    /// The prime.
    static var order: Int { get }
    /// The powers of 3, repeated once, so that the sum of two logarithms needs no reduction.
    static var exponents: [Int] { get }
    /// The logarithms to base 3. The entry of zero is never used.
    static var logarithms: [Int] { get }
}

extension PrimeField {
    /// The number of distinct powers of the generator.
    static var period: Int { order - 1 }

    /// Computes ``exponents``.
    static func makeExponents() -> [Int] {
        var powers = [Int](repeating: 1, count: 2 * period)
        for index in 1..<powers.count { powers[index] = powers[index - 1] * 3 % order }
        return powers
    }

    /// Computes ``logarithms``.
    static func makeLogarithms() -> [Int] {
        var logarithms = [Int](repeating: 0, count: order)
        for index in 0..<period { logarithms[exponents[index]] = index }
        return logarithms
    }

    /// Returns the inverse of a nonzero element.
    static func inverse(_ value: Int) -> Int { exponents[period - logarithms[value]] }

    /// Returns the value of a polynomial whose coefficients begin with the lowest power.
    static func evaluate(_ polynomial: ArraySlice<Int>, at x: Int) -> Int {
        var value = 0
        for coefficient in polynomial.reversed() { value = (value * x + coefficient) % order }
        return value
    }
}

/// The field of the 929 codewords of PDF417 (ISO/IEC 15438, 5.10).
enum PrimeField929: PrimeField {
    static let order = 929
    static let exponents = makeExponents()
    static let logarithms = makeLogarithms()
}

/// The field of the 113 codewords of DotCode (AIM DotCode 4.0, annex B).
enum PrimeField113: PrimeField {
    static let order = 113
    static let exponents = makeExponents()
    static let logarithms = makeLogarithms()
}
