import TestSupport
import Testing

@testable import Symbols

@Suite("Error correction")
struct ReedSolomonTests {
    static let seed: UInt64 = 20_261

    struct Code: CustomTestStringConvertible, Sendable {
        var bits: Int
        var polynomial: Int
        var firstRoot: Int
        var checkCount: Int
        var testDescription: String { "GF(\(1 << bits)), first root \(firstRoot), \(checkCount) check codewords" }

        init(_ bits: Int, _ polynomial: Int, _ firstRoot: Int, _ checkCount: Int) {
            self.bits = bits
            self.polynomial = polynomial
            self.firstRoot = firstRoot
            self.checkCount = checkCount
        }
    }

    /// The field of QR codes with their numbers of check codewords, then those of other matrix symbologies.
    static let codes =
        [7, 10, 13, 17, 22, 28, 30].map { Code(8, 0x11D, 0, $0) } + [
            Code(8, 0x12D, 1, 12), Code(8, 0x12D, 1, 62), Code(4, 0x13, 1, 5), Code(6, 0x43, 1, 20),
            Code(10, 0x409, 1, 40), Code(12, 0x1069, 1, 60), Code(8, 0x12D, 3, 14),
        ]

    @Test("Errors and erasures up to the capacity are corrected", arguments: codes)
    func corrects(_ test: Code) throws {
        let seed = Self.seed + UInt64(test.checkCount)
        var random = SeededGenerator(seed: seed)
        let field = GaloisField(bits: test.bits, polynomial: test.polynomial)
        var code = ReedSolomon(field, firstRoot: test.firstRoot)
        let (checkCount, last) = (test.checkCount, UInt16(field.order))
        for _ in 0..<100 {
            let count = Int.random(in: 1...min(120, field.order - checkCount), using: &random)
            let data = (0..<count).map { _ in UInt16.random(in: 0...last, using: &random) }
            let original =
                data
                + QREncoder.checkCodewords(data, count: checkCount, field: field, firstRoot: test.firstRoot)
            let erasureCount = Int.random(in: 0...min(checkCount, original.count), using: &random)
            let errorCount = min((checkCount - erasureCount) / 2, original.count - erasureCount)
            let places = Array(original.indices.shuffled(using: &random).prefix(erasureCount + errorCount))
            var block = original
            for place in places.prefix(errorCount) { block[place] ^= UInt16.random(in: 1...last, using: &random) }
            let erasures = Array(places.dropFirst(errorCount))
            for place in erasures { block[place] = UInt16.random(in: 0...last, using: &random) }
            let wrong = zip(block, original).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
            let corrected = try code.correct(&block, checkCount: checkCount, erasures: erasures)
            #expect(block == original, "seed \(seed)")
            #expect(corrected == wrong, "seed \(seed)")
        }
    }

    @Test("A corrected word is a code word, and a refused word is unchanged")
    func beyondCapacity() throws {
        var random = SeededGenerator(seed: Self.seed)
        var code = ReedSolomon(.qrCode, firstRoot: 0)
        var accepted = 0
        for _ in 0..<3000 {
            let original = (0..<26).map { _ in UInt16.random(in: 0...255, using: &random) }
            var block = original
            do {
                _ = try code.correct(&block, checkCount: 10, reserve: 2)
                accepted += 1
                let check = QREncoder.checkCodewords(
                    Array(block.prefix(16)), count: 10, field: .qrCode, firstRoot: 0)
                #expect(Array(block.suffix(10)) == check)
            } catch {
                #expect(block == original)
            }
        }
        // 14,950 choices of four positions times 255^4 values, against 256^10 syndromes: one in 19 billion.
        #expect(accepted == 0)
    }

    @Test("Erasures out of bounds or too many are refused")
    func badErasures() {
        var code = ReedSolomon(.qrCode, firstRoot: 0)
        for erasures in [[-1], [26], Array(0..<11)] {
            var block = [UInt16](repeating: 1, count: 26)
            #expect(throws: ReedSolomon.Failure.self) {
                try code.correct(&block, checkCount: 10, erasures: erasures)
            }
        }
    }

    /// Multiplies bit by bit, without tables.
    private static func slowMultiply(_ a: UInt16, _ b: UInt16, bits: Int, polynomial: Int) -> UInt16 {
        var result = 0
        for bit in (0..<bits).reversed() {
            result <<= 1
            if result >> bits != 0 { result ^= polynomial }
            if b >> UInt16(bit) & 1 != 0 { result ^= Int(a) }
        }
        return UInt16(result)
    }

    @Test(
        "The field satisfies the axioms",
        arguments: [(4, 0x13), (6, 0x43), (8, 0x11D), (8, 0x12D), (10, 0x409), (12, 0x1069)])
    func field(bits: Int, polynomial: Int) {
        let field = GaloisField(bits: bits, polynomial: polynomial)
        #expect(Set(field.exponents.prefix(field.order)).count == field.order)
        for a in 0...UInt16(field.order) {
            for b in [0, 1, 2, 3, UInt16(field.order / 2), UInt16(field.order)] {
                #expect(field.multiply(a, b) == Self.slowMultiply(a, b, bits: bits, polynomial: polynomial))
                if b != 0 { #expect(field.multiply(field.divide(a, b), b) == a) }
            }
        }
    }
}
