import BarcodeCore
import Glibc
import TestSupport
import Testing

@testable import Symbols

@Suite("EAN and UPC by their known patterns")
struct EANReaderTests {
    /// Returns a blurred, noisy profile of modules, with `rate` values per module.
    static func profile(
        _ modules: [Bool], rate: Double, blur: Double, noise: Float, quiet: Double = 10, seed: UInt64
    ) -> [Float] {
        var random = SeededGenerator(seed: seed)
        let count = Int((Double(modules.count) + 2 * quiet) * rate)
        func step(_ x: Double) -> Double { 0.5 * (1 + erf(x / (blur * 2.0.squareRoot()))) }
        return (0..<count).map { place in
            let x = (Double(place) + 0.5) / rate - quiet
            var darkness = 0.0
            for (index, isDark) in modules.enumerated() where isDark && abs(Double(index) - x) < 6 {
                darkness += step(Double(index + 1) - x) - step(Double(index) - x)
            }
            return 200 - 150 * Float(darkness) + Float.random(in: -noise...noise, using: &random)
        }
    }

    static func digits(_ count: Int, seed: UInt64) -> [Int] {
        var random = SeededGenerator(seed: seed)
        return LinearModules.checked((1..<count).map { _ in Int.random(in: 0...9, using: &random) })
    }

    static func text(_ digits: [Int]) -> [UInt8] { digits.map { UInt8(0x30 + $0) } }

    @Test(
        "EAN-13 is read in both directions, blurred and at low resolution", arguments: [1.3, 2, 3.7], [0.2, 0.5, 0.7])
    func ean13(rate: Double, blur: Double) throws {
        for seed in 0..<2 as Range<UInt64> {
            let isReversed = seed % 2 == 1
            let digits = Self.digits(13, seed: seed)
            var profile = Self.profile(LinearModules.ean13(digits), rate: rate, blur: blur, noise: 3, seed: seed)
            if isReversed { profile.reverse() }
            let answer = try #require(EANReader().bestAnswer([profile], layout: .ean13), "seed \(seed)")
            #expect(answer.bytes == Self.text(digits), "seed \(seed)")
            #expect(answer.isReversed == isReversed)
            #expect(answer.margin > 7)
            #expect(abs(answer.range.lowerBound - 10 * rate) < 0.8 * rate)
            #expect(abs(answer.range.upperBound - 105 * rate) < 0.8 * rate)
        }
    }

    /// The angles of the first and the last bar on a can, in degrees; 0 is in front.
    private static let angles: [(first: Double, last: Double)] = [(0, 45), (-10, 50), (10, 50), (0, 60), (-45, 0)]

    @Test("Defocused EAN-13 around cans are read", arguments: [(0.6, 36), (0.75, 20)])
    func aroundACan(blur: Double, least: Int) {
        let fine = 20.0
        var read = 0
        for (angle, seed) in Self.angles.flatMap({ angle in (0..<8 as Range<UInt64>).map { (angle, $0) } }) {
            let (first, last) = (angle.first * .pi / 180, angle.last * .pi / 180)
            let digits = Self.digits(13, seed: seed)
            let flat = Self.profile(LinearModules.ean13(digits), rate: fine, blur: blur, noise: 2, seed: seed)
            // 1.3 samples a module in the mean.
            let seen = (0..<Int(115 * 1.3)).map { place -> Float in
                let share = ((Double(place) + 0.5) / 1.3 - 10) / 95
                let across = min(max(sin(first) + share * (sin(last) - sin(first)), -1), 1)
                let module = 95 * (asin(across) - first) / (last - first)
                return flat[min(max(Int((module + 10) * fine), 0), flat.count - 1)]
            }
            guard let answer = EANReader().bestAnswer([seen], layout: .ean13), answer.margin >= 14 else { continue }
            #expect(answer.bytes == Self.text(digits), "\(angle), seed \(seed)")
            read += 1
        }
        #expect(read >= least)
    }

    @Test("All digits of a complete symbol are visible, however blurred", arguments: [1.3, 2, 3.7], [0.2, 0.5, 0.7])
    func wholeSymbolShowsAllDigits(rate: Double, blur: Double) throws {
        let digits = Self.digits(13, seed: 5)
        let profile = Self.profile(LinearModules.ean13(digits), rate: rate, blur: blur, noise: 3, seed: 5)
        let answer = try #require(EANReader().bestAnswer([profile], layout: .ean13))
        #expect(answer.showsAllDigits)
    }

    @Test("Covered digits are not visible", arguments: 0..<10 as Range<UInt64>, [50, 125, 200] as [Float])
    func coveredDigitsAreNotSeen(seed: UInt64, tone: Float) {
        let digits = Self.digits(13, seed: seed)
        let rate = 3.0
        var profile = Self.profile(LinearModules.ean13(digits), rate: rate, blur: 0.5, noise: 3, seed: seed)
        // Ten modules always cover one complete digit.
        let first = Int((10 + 4 + 7 * Double(seed % 5)) * rate)
        for place in first..<first + Int(10 * rate) { profile[place] = tone }
        let answer = EANReader().bestAnswer([[Float]](repeating: profile, count: 6), layout: .ean13)
        #expect(answer?.showsAllDigits != true)
    }

