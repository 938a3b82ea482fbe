/// A driver's license or identity card of North America (AAMVA Card Design Standard, versions 1 to 10).
enum DrivingLicense {
    private static let names = [
        "DAA": "name", "DAB": "last_name", "DCS": "last_name", "DAC": "first_name", "DCT": "first_name",
        "DAD": "middle_name", "DAG": "street", "DAI": "city", "DAJ": "state", "DAK": "postcode", "DAQ": "number",
        "DBA": "expiry", "DBB": "birthday", "DBC": "sex", "DBD": "issue", "DCG": "country", "DAU": "height",
        "DAY": "eyes", "DCF": "document", "DCA": "class",
    ]
    private static let dates: Set<String> = ["expiry", "birthday", "issue"]

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        // The header: @, three separators, the file type, the issuer's number, the version.
        let text = message.text
        guard text.first == "@", message.bytes.count > 30 else { return nil }
        guard let type = text.firstRange(of: "ANSI ") ?? text.firstRange(of: "AAMVA"),
            text.utf8.distance(from: text.startIndex, to: type.lowerBound) <= 6
        else { return nil }
        // Version 1 has ten digits, without the version of the issuer.
        let header = text[type.upperBound...].prefix(12)
        let digits = header.prefix { $0.isASCII && $0.isNumber }.count
        guard digits == 12 || (digits == 10 && header.last?.isLetter == true) else { return nil }
        var fields = [SymbolContent.Field("issuer", String(header.prefix(6)), label: "Issuer identification number")]
        let isCanadian = text.contains("DCGCAN")
        for line in text.split(whereSeparator: { $0.isNewline || $0 == "\u{1E}" }) {
            let isHeader = line.startIndex <= type.lowerBound && type.lowerBound < line.endIndex
            let element = isHeader ? firstElement(line[type.upperBound...], digits: digits) : withoutType(line)
            guard let name = names[String(element.prefix(3))] else { continue }
            let value = String(element.dropFirst(3)).trimmed
            guard !value.isEmpty else { continue }
            fields.append(
                SymbolContent.Field(
                    name, value, meaning: dates.contains(name) ? date(value, yearFirst: isCanadian) : nil,
                    isPersonal: true))
        }
        return fields.count > 2 ? fields : nil
    }

    /// Returns the first element after a header of so many digits and the entries of subfiles, each of ten characters.
    private static func firstElement(_ header: Substring, digits: Int) -> Substring {
        let count = Int(header.prefix(digits).suffix(2)) ?? 0
        let element = withoutType(header.dropFirst(digits + 10 * count))
        if names[String(element.prefix(3))] != nil { return element }
        // Some issuers state another number of subfiles than there are.
        guard let place = header.firstRange(of: "DLD") ?? header.firstRange(of: "IDD") else { return element }
        return withoutType(header[place.lowerBound...])
    }

    /// Returns an element without the type of the subfile that begins with it.
    private static func withoutType(_ element: Substring) -> Substring {
        element.hasPrefix("DLD") || element.hasPrefix("IDD") ? element.dropFirst(2) : element
    }

    /// Parses MMDDCCYY of the United States, or CCYYMMDD of Canada and version 1.
    private static func date(_ digits: String, yearFirst: Bool) -> String? {
        guard digits.utf8.count == 8 else { return nil }
        let isYearFirst = yearFirst || (Int(digits.prefix(2)) ?? 0) > 12
        let ordered = isYearFirst ? digits : String(digits.suffix(4) + digits.prefix(4))
        return GS1Date(ordered, currentYear: 2000)?.description
    }
}

/// A boarding pass (IATA Resolution 792, Bar Coded Boarding Pass, version 8): the mandatory items of each leg.
enum BoardingPass {
    private static let mandatorySize = 60

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        let bytes = message.bytes
        guard bytes.count >= mandatorySize, bytes[0] == UInt8(ascii: "M"), (0x31...0x34).contains(bytes[1]),
            bytes.prefix(mandatorySize).allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
        else { return nil }
        func item(_ start: Int, _ length: Int) -> String {
            String(decoding: bytes[start..<start + length], as: UTF8.self).trimmed
        }
        let airports = (item(30, 3), item(33, 3))
        guard [airports.0, airports.1].allSatisfy({ $0.utf8.count == 3 && $0.allSatisfy(\.isUppercase) }),
            item(44, 3).allSatisfy(\.isNumber), item(44, 3).utf8.count == 3,
            "EH ".utf8.contains(bytes[22]) || bytes[22] == 0x4C
        else { return nil }
        return [
            SymbolContent.Field("legs", item(1, 1)), SymbolContent.Field("name", item(2, 20), isPersonal: true),
            SymbolContent.Field("booking", item(23, 7), isPersonal: true), SymbolContent.Field("from", airports.0),
            SymbolContent.Field("to", airports.1), SymbolContent.Field("carrier", item(36, 3)),
            SymbolContent.Field("flight", item(39, 5)), SymbolContent.Field("day_of_year", item(44, 3)),
            SymbolContent.Field("cabin", item(47, 1)), SymbolContent.Field("seat", item(48, 4)),
            SymbolContent.Field("sequence", item(52, 5)), SymbolContent.Field("status", item(57, 1)),
        ]
    }
}
