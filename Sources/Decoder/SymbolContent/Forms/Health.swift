internal import BarcodeCore

/// Labels of the health industry (HIBC): primary and secondary data (ANSI/HIBC 2.6).
enum HealthIndustry {
    /// The characters in the order of their values, which is that of Code 39.
    private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%".utf8)

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        var bytes = message.bytes
        // The text of a Code 39 sometimes includes its asterisks.
        if bytes.first == UInt8(ascii: "*"), bytes.last == UInt8(ascii: "*") {
            bytes = Array(bytes.dropFirst().dropLast())
        }
        // The reader of this symbology has verified and removed the check character.
        let isRemoved = message.symbology == "code_39_mod43"
        guard bytes.first == UInt8(ascii: "+"), bytes.count >= 8, isRemoved || isChecked(bytes) else { return nil }
        let body = bytes.dropFirst().dropLast(isRemoved ? 0 : 1)
        let parts = body.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let primary = parts.first, let first = primary.first else { return nil }
        let isLinear = ["code_39", "code_39_mod43", "code_128"].contains(message.symbology)
        if first == UInt8(ascii: "$") || isDated(primary) && isLinear {
            // The second of two symbols ends with the check character of the first, which links it to that one.
            return secondary(body.dropLast(), message.currentYear) + [SymbolContent.Field("link", text(body.suffix(1)))]
        }
        guard first >= 0x41, first <= 0x5A, primary.count >= 6 else { return nil }
        var fields = [
            SymbolContent.Field("labeler", text(primary.prefix(4)), label: "Labeler"),
            SymbolContent.Field("product", text(primary.dropFirst(4).dropLast()), label: "Product or catalog number"),
            SymbolContent.Field("unit", text(primary.suffix(1)), label: "Unit of measure"),
        ]
        for part in parts.dropFirst() { fields += secondary(part, message.currentYear) }
        return fields
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Indicates whether the last character is the check character: the sum of all values modulo 43.
    private static func isChecked(_ bytes: [UInt8]) -> Bool {
        var sum = 0
        for byte in bytes.dropLast() {
            guard let value = characters.firstIndex(of: byte) else { return false }
            sum += value
        }
        return characters[sum % 43] == bytes.last
    }

    /// Parses the lot, serial number or date of one part of the secondary data.
    private static func secondary(_ part: ArraySlice<UInt8>, _ currentYear: Int) -> [SymbolContent.Field] {
        let value = text(part)
        if value.hasPrefix("16D") { return date("production", String(value.dropFirst(3)), currentYear) }
        if value.hasPrefix("14D") { return date("expiry", String(value.dropFirst(3)), currentYear) }
        if value.hasPrefix("$$+") { return dated(value.dropFirst(3), "serial", currentYear) }
        if value.hasPrefix("$$") { return dated(value.dropFirst(2), "lot", currentYear) }
        if value.hasPrefix("$+") { return [SymbolContent.Field("serial", String(value.dropFirst(2)))] }
        if value.hasPrefix("$") { return [SymbolContent.Field("lot", String(value.dropFirst()))] }
        if value.hasPrefix("S") { return [SymbolContent.Field("serial", String(value.dropFirst()))] }
        if value.hasPrefix("Q") { return [SymbolContent.Field("quantity", String(value.dropFirst()))] }
        if isDated(part) {
            return date("expiry", String(value.prefix(5)), currentYear, dayOfYear)
                + [SymbolContent.Field("lot", String(value.dropFirst(5)))]
        }
        return [SymbolContent.Field("data", value)]
    }

    /// Indicates whether the data begins with a two-digit year and a three-digit day of the year, before a lot.
    private static func isDated(_ part: ArraySlice<UInt8>) -> Bool {
        part.count > 5 && part.prefix(5).allSatisfy(GS1Characters.isDigit) && !dayOfYear(text(part.prefix(5))).isEmpty
    }

    private static func date(
        _ name: String, _ digits: String, _ currentYear: Int, _ order: (String) -> String = { $0 }
    ) -> [SymbolContent.Field] {
        [SymbolContent.Field(name, digits, meaning: GS1Date(order(digits), currentYear: currentYear)?.description)]
    }

    /// Converts a two-digit year and a three-digit day of the year to YYMMDD; empty for an invalid date.
    private static func dayOfYear(_ digits: String) -> String {
        guard let year = Int(digits.prefix(2)), var day = Int(digits.dropFirst(2).prefix(3)), day > 0 else { return "" }
        for month in 1...12 {
            let days = GS1Date.days(in: month, of: 2000 + year)
            if day <= days {
                return digits.prefix(2) + (month < 10 ? "0" : "") + String(month) + (day < 10 ? "0" : "") + String(day)
            }
            day -= days
        }
        return ""
    }

