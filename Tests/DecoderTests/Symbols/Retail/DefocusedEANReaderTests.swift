import BarcodeCore
import Foundation
import TestSupport
import Testing

@testable import Symbols

@Suite("EAN-13 far out of focus")
struct DefocusedEANReaderTests {
    /// Returns the profile of modules behind a lens out of focus, with `rate` values per module.
    ///
    /// The share of a disk on one side of a line is exact here, unlike in the reader, and no other blur is added.
    private static func profile(
        _ modules: [Bool], rate: Double, radius: Double, noise: Float = 0.5, seed: UInt64
    ) -> [Float] {
        var random = SeededGenerator(seed: seed)
        let quiet = 12.0
        func share(_ distance: Double) -> Double {
            let t = min(max(distance / radius, -1), 1)
            return 0.5 + (t * (1 - t * t).squareRoot() + asin(t)) / .pi
        }
        return (0..<Int((Double(modules.count) + 2 * quiet) * rate)).map { place in
            let x = (Double(place) + 0.5) / rate - quiet
            var darkness = 0.0
            for (index, isDark) in modules.enumerated() where isDark {
                darkness += share(Double(index + 1) - x) - share(Double(index) - x)
            }
            return 200 - 150 * Float(darkness) + Float.random(in: -noise...noise, using: &random)
        }
    }

    @Test(
        "Numbers are read in both directions, however far the bars run into each other",
        arguments: [1, 1.7, 3], [1.3, 1.9, 2.4])
    func number(rate: Double, radius: Double) throws {
        for seed in 0..<4 as Range<UInt64> {
            let digits = EANReaderTests.digits(13, seed: seed)
            var profile = Self.profile(LinearModules.ean13(digits), rate: rate, radius: radius, seed: seed)
            let isReversed = seed % 2 == 1
            if isReversed { profile.reverse() }
            let answer = try #require(DefocusedEANReader(profile).read(), "seed \(seed)")
            #expect(answer.bytes == EANReaderTests.text(digits), "seed \(seed)")
            #expect(answer.isClear, "seed \(seed), misfit \(answer.misfit), lead \(answer.lead)")
            #expect(answer.view.isReversed == isReversed)
            let range = answer.view.range(in: profile.count)
            #expect(abs(range.lowerBound / rate - 12) < 1, "seed \(seed)")
            #expect(abs(range.upperBound / rate - 107) < 1, "seed \(seed)")
        }
    }

    @Test("A bend and uneven light are no obstacle")
    func bentAndUneven() throws {
        let digits = EANReaderTests.digits(13, seed: 7)
        let straight = Self.profile(LinearModules.ean13(digits), rate: 3, radius: 2, seed: 7)
        let count = Double(straight.count)
        let profile = straight.indices.map { place -> Float in
            let share = Double(place) / count
            // Two modules at the middle.
            let source = Double(place) + 6 * 4 * share * (1 - share)
            return straight[min(Int(source), straight.count - 1)] * Float(1 - 0.4 * share)
        }
        let answer = try #require(DefocusedEANReader(profile).read())
        #expect(answer.bytes == EANReaderTests.text(digits))
        #expect(answer.isClear)
    }

    /// The gray value of a cover over a digit, and the first digit that is covered.
    @Test("A number with a covered digit is not clear", arguments: [200, 120, 50] as [Float], 0..<12)
    func covered(gray: Float, digit: Int) {
        let digits = EANReaderTests.digits(13, seed: 5)
        var profile = Self.profile(LinearModules.ean13(digits), rate: 2, radius: 1.9, seed: 5)
        let start = 12 + (digit < 6 ? 3 : 8) + 7 * digit
        for place in 2 * (start - 2)..<2 * (start + 9) { profile[place] = gray }
        #expect(DefocusedEANReader(profile).read().map { !$0.isClear } ?? true)
    }

    @Test("Bars that are no EAN-13 give no clear number", arguments: [42] as [UInt64])
    func otherBars(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            var modules: [Bool] = []
            while modules.count < 95 {
                modules += [Bool](repeating: modules.count % 2 == 0, count: Int.random(in: 1...4, using: &random))
            }
            let radius = Double.random(in: 1.2...2.8, using: &random)
            let profile = Self.profile(modules, rate: 2, radius: radius, seed: random.next())
            #expect(DefocusedEANReader(profile).read().map { !$0.isClear } ?? true, "seed \(seed)")
        }
    }

    /// Draws a label on a dark table.
    private static func label(_ modules: [Bool], radius: Double, rows: Int) -> LumaImage {
        let lines = (0..<rows).map { profile(modules, rate: 2, radius: radius, noise: 3, seed: UInt64($0)) }
        let (width, margin) = (lines[0].count, 30)
        return LumaImage(width: width + 2 * margin, height: rows + 4 * margin) { pixels in
            for y in 0..<rows + 4 * margin {
                for x in 0..<width + 2 * margin {
                    let (column, row) = (x - margin, y - 2 * margin)
                    let isLabel = (0..<width).contains(column) && (-margin..<rows + margin).contains(row)
                    let value = lines.indices.contains(row) && isLabel ? lines[row][column] : isLabel ? 200 : 40
                    pixels[y * (width + 2 * margin) + x] = UInt8(min(max(value, 0), 255))
                }
            }
        }
    }

    @Test("A label far out of focus is read in a picture", arguments: [1.9, 2.4])
    func picture(radius: Double) throws {
        let digits = EANReaderTests.digits(13, seed: 11)
        let image = Self.label(LinearModules.ean13(digits), radius: radius, rows: 80)
        var search = SymbolSearch(image: image, options: DecodeOptions())
        try search.run()
        #expect(search.symbols.map(\.bytes) == [EANReaderTests.text(digits)])
        let box = try #require(search.symbols.first).corners.boundingBox
        #expect(abs(box.x - 54) < 4 && abs(box.width - 190) < 8, "\(box)")
    }
}
