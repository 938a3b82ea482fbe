internal import BarcodeCore

/// An EAN or UPC symbol in a strip, decoded by template matching.
struct EANStripReader {
    var reading: Reading
    /// The range from the first bar to the last, in columns of the strip.
    var range: Range<Double>
    var isReversed: Bool

    /// The limits for an answer to be accepted.
    ///
    /// Measured on blurred photos: for the long symbols, the best wrong number had a margin of 2.9 and the worst
    /// right one 10. Parts of a long symbol match a short one with margins of up to 17.
    private struct Limit {
        var symbology: Symbology
        var margin: Float
        var misfit: Float
    }
    private static let limits = [
        Limit(symbology: .ean13, margin: 7, misfit: 0.3),
        Limit(symbology: .ean8, margin: 18, misfit: 0.2),
        Limit(symbology: .upcE, margin: 15, misfit: 0.2),
    ]

    /// The largest misfit of a defocused symbol.
    ///
    /// Blur makes all bars alike, so little is left unexplained: the worst of 36 that were read in the corpus had
    /// 0.08 in one half of it and 0.10 in the other, and a row of random bars that gave a number 0.17.
    private static let largestDefocusedMisfit: Float = 0.13

    /// The smallest margin of a bent symbol: bars that cover a part of an even one may look like digits of a bent one.
    ///
    /// Of 14 wrong numbers in 3,000 drawn symbols on cans with a covered part, seven were bent, and six of those had a
    /// margin of 7.9 to 13.4. The limit costs 16 of 192 right numbers on cans without a covered part.
    private static let smallestMarginOfBent: Float = 14

    private static func smallestMargin(_ answer: EANReader.Answer, _ limit: Limit) -> Float {
        answer.isBent ? max(limit.margin, smallestMarginOfBent) : limit.margin
    }

    private static func largestMisfit(_ answer: EANReader.Answer, _ limit: Limit) -> Float {
        answer.isDefocused ? min(limit.misfit, largestDefocusedMisfit) : limit.misfit
    }

    /// Reads the symbol in a strip; tries the longest kind first.
    ///
    /// - Parameters:
    ///   - profiles: the mean of the strip, then its bands.
    ///   - symbologies: the requested symbologies.
    static func read(_ profiles: [LinearProfile], symbologies: Set<Symbology>) -> EANStripReader? {
        guard !symbologies.isDisjoint(with: Symbology.retail) else { return nil }
        let reader = EANReader()
        let values = EANReader.Profiles(profiles.map(\.values))
        for limit in limits {
            guard let answer = reader.bestAnswer(values, layout: limit.symbology),
                answer.margin >= smallestMargin(answer, limit),
                answer.misfit <= largestMisfit(answer, limit), answer.showsAllDigits
            else { continue }
            guard let (symbology, bytes) = named(answer.symbology, answer.bytes, symbologies: symbologies) else {
                return nil
            }
            let reading = Reading(
                symbology: symbology, bytes: bytes,
                corners: Quadrilateral(
                    topLeft: Point(x: 0, y: 0), topRight: Point(x: 0, y: 0), bottomRight: Point(x: 0, y: 0),
                    bottomLeft: Point(x: 0, y: 0)),
                quality: max(1, Int(answer.margin)))
            return EANStripReader(reading: reading, range: answer.range, isReversed: answer.isReversed)
        }
        return nil
    }

    /// The largest number of hidden digits of a number that another reader read too: the check digit gives one, and
    /// confirms what the other reader took it for.
    ///
    /// Of 2,000 drawn symbols with a covered part, 3 were wrong before digits could be hidden, and 3 are wrong now.
    private static let mostHiddenDigits = 1

    /// Indicates whether any of the rows shows a number by itself, with all its digits.
    private static func isShown(_ number: [UInt8], _ layout: Symbology, in rows: [LinearProfile]) -> Bool {
        rows.contains {
            guard let answer = EANReader().bestAnswer([$0.values], layout: layout) else { return false }
            return answer.bytes == number && answer.showsAllDigits
        }
    }

