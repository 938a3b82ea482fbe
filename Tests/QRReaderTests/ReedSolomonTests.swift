import SymbolRendering
import Testing

@testable import QRReader

@Suite("Error correction")
struct ReedSolomonTests {
    static let seed: UInt64 = 20_261

    @Test("Errors and erasures up to the capacity are corrected", arguments: [7, 10, 13, 17, 22, 28, 30])
    func corrects(checkCount: Int) throws {
        var random = SeededGenerator(seed: Self.seed + UInt64(checkCount))
        var code = ReedSolomon()
        for _ in 0..<150 {
            let count = Int.random(in: 1...120, using: &random)
            let data = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let original = data + QREncoder.checkCodewords(data, count: checkCount)
            let erasureCount = Int.random(in: 0...min(checkCount, original.count), using: &random)
            let errorCount = min((checkCount - erasureCount) / 2, original.count - erasureCount)
            let places = Array(original.indices.shuffled(using: &random).prefix(erasureCount + errorCount))
            var block = original
            for place in places.prefix(errorCount) { block[place] ^= UInt8.random(in: 1...255, using: &random) }
            let erasures = Array(places.dropFirst(errorCount))
            for place in erasures { block[place] = UInt8.random(in: 0...255, using: &random) }
            let wrong = zip(block, original).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
            let corrected = try code.correct(&block, checkCount: checkCount, erasures: erasures)
            #expect(block == original, "seed \(Self.seed)")
            #expect(corrected == wrong, "seed \(Self.seed)")
        }
    }

    @Test("What is corrected is a code word, and what is refused stays as it was")
    func beyondCapacity() throws {
        var random = SeededGenerator(seed: Self.seed)
        var code = ReedSolomon()
        var accepted = 0
        for _ in 0..<3000 {
            let original = (0..<26).map { _ in UInt8.random(in: 0...255, using: &random) }
            var block = original
            do {
                _ = try code.correct(&block, checkCount: 10, reserve: 2)
                accepted += 1
                #expect(Array(block.suffix(10)) == QREncoder.checkCodewords(Array(block.prefix(16)), count: 10))
            } catch {
                #expect(block == original)
            }
        }
        // 14,950 choices of four places and 255^4 values stand against 256^10 syndromes: one in 19 thousand million.
        #expect(accepted == 0)
    }

    @Test("Erasures out of bounds or too many are refused")
    func badErasures() {
        var code = ReedSolomon()
        for erasures in [[-1], [26], Array(0..<11)] {
            var block = [UInt8](repeating: 1, count: 26)
            #expect(throws: ReedSolomon.Failure.self) {
                try code.correct(&block, checkCount: 10, erasures: erasures)
            }
        }
    }

    /// Bit by bit, without the tables.
    private static func slowMultiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var result = 0
        for bit in (0..<8).reversed() {
            result <<= 1
            if result & 0x100 != 0 { result ^= 0x11D }
            if b >> UInt8(bit) & 1 != 0 { result ^= Int(a) }
        }
        return UInt8(result)
    }

    @Test("The field has its laws")
    func field() {
        for a in UInt8.min...UInt8.max {
            for b in [UInt8(0), 1, 2, 3, 0x1D, 0x80, 0xFF] {
                #expect(GaloisField.multiply(a, b) == Self.slowMultiply(a, b))
                if b != 0 { #expect(GaloisField.multiply(GaloisField.divide(a, b), b) == a) }
            }
        }
    }
}
