/// The structured carrier message of modes 2 and 3 in the primary message: a parcel's destination and class of
/// service.
///
/// Source: ISO/IEC 16023, 4.5.1 (numeric) and 4.5.2 (alphanumeric postal code).
struct MaxiCodeCarrierMessage: Hashable {
    /// The postal code: up to nine digits, or six characters.
    var postalCode: [UInt8]
    /// The country code of ISO 3166, 0 to 999.
    var country: Int
    /// The carrier's class of service, 0 to 999.
    var serviceClass: Int

    /// Parses the ten data codewords of the primary message.
    ///
    /// - Throws: a failure for values that are invalid in a carrier message.
    init(_ codewords: ArraySlice<UInt8>, isNumeric: Bool) throws(MaxiCodeMessageParser.Failure) {
        // Sixty bits, the lowest in the first codeword; four of them are the mode.
        let bits = codewords.prefix(10).reversed().reduce(UInt64(0)) { $0 << 6 | UInt64($1 & 63) }
        func field(_ start: UInt64, _ count: UInt64) -> Int { Int(bits >> start & (1 << count - 1)) }
        country = field(40, 10)
        serviceClass = field(50, 10)
        guard country <= 999, serviceClass <= 999 else {
            throw MaxiCodeMessageParser.Failure(
                message: "the country \(country) or the class of service \(serviceClass) is not valid")
        }
        if isNumeric {
            let count = min(9, field(34, 6))
            // More digits than announced are kept: a part of them would be the code of another place.
            postalCode = count == 0 ? [] : Self.digits(field(4, 30), count: count)
        } else {
            postalCode = []
            for index in 0..<6 {
                let codeword = UInt8(field(34 - 6 * UInt64(index), 6))
                guard case .byte(let byte) = MaxiCodeCodeSet.a.symbol(codeword) else {
                    throw MaxiCodeMessageParser.Failure(message: "the postal code contains the codeword \(codeword)")
                }
                postalCode.append(byte)
            }
        }
    }

    /// The fields as transmitted, each followed by GS.
    var bytes: [UInt8] {
        postalCode + [0x1D] + Self.digits(country, count: 3) + [0x1D] + Self.digits(serviceClass, count: 3) + [0x1D]
    }

    /// Returns a number padded with zeros to at least `count` digits.
    ///
    /// - Precondition: `value` is not negative.
    static func digits(_ value: Int, count: Int) -> [UInt8] {
        let digits = Array(String(value).utf8)
        return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, count - digits.count)) + digits
    }
}
