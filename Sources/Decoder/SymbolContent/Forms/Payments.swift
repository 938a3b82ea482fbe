/// A credit transfer in euros (EPC069-12, version 3.1: Quick Response Code, guidelines to enable data capture).
enum CreditTransfer {
    private static let names = [
        "service", "version", "character_set", "identification", "bic", "name", "iban", "amount", "purpose",
        "reference",
        "text", "information",
    ]

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        let lines = message.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        guard (7...12).contains(lines.count), lines[0] == "BCD", ["001", "002"].contains(lines[1]),
            lines[2].count == 1, ["SCT", "INST"].contains(lines[3]), !lines[5].isEmpty,
            GS1Check(rawValue: "iban").problem(Array(lines[6].utf8)[...]) == nil
        else { return nil }
        return zip(names, lines).dropFirst(4).filter { !$0.1.isEmpty }.map { name, value in
            SymbolContent.Field(
                name, value,
                meaning: name == "amount" && value.count > 3 ? amount(value) : nil,
                isPersonal: name == "name" || name == "iban")
        }
    }
}

extension CreditTransfer {
    /// Formats `EUR1.5` as a decimal number and its currency; some programs write a decimal comma.
    private static func amount(_ value: String) -> String {
        var number = Array(value.utf8.dropFirst(3))
        let comma = UInt8(ascii: ",")
        if let place = number.firstIndex(of: comma), number.count(where: { $0 == comma }) == 1,
            !number.contains(UInt8(ascii: "."))
        {
            number[place] = UInt8(ascii: ".")
        }
        return "\(String(decoding: number, as: UTF8.self)) \(value.prefix(3))"
    }
}

/// A Swiss QR-bill (Swiss Implementation Guidelines QR-bill 2.3).
enum SwissBill {
    /// The named lines, by their index.
    private static let names: [(line: Int, name: String)] = [
        (3, "account"), (5, "creditor"), (6, "creditor_street"), (7, "creditor_building"), (8, "creditor_postcode"),
        (9, "creditor_town"), (10, "creditor_country"), (18, "amount"), (19, "currency"), (21, "debtor"),
        (22, "debtor_street"), (23, "debtor_building"), (24, "debtor_postcode"), (25, "debtor_town"),
        (26, "debtor_country"), (27, "reference_type"), (28, "reference"), (29, "text"), (31, "bill_information"),
    ]

    /// Returns the name of a line: an address of type K, before its end in 2025, has two lines in place of the street
    /// and the number of the building.
    private static func name(_ item: (line: Int, name: String), _ lines: [String]) -> String {
        let isCombined = lines[item.line < 20 ? 4 : 20] == "K"
        guard isCombined,
            let (end, line) = ["_street": "1", "_building": "2"].first(where: { item.name.hasSuffix($0.key) })
        else { return item.name }
        return item.name.dropLast(end.count) + "_address" + line
    }

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        let lines = message.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        guard (31...34).contains(lines.count), lines[0] == "SPC", lines[1].hasPrefix("02"), lines[2] == "1",
            lines[30] == "EPD", ["CHF", "EUR"].contains(lines[19]),
            GS1Check(rawValue: "iban").problem(Array(lines[3].utf8)[...]) == nil
        else { return nil }
        return names.filter { $0.line < lines.count && !lines[$0.line].isEmpty }.map { item in
            SymbolContent.Field(
                name(item, lines), lines[item.line],
                isPersonal: item.name.hasPrefix("debtor") || item.name.hasPrefix("creditor") || item.name == "account")
        }
    }
}

/// A merchant's payment code (EMVCo Merchant-Presented Mode 1.1), with its CRC.
enum MerchantPayment {
    private static let names = [
        "52": "merchant_category", "53": "currency", "54": "amount", "58": "country", "59": "merchant", "60": "city",
        "61": "postcode",
    ]

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        let bytes = message.bytes
        guard bytes.starts(with: "000201".utf8), bytes.count >= 20,
            String(decoding: bytes.suffix(8).prefix(4), as: UTF8.self) == "6304",
            String(decoding: bytes.suffix(4), as: UTF8.self).uppercased() == check(bytes.dropLast(4))
        else { return nil }
        var fields: [SymbolContent.Field] = []
        // Lengths count characters, which may have several bytes.
        var rest = message.text.unicodeScalars[...]
        while !rest.isEmpty {
            let header = Array(String(rest.prefix(4)).utf8)
            guard header.count == 4, header.allSatisfy(GS1Characters.isDigit) else { return nil }
            let tag = String(decoding: header.prefix(2), as: UTF8.self)
            let length = GS1Check.number(header.suffix(2))
            rest = rest.dropFirst(4)
            let value = String(rest.prefix(length))
            guard value.unicodeScalars.count == length else { return nil }
            rest = rest.dropFirst(length)
            if let name = names[tag] {
                fields.append(SymbolContent.Field(name, value))
            } else if let number = Int(tag), (2...51).contains(number) {
                fields.append(SymbolContent.Field("account_\(tag)", value))
            }
        }
        return fields.contains { $0.name == "merchant" } ? fields : nil
    }

    /// Returns the CRC-16 (ISO/IEC 13239: polynomial 0x1021, initial value 0xFFFF) in uppercase hexadecimal.
    private static func check(_ bytes: ArraySlice<UInt8>) -> String {
        var value: UInt16 = 0xFFFF
        for byte in bytes {
            value ^= UInt16(byte) << 8
            for _ in 0..<8 { value = value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021 }
        }
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - text.utf8.count) + text
    }
}
