/// Arithmetic in GF(2^8) as QR Code has it: polynomials over bits modulo x^8 + x^4 + x^3 + x^2 + 1.
///
/// Addition is XOR. Source: ISO/IEC 18004, error correction coding.
package enum GaloisField {
    /// The powers of the generator 2, twice over, so that the sum of two logarithms needs no reduction.
    package static let exponents: [UInt8] = {
        var table = [UInt8](repeating: 0, count: 512)
        var value = 1
        for power in 0..<255 {
            table[power] = UInt8(value)
            table[power + 255] = UInt8(value)
            value <<= 1
            if value > 255 { value ^= 0x11D }
        }
        table[510] = table[0]
        table[511] = table[1]
        return table
    }()

    /// The logarithms to the base 2; the entry of zero, which has none, is 0 and is never used.
    static let logarithms: [UInt8] = {
        var table = [UInt8](repeating: 0, count: 256)
        for power in 0..<255 {
            table[Int(exponents[power])] = UInt8(power)
        }
        return table
    }()

    package static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        if a == 0 || b == 0 { return 0 }
        return exponents[Int(logarithms[Int(a)]) + Int(logarithms[Int(b)])]
    }

    /// `a / b`; `b` is not zero.
    static func divide(_ a: UInt8, _ b: UInt8) -> UInt8 {
        if a == 0 { return 0 }
        return exponents[Int(logarithms[Int(a)]) + 255 - Int(logarithms[Int(b)])]
    }
}
