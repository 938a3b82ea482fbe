internal import BarcodeCore

/// A rule for a part of a value, beyond its length and characters.
///
/// The names are those of the GS1 Barcode Syntax Dictionary. An unknown name is ignored, because a dictionary may
/// be newer than this code.
struct GS1Check: RawRepresentable, Sendable, Hashable {
    let rawValue: String

    /// A violation of a rule.
    struct Problem {
        var code: GS1Failure.Code
        var message: String
    }

    /// Returns the violation of the rule by a part; `nil` if there is none.
    ///
    /// The caller has checked the character set and the length of the part.
    func problem(_ part: ArraySlice<UInt8>) -> Problem? {
        guard let rule = Self.rules[rawValue] else { return nil }
        return rule(part)
    }

    private typealias Rule = @Sendable (ArraySlice<UInt8>) -> Problem?

    private static let rules: [String: Rule] = [
        "csum": { CheckDigit.isGS1Key($0) ? nil : Problem(code: .badCheckDigit, message: "the check digit is wrong") },
        "csumalpha": {
            $0.count < 2
                ? Problem(code: .badLength, message: "the value is too short for its two check characters")
                : hasCheckPair($0) ? nil : Problem(code: .badCheckDigit, message: "the check characters are wrong")
        },
        "gcppos1": { companyPrefix($0) },
        "gcppos2": { companyPrefix($0.dropFirst()) },
        "hasnondigit": {
            $0.contains { !GS1Characters.isDigit($0) }
                ? nil : Problem(code: .badValue, message: "at least one character must not be a digit")
        },
        "hyphen": { refuse($0.isEmpty || $0.contains { $0 != 0x2D }, "only a hyphen is allowed here") },
        "zero": { refuse($0.isEmpty || $0.contains { $0 != 0x30 }, "only 0 is allowed here") },
        "nonzero": { refuse($0.allSatisfy { $0 == 0x30 }, "the number must not be 0") },
        "nozeroprefix": { refuse($0.first == 0x30, "the number must not begin with 0") },
        "yesno": { refuse($0.first != 0x30 && $0.first != 0x31, "only 0 for no and 1 for yes are allowed here") },
        "winding": { refuse(!"019".utf8.contains($0.first ?? 0), "the winding direction must be 0, 1 or 9") },
        "iso5218": { refuse(!"0129".utf8.contains($0.first ?? 0), "the sex must be 0, 1, 2 or 9 (ISO 5218)") },
        "importeridx": {
            refuse(
                $0.contains { !GS1Characters.contains($0, .set64) || $0 == 0x3D },
                "the importer index must be a letter, a digit, - or _")
        },
        "mediatype": {
            let type = number($0)
            return refuse(
                !((1...10).contains(type) || (80...99).contains(type)), "the media type \(type) does not exist")
        },
        "packagetype": { listed($0, GS1CodeLists.packageTypes, "package type") },
        "iso4217": { listed($0, GS1CodeLists.currencies, "currency number") },
        "iso3166": { listed($0, GS1CodeLists.countries, "country number") },
        "iso3166999": {
            $0.elementsEqual("999".utf8) ? nil : listed($0, GS1CodeLists.countries, "country number")
        },
        "iso3166alpha2": { listed($0, GS1CodeLists.countryLetters, "country") },
        "latitude": { refuse(number($0) > 1_800_000_000, "the latitude is beyond 90 degrees") },
        "longitude": { refuse(number($0) > 3_600_000_000, "the longitude is beyond 360 degrees") },
        "pieceoftotal": {
            let (piece, total) = (number($0.prefix(2)), number($0.dropFirst(2)))
            return refuse(piece == 0 || total == 0 || piece > total, "piece \(piece) of \(total) does not exist")
        },
        "posinseqslash": {
            let bytes = Array($0)
            let (place, count) = (number(bytes.prefix(1)[...]), number(bytes.suffix(1)[...]))
            return refuse(
                bytes.count != 3 || bytes[1] != 0x2F || !GS1Characters.isDigit(bytes[0])
                    || !GS1Characters.isDigit(bytes[2]) || place == 0 || count == 0 || place > count,
                "a position and a count, such as 1/2, are expected here")
        },
        "pcenc": { refuse(!isPercentEncoded($0), "two hexadecimal digits must follow %") },
        "yymmdd": { GS1Date.problem($0, hasCentury: false, allowsDayZero: false) },
        "yymmd0": { GS1Date.problem($0, hasCentury: false, allowsDayZero: true) },
        "yyyymmdd": { GS1Date.problem($0, hasCentury: true, allowsDayZero: false) },
        "yyyymmd0": { GS1Date.problem($0, hasCentury: true, allowsDayZero: true) },
        "hh": { time($0.prefix(2), "hour", below: 24) },
        "mi": { time($0.prefix(2), "minute", below: 60) },
        "ss": { time($0.prefix(2), "second", below: 60) },
        "hhmi": { time($0.prefix(2), "hour", below: 24) ?? time($0.dropFirst(2), "minute", below: 60) },
        "iban": { iban($0) },
        "couponcode": { GS1Coupon.problem($0) },
        "couponposoffer": { GS1Coupon.positiveOfferProblem($0) },
    ]

