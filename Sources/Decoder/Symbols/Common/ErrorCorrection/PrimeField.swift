/// Arithmetic in the integers modulo a prime of which 3 is a primitive root: its powers are all but zero.
protocol PrimeField {
    /// The prime.
    static var order: Int { get }
    /// The powers of 3, twice over, so that a sum of two logarithms needs no wrapping.
    static var exponents: [Int] { get }
    /// The logarithms to base 3; that of zero means nothing.
    static var logarithms: [Int] { get }
}

extension PrimeField {
    /// Powers of the generator that differ.
    static var period: Int { order - 1 }

    /// What ``exponents`` is.
    static func makeExponents() -> [Int] {
        var powers = [Int](repeating: 1, count: 2 * period)
        for index in 1..<powers.count { powers[index] = powers[index - 1] * 3 % order }
        return powers
    }

    /// What ``logarithms`` is.
    static func makeLogarithms() -> [Int] {
        var logarithms = [Int](repeating: 0, count: order)
        for index in 0..<period { logarithms[exponents[index]] = index }
        return logarithms
    }

    /// 1 divided by an element other than zero.
    static func inverse(_ value: Int) -> Int { exponents[period - logarithms[value]] }

    /// The value of a polynomial, the lowest power first.
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
