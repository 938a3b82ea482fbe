/// Arithmetic in a finite field of 2^m elements: binary polynomials modulo a primitive polynomial.
///
/// Addition is XOR. Source: Blahut, Theory and Practice of Error Control Codes; each field's polynomial is from the
/// standard of its symbology.
package struct GaloisField: Sendable {
    /// QR Code: x^8 + x^4 + x^3 + x^2 + 1 (ISO/IEC 18004, error correction coding).
    package static let qrCode = GaloisField(bits: 8, polynomial: 0x11D)
    /// Data Matrix ECC 200: x^8 + x^5 + x^3 + x^2 + 1 (ISO/IEC 16022, error correction).
    package static let dataMatrix = GaloisField(bits: 8, polynomial: 0x12D)
    /// MaxiCode: x^6 + x + 1 (ISO/IEC 16023, 4.10).
    package static let maxiCode = GaloisField(bits: 6, polynomial: 0x43)
    /// Han Xin: x^8 + x^6 + x^5 + x + 1 (ISO/IEC 20830, 4.6).
    package static let hanXin = GaloisField(bits: 8, polynomial: 0x163)

    /// The number of nonzero elements, which is the order of the generator 2.
    package let order: Int
    /// The powers of the generator 2, repeated once, so that the sum of two logarithms needs no reduction.
    package let exponents: [UInt16]
    /// The logarithms to base 2.
    ///
    /// Zero has none; its entry is 0 and is never used.
    let logarithms: [UInt16]

    /// Creates the field of 2^`bits` elements.
    ///
    /// - Parameter polynomial: the primitive polynomial, including its highest power x^`bits`.
    /// - Precondition: `bits` is 2 to 15.
    package init(bits: Int, polynomial: Int) {
        precondition((2...15).contains(bits), "an element must have 2 to 15 bits")
        order = 1 << bits - 1
        var exponents = [UInt16](repeating: 0, count: 2 * order + 2)
        var logarithms = [UInt16](repeating: 0, count: order + 1)
        var value = 1
        for power in 0..<order {
            exponents[power] = UInt16(value)
            exponents[power + order] = UInt16(value)
            logarithms[value] = UInt16(power)
            value <<= 1
            if value > order { value ^= polynomial }
        }
        exponents[2 * order] = exponents[0]
        exponents[2 * order + 1] = exponents[1]
        self.exponents = exponents
        self.logarithms = logarithms
    }

    /// `a * b`.
    package func multiply(_ a: UInt16, _ b: UInt16) -> UInt16 {
        if a == 0 || b == 0 { return 0 }
        return exponents[Int(logarithms[Int(a)]) + Int(logarithms[Int(b)])]
    }

    /// `a / b`; `b` must not be zero.
    func divide(_ a: UInt16, _ b: UInt16) -> UInt16 {
        if a == 0 { return 0 }
        return exponents[Int(logarithms[Int(a)]) + order - Int(logarithms[Int(b)])]
    }

    /// Returns 2 to a power, which must not be negative.
    func power(_ exponent: Int) -> UInt16 { exponents[exponent % order] }
}