    private static func refuse(_ isWrong: Bool, _ message: @autoclosure () -> String) -> Problem? {
        isWrong ? Problem(code: .badValue, message: message()) : nil
    }

    private static func listed(_ part: ArraySlice<UInt8>, _ list: Set<String>, _ noun: String) -> Problem? {
        let text = String(decoding: part, as: UTF8.self)
        return refuse(!list.contains(text), "the \(noun) \(text) does not exist")
    }

    private static func time(_ part: ArraySlice<UInt8>, _ noun: String, below limit: Int) -> Problem? {
        let value = number(part)
        return value < limit ? nil : Problem(code: .badDate, message: "the \(noun) \(value) does not exist")
    }

    /// Returns the number in some digits; other characters count as 0, and only the first 18 count.
    static func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.prefix(18).reduce(0) { $0 * 10 + (GS1Characters.isDigit($1) ? Int($1 - 0x30) : 0) }
    }

    /// The number of digits that every company prefix has at least.
    private static let companyPrefixLength = 4

    static func companyPrefix(_ part: ArraySlice<UInt8>) -> Problem? {
        let prefix = part.prefix(companyPrefixLength)
        if prefix.count < companyPrefixLength {
            return Problem(code: .badLength, message: "the value is too short for a company prefix")
        }
        return refuse(!prefix.allSatisfy(GS1Characters.isDigit), "the company prefix must begin with four digits")
    }

    // MARK: Check characters

    /// The weights of the check pair, the first for the character before the pair.
    private static let primes: [Int] = {
        var primes: [Int] = []
        var candidate = 2
        while primes.count < 97 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes
    }()
    private static let pairCharacters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)

    /// Indicates whether the last two characters are the check pair of the others.
    ///
    /// Source: GS1 General Specifications, 7.9.5.
    static func hasCheckPair(_ value: ArraySlice<UInt8>) -> Bool {
        let body = Array(value.dropLast(2))
        guard body.count <= primes.count else { return false }
        var sum = 0
        for (place, byte) in body.reversed().enumerated() {
            guard let number = GS1Characters.value82(byte) else { return false }
            sum += number * primes[place]
        }
        sum %= 1021
        return Array(value.suffix(2)) == [pairCharacters[sum >> 5], pairCharacters[sum & 31]]
    }

    // MARK: Other formats

    /// Indicates whether base64 padding is only at the end, and makes the length a multiple of three.
    static func isPadded(_ part: ArraySlice<UInt8>) -> Bool {
        let padding = part.reversed().prefix { $0 == 0x3D }.count
        guard padding > 0 else { return !part.contains(0x3D) }
        return padding <= 2 && part.count % 3 == 0 && !part.dropLast(padding).contains(0x3D)
    }

    private static func isPercentEncoded(_ part: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(part)
        return bytes.indices.allSatisfy { place in
            bytes[place] != UInt8(ascii: "%")
                || place + 2 < bytes.count
                    && bytes[place + 1...place + 2].allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        }
    }

    /// Checks an IBAN (ISO 13616): its country, its length and its check digits.
    private static func iban(_ part: ArraySlice<UInt8>) -> Problem? {
        guard part.count > 10 else {
            return Problem(code: .badLength, message: "an IBAN must have more than ten characters")
        }
        if let problem = listed(part.prefix(2), GS1CodeLists.countryLetters, "country") { return problem }
        var rest = 0
        for byte in part.dropFirst(4) + part.prefix(4) {
            guard
                let digit = Character(UnicodeScalar(byte)).isUppercase || GS1Characters.isDigit(byte)
                    ? Int(String(UnicodeScalar(byte)), radix: 36) : nil
            else { return Problem(code: .badCharacter, message: "an IBAN consists of digits and capital letters") }
            rest = (rest * (digit < 10 ? 10 : 100) + digit) % 97
        }
        return rest == 1 ? nil : Problem(code: .badCheckDigit, message: "the check digits of the IBAN are wrong")
    }
}