    @Test("No digit is invented beside a covered middle guard", arguments: [0.3, 0.5, 0.7])
    func coveredGuard(blur: Double) {
        let digits = [3, 8, 2, 7, 7, 2, 8, 3]
        let rate = 3.2
        // The guard is the modules 31 to 35; a part of the digit before it and of that behind it is hidden too.
        for first in stride(from: 26.0, through: 31, by: 0.5) {
            for end in stride(from: 36.0, through: 41, by: 0.5) {
                var profile = Self.profile(LinearModules.ean8(digits), rate: rate, blur: blur, noise: 2, seed: 1)
                for place in Int((10 + first) * rate)..<Int((10 + end) * rate) { profile[place] = 200 }
                let answer = EANReader().bestAnswer([[Float]](repeating: profile, count: 6), layout: .ean8)
                #expect(
                    answer?.showsAllDigits != true || answer?.bytes == Self.text(digits), "modules \(first) to \(end)")
            }
        }
    }

    @Test("A digit is not visible if each band fits another digit better", arguments: 0..<6 as Range<UInt64>)
    func halfCoveredDigitsAreNotSeen(seed: UInt64) {
        // Two digits whose bars merge, from a number that used to be misread as 7534956073168.
        let digits = [4, 5, 3, 4, 4, 1, 6, 0, 7, 3, 1, 6, 8]
        let rate = 4.0
        var profile = Self.profile(LinearModules.ean13(digits), rate: rate, blur: 0.7, noise: 2, seed: seed)
        let bars = profile.min() ?? 0
        for place in Int((10 + 25.6) * rate)..<Int((10 + 35.0) * rate) { profile[place] = bars }
        let answer = EANReader().bestAnswer([[Float]](repeating: profile, count: 6), layout: .ean13)
        #expect(answer?.showsAllDigits != true)
    }

    @Test("EAN-8 is read", arguments: 0..<3 as Range<UInt64>)
    func ean8(seed: UInt64) throws {
        let digits = Self.digits(8, seed: seed)
        let profile = Self.profile(LinearModules.ean8(digits), rate: 2, blur: 0.5, noise: 4, seed: seed)
        let answer = try #require(EANReader().bestAnswer([profile], layout: .ean8))
        #expect(answer.bytes == Self.text(digits))
    }

    // The number 0 12345 00006 x becomes 0 123456 with a sixth digit that gives the location of the zeros.
    static let short: [(label: String, digits: [Int], number: [Int])] = [
        ("zeros after the second", [1, 2, 3, 4, 5, 0], [0, 1, 2, 0, 0, 0, 0, 0, 3, 4, 5]),
        ("zeros after the second, 2", [9, 8, 3, 4, 5, 2], [0, 9, 8, 2, 0, 0, 0, 0, 3, 4, 5]),
        ("zeros after the third", [1, 2, 3, 4, 5, 3], [0, 1, 2, 3, 0, 0, 0, 0, 0, 4, 5]),
        ("zeros after the fourth", [1, 2, 3, 4, 5, 4], [0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 5]),
        ("zeros after the fifth", [1, 2, 3, 4, 5, 7], [0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 7]),
    ]

    @Test("UPC-E is read", arguments: 0..<5)
    func upcE(index: Int) throws {
        let (label, digits, number) = Self.short[index]
        let check = LinearModules.checked(number)[11]
        let profile = Self.profile(
            LinearModules.upcE(digits, check: check), rate: 2.2, blur: 0.5, noise: 4, seed: UInt64(index))
        let answer = try #require(EANReader().bestAnswer([profile], layout: .upcE), "\(label)")
        #expect(answer.bytes == Self.text([0] + digits + [check]), "\(label)")
        #expect(answer.margin > 15)
    }

    @Test("Bars that are not a symbol have no clear result", arguments: 0..<8 as Range<UInt64>)
    func nothing(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let modules = (0..<95).map { _ in Bool.random(using: &random) }
        let profile = Self.profile(modules, rate: 2, blur: 0.6, noise: 5, seed: seed)
        if let answer = EANReader().bestAnswer([profile], layout: .ean13) { #expect(answer.margin < 7) }
    }

    @Test("Invalid profiles have no result, and do not crash")
    func nonsense() {
        for values in [[], [Float](repeating: 3, count: 1), [Float](repeating: 3, count: 500), [.nan, .infinity]] {
            for layout in [Symbology.ean13, .ean8, .upcE, .qrCode] {
                #expect(EANReader().bestAnswer([values, values], layout: layout) == nil)
            }
        }
        #expect(EANReader().bestAnswer([], layout: .ean13) == nil)
    }
}
