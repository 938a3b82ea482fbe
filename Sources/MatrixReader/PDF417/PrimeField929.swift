/// The field of the 929 codewords of PDF417: integers modulo 929, whose powers of 3 are all but zero
/// (ISO/IEC 15438, 5.10).
enum PrimeField929 {
    static let order = 929
    /// Powers of the generator that differ.
    static let period = order - 1

    /// The powers of 3, twice over, so that a sum of two logarithms needs no wrapping.
    static let exponents: [Int] = {
        var powers = [Int](repeating: 1, count: 2 * period)
        for index in 1..<powers.count { powers[index] = powers[index - 1] * 3 % order }
        return powers
    }()

    /// The logarithms to base 3; that of zero means nothing.
    static let logarithms: [Int] = {
        var logarithms = [Int](repeating: 0, count: order)
        for index in 0..<period { logarithms[exponents[index]] = index }
        return logarithms
    }()

    /// 1 divided by an element other than zero.
    static func inverse(_ value: Int) -> Int { exponents[period - logarithms[value]] }

    /// The value of a polynomial, the lowest power first.
    static func evaluate(_ polynomial: ArraySlice<Int>, at x: Int) -> Int {
        var value = 0
        for coefficient in polynomial.reversed() { value = (value * x + coefficient) % order }
        return value
    }
}