    /// Parses a date in the format of its first digit, and the lot or serial number after it.
    private static func dated(_ value: Substring, _ name: String, _ currentYear: Int) -> [SymbolContent.Field] {
        var fields: [SymbolContent.Field] = []
        var rest = value
        // A two-digit quantity follows 8, a five-digit one 9.
        if let first = rest.first, first == "8" || first == "9" {
            let count = first == "8" ? 2 : 5
            guard rest.count > count else { return [SymbolContent.Field("data", String(value))] }
            fields.append(SymbolContent.Field("quantity", String(rest.dropFirst().prefix(count))))
            rest = rest.dropFirst(1 + count)
        }
        func add(_ length: Int, skip: Int, _ order: (String) -> String) {
            let digits = String(rest.dropFirst(skip).prefix(length))
            guard digits.utf8.count == length, digits.utf8.allSatisfy(GS1Characters.isDigit) else {
                if !rest.isEmpty { fields.append(SymbolContent.Field("data", String(rest))) }
                rest = ""
                return
            }
            rest = rest.dropFirst(skip + length)
            fields.append(
                SymbolContent.Field(
                    "expiry", digits, meaning: GS1Date(order(digits), currentYear: currentYear)?.description))
        }
        switch rest.first {
        case "2": add(6, skip: 1) { String($0.suffix(2) + $0.prefix(4)) }
        case "3": add(6, skip: 1) { $0 }
        case "4": add(8, skip: 1) { String($0.prefix(6)) }
        case "5": add(5, skip: 1, dayOfYear)
        case "6": add(7, skip: 1, dayOfYear)
        case "7": rest = rest.dropFirst()
        default: add(4, skip: 0) { String($0.suffix(2) + $0.prefix(2)) + "00" }
        }
        if !rest.isEmpty { fields.append(SymbolContent.Field(name, String(rest))) }
        return fields
    }
}

/// Labels of blood, tissue and cells (ISBT 128 Standard Technical Specification 6.2).
enum BloodProduct {
    /// The data structures by their two identifying characters, with the number of characters that follow.
    private static let structures: [(prefix: String, name: String, label: String, length: Int)] = [
        ("=%", "blood_group", "Blood groups", 4), ("=<", "product", "Product code", 8),
        ("&>", "expiry_date_time", "Expiry", 10), ("=>", "expiry_date", "Expiry", 6),
        ("&*", "collection_date_time", "Collection", 10), ("=*", "collection_date", "Collection", 6),
    ]

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard message.bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }), let first = message.bytes.first,
            first == UInt8(ascii: "=") || first == UInt8(ascii: "&")
        else { return nil }
        var rest = message.text[...]
        // A two-dimensional symbol has several structures behind each other: their number in two digits, and that of
        // their combination in three.
        var count = 1
        if rest.hasPrefix("=+") {
            guard rest.utf8.count > 7, rest.dropFirst(2).prefix(5).allSatisfy(\.isNumber),
                let number = Int(rest.dropFirst(2).prefix(2)), number > 0
            else { return nil }
            count = number
            rest = rest.dropFirst(7)
        }
        var fields: [SymbolContent.Field] = []
        for _ in 0..<count {
            guard let found = structure(&rest) else { return nil }
            fields += found
        }
        return rest.isEmpty ? fields : nil
    }

    /// Parses the structure at the beginning of a text, and removes it.
    private static func structure(_ rest: inout Substring) -> [SymbolContent.Field]? {
        if let item = structures.first(where: { rest.hasPrefix($0.prefix) }) {
            let value = String(rest.dropFirst(item.prefix.utf8.count).prefix(item.length))
            guard value.utf8.count == item.length, !item.name.contains("date") || value.allSatisfy(\.isNumber) else {
                return nil
            }
            rest = rest.dropFirst(item.prefix.utf8.count + item.length)
            return [SymbolContent.Field(item.name, value, label: item.label)]
        }
        // A donation number: five characters of the facility, two of the year, six of the number, two flags.
        let body = rest.dropFirst().prefix(15)
        guard rest.first == "=", body.count == 15, let first = body.first, first.isLetter || first.isNumber,
            body.dropFirst(5).prefix(8).allSatisfy(\.isNumber)
        else { return nil }
        rest = rest.dropFirst(16)
        return [
            SymbolContent.Field("donation", String(body.prefix(13)), label: "Donation identification number"),
            SymbolContent.Field("facility", String(body.prefix(5)), label: "Facility"),
            SymbolContent.Field("flags", String(body.suffix(2)), label: "Flags"),
        ]
    }
}

/// The German medicine number (PZN): eight digits after a hyphen, the last a check digit modulo 11.
enum PharmacyNumber {
    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        // A symbol of the symbology PZN has already been checked.
        if message.symbology == "pzn" { return [SymbolContent.Field("number", message.text, label: "PZN")] }
        let digits = message.bytes.dropFirst()
        guard message.symbology == "code_39", message.bytes.first == UInt8(ascii: "-"), digits.count == 8,
            digits.allSatisfy(GS1Characters.isDigit), CheckDigit.isPharmacyNumber(digits)
        else { return nil }
        return [SymbolContent.Field("number", String(decoding: digits, as: UTF8.self), label: "PZN")]
    }
}