    /// Indicates whether a strip contradicts the number of a reading: it clearly shows another number, or clearly not
    /// all digits, or another number fits better and no single row shows this one.
    ///
    /// - Parameters:
    ///   - reading: the reading.
    ///   - profiles: the mean of the strip, then its bands.
    ///   - rows: makes the rows of the strip.
    static func contradicts(_ reading: Reading, _ profiles: [LinearProfile], rows: () -> [LinearProfile]) -> Bool {
        let (layout, number): (Symbology, [UInt8])
        switch reading.bytes.count {
        case 13: (layout, number) = (.ean13, reading.bytes)
        case 12: (layout, number) = (.ean13, [0x30] + reading.bytes)
        default: (layout, number) = (reading.symbology, reading.bytes)
        }
        guard let limit = limits.first(where: { $0.symbology == layout }) else { return false }
        let answer = EANReader().bestAnswer(EANReader.Profiles(profiles.map(\.values)), layout: layout)
        // Bars at a torn edge may look like an EAN-8, and one of ten wrong numbers passes its check digit.
        if layout == .ean8 { return answer?.bytes != number }
        if let answer, answer.margin >= smallestMargin(answer, limit), answer.misfit <= limit.misfit {
            return answer.bytes != number || answer.hiddenDigits.map { $0 > mostHiddenDigits } ?? true
        }
        if answer?.bytes == number { return false }
        // If bars bend or slant, the mean of many rows is blurred and not conclusive.
        let bands = profiles.dropFirst()
        guard zip(bands, bands.dropFirst()).allSatisfy({ $0.correlation(with: $1) >= LinearSearch.stackedCorrelation })
        else {
            return false
        }
        return !isShown(number, layout, in: rows())
    }

    /// Returns the reasons why a strip has no EAN or UPC number: a clause for each kind.
    static func shortcomings(_ profiles: [LinearProfile]) -> [String] {
        let reader = EANReader()
        let values = EANReader.Profiles(profiles.map(\.values))
        return limits.map { limit in
            let name = limit.symbology.rawValue
            guard let answer = reader.bestAnswer(values, layout: limit.symbology) else {
                return "\(name): its guard bars are not in the strip"
            }
            let number = String(decoding: answer.bytes, as: UTF8.self)
            let smallest = smallestMargin(answer, limit)
            if answer.margin < smallest {
                return
                    "\(name): of the numbers whose check digit is right, \(number) fits best, but hardly better than "
                    + "the next (by \(tenths(answer.margin)), \(tenths(smallest)) is required)"
            }
            let largest = largestMisfit(answer, limit)
            if answer.misfit > largest {
                return "\(name): \(number) fits best, but the strip differs from its bars by "
                    + "\(tenths(100 * answer.misfit)) % of the contrast; the limit is \(tenths(100 * largest)) %"
            }
            if !answer.showsAllDigits {
                return "\(name): \(number) fits best, but some of its digits are hidden"
            }
            return "\(name): \(number) was read, but its symbology was not requested"
        }
    }

    private static func tenths(_ value: Float) -> Float { (value * 10).rounded() / 10 }

    /// Converts a number to the requested symbology, with the preferences of zbar; `nil` if none was requested.
    ///
    /// - Parameter symbology: EAN-13 (also for UPC-A), EAN-8 or UPC-E.
    static func named(
        _ symbology: Symbology, _ bytes: [UInt8], symbologies: Set<Symbology>
    ) -> (symbology: Symbology, bytes: [UInt8])? {
        guard symbology == .ean13 else { return symbologies.contains(symbology) ? (symbology, bytes) : nil }
        if bytes[0] == 0x30, symbologies.contains(.upcA) { return (.upcA, Array(bytes.dropFirst())) }
        if symbologies.contains(.isbn13), BookNumber.isISBN13(bytes) { return (.isbn13, bytes) }
        if symbologies.contains(.isbn10), let number = BookNumber.isbn10(ofEAN13: bytes) { return (.isbn10, number) }
        return symbologies.contains(.ean13) ? (.ean13, bytes) : nil
    }
}
