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
}
