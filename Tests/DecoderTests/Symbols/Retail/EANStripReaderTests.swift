import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

/// The verification of an EAN or UPC read by zbar, from its strip.
@Suite struct EANStripReaderTests {
    private static let digits = EANReaderTests.digits(13, seed: 21)
    private static let rate = 3.0

    private static func profile(coveredDigit: Int? = nil, seed: UInt64) -> LinearProfile {
        var values = EANReaderTests.profile(
            LinearModules.ean13(digits), rate: rate, blur: 0.5, noise: 3, seed: seed)
        if let coveredDigit {
            // Ten modules in the color of the paper cover one complete left digit.
            let first = Int((10 + 4 + 7 * Double(coveredDigit)) * rate)
            for index in first..<first + Int(10 * rate) { values[index] = 200 }
        }
        return LinearProfile(values: values)
    }

    private static func reading(_ digits: [Int]) -> Reading {
        let corner = Point(x: 0, y: 0)
        return Reading(
            symbology: .ean13, bytes: EANReaderTests.text(digits),
            corners: Quadrilateral(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner))
    }

    /// Returns the mean profile of a strip and its five bands, which only differ in noise.
    private static func profiles(coveredDigit: Int? = nil) -> [LinearProfile] {
        (0..<6).map { profile(coveredDigit: coveredDigit, seed: $0) }
    }

    @Test func numberThatAllProfilesShowIsKept() {
        let strip = Self.profiles()
        #expect(!EANStripReader.contradicts(Self.reading(Self.digits), strip) { strip })
    }

    @Test(arguments: 0..<5 as Range<UInt64>) func otherNumberIsRefused(seed: UInt64) {
        let strip = Self.profiles()
        let other = EANReaderTests.digits(13, seed: 100 + seed)
        #expect(EANStripReader.contradicts(Self.reading(other), strip) { strip })
    }

    @Test(arguments: 0..<5) func numberWithACoveredDigitIsRefused(digit: Int) {
        let strip = Self.profiles(coveredDigit: digit)
        // A number that differs in the covered digit and the check digit matches the visible bars as well.
        var guess = Self.digits
        guess[digit + 1] = (guess[digit + 1] + 1) % 10
        let number = LinearModules.checked(Array(guess.dropLast()))
        #expect(EANStripReader.contradicts(Self.reading(number), strip) { strip })
    }

    @Test("Bars without ink hide one digit, which the check digit confirms; two are too many", arguments: [0, 2, 4])
    func barsWithoutInk(digit: Int) throws {
        // Most of a left digit, and of the right digit at the same place of its half.
        let starts = [4 + 7 * digit, 51 + 7 * digit].map { Int((10 + Double($0)) * Self.rate) }
        for count in 0...2 {
            let strip = (0..<6 as Range<UInt64>).map { seed in
                var values = Self.profile(seed: seed).values
                for start in starts.prefix(count) {
                    for place in start..<start + Int(5 * Self.rate) { values[place] = 200 }
                }
                return LinearProfile(values: values)
            }
            let isRefused = EANStripReader.contradicts(Self.reading(Self.digits), strip) { strip }
            #expect(isRefused == (count == 2), "\(count) digits")
        }
    }

    @Test("Random bars that defocused templates fit by chance are not read")
    func randomBars() {
        // The gray levels of a row of twenty bars in a drawn picture without a code, between its paper.
        let bars: [Float] = [
            174, 175, 172, 164, 149, 127, 105, 91, 84, 82, 83, 84, 84, 84, 85, 93, 109, 131, 154, 169, 175, 175,
            173, 174, 175, 176, 175, 175, 175, 176, 174, 166, 150, 128, 106, 91, 84, 83, 83, 84, 83, 84, 85, 92,
            107, 131, 151, 159, 150, 129, 106, 91, 85, 83, 83, 83, 83, 84, 86, 91, 105, 129, 152, 167, 174, 176,
            173, 167, 154, 131, 108, 92, 84, 83, 84, 84, 83, 83, 84, 90, 104, 127, 149, 159, 153, 131, 107, 91, 84,
            83, 85, 91, 104, 126, 149, 166, 174, 176, 175, 175, 176, 176, 175, 175, 175, 177, 175, 169, 155, 133,
            110, 94, 85, 82, 83, 83, 82, 82, 83, 83, 84, 83, 82, 88, 102, 124, 147, 164, 173, 176, 176, 175, 175,
            176, 175, 169, 156, 136, 112, 95, 85, 83, 83, 83, 82, 82, 84, 90, 102, 122, 145, 163, 173, 176, 175,
            175, 175, 176, 175, 170, 159, 138, 114, 96, 86, 83, 84, 88, 99, 119, 144, 163, 172, 175, 176, 176, 176,
            176, 175, 171, 161, 140, 115, 100, 101, 118, 144, 163, 172, 175, 176, 176, 176, 176, 175, 171, 161,
            141, 117, 101, 101, 117, 141, 157, 157, 141, 117, 97, 87, 83, 82, 82, 82, 82, 83, 88, 98, 116, 140,
            159, 171, 176, 176, 172, 163, 143, 119, 102, 100, 116, 140, 157, 158, 143, 120, 99, 87, 83, 82, 86, 97,
            115, 138, 158, 170, 176, 176, 175, 175, 176, 178, 177, 175, 175, 175, 173, 165, 147, 122, 104, 100,
            113, 137, 158, 171, 175, 176, 175, 175, 176, 176, 173, 165, 148, 124, 105, 99, 111, 136, 158, 170, 174,
            175, 173, 166, 149, 125, 103, 90, 85, 82, 84, 93, 110, 134, 156, 169, 174, 176, 174, 167, 151, 126,
            103, 90, 85, 84, 87, 92, 107, 132, 153, 160, 151, 127, 104, 90, 84, 83, 83, 84, 83, 82, 85, 93, 107,
            130, 153, 168, 175, 177, 176, 176, 177, 177, 175, 168, 153, 130, 108, 92, 85, 83, 84, 84, 83, 83, 85,
            92, 107, 129, 152, 168, 175, 177, 176, 176, 178, 178, 176, 169, 155, 133, 110, 94, 85, 83, 83, 84, 84,
            83, 83, 84, 84, 84, 85, 91, 105, 126, 149, 165, 175, 177, 177,
        ]
        let paper = [Float](repeating: 176, count: 70)
        let profile = LinearProfile(values: paper + bars + paper)
        for count in [1, 3] {
            let profiles = Array(repeating: profile, count: count)
            #expect(EANStripReader.read(profiles, symbologies: Symbology.retail) == nil)
        }
    }
}
