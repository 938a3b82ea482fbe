internal import BarcodeCore

/// GS1 messages as fields.
enum GS1Content {
    static func elementString(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard message.isGS1 else { return nil }
        return (try? GS1Message.parse(message.bytes)).map { fields($0, message.currentYear) }
    }

    /// Parses the message of a linear symbol and its composite component, which form one message (ISO/IEC 24723,
    /// 4.3).
    ///
    /// The number of an EAN or UPC counts as an element.
    static func composite(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let composite = message.composite else { return nil }
        let linear: [UInt8]
        if message.isGS1 {
            linear = message.bytes
        } else if let number = gtin(message)?.first {
            linear = Array(("01" + number.value).utf8)
        } else {
            return nil
        }
        let end = linear.last == GS1Characters.separator ? [] : [GS1Characters.separator]
        return (try? GS1Message.parse(linear + end + composite)).map { fields($0, message.currentYear) }
    }

    static func bracketed(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard message.text.first == "(" else { return nil }
        return (try? GS1Message.parse(bracketed: message.text)).map { fields($0, message.currentYear) }
    }

    /// Parses format 05 of ISO/IEC 15434: element strings between the envelope's header and its end.
    static func envelope(_ message: ContentMessage) -> [SymbolContent.Field]? {
        let header = Array("[)>\u{1E}05\u{1D}".utf8)
        guard message.bytes.starts(with: header) else { return nil }
        let body = message.bytes.dropFirst(header.count).prefix { $0 != 0x1E && $0 != 0x04 }
        return (try? GS1Message.parse(Array(body))).map { fields($0, message.currentYear) }
    }

    static func link(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard message.text.hasPrefix("http") || message.text.hasPrefix("HTTP"),
            let link = try? GS1Message.parse(link: message.text, allowsShortGTIN: true)
        else { return nil }
        return [SymbolContent.Field("url", message.text)] + fields(link, message.currentYear)
    }

    /// Returns a field for each element, named after its identifier.
    static func fields(_ message: GS1Message, _ currentYear: Int) -> [SymbolContent.Field] {
        message.elements.map { element in
            SymbolContent.Field(
                element.identifier, element.value, label: element.title,
                meaning: meaning(element, currentYear: currentYear), isPersonal: isPersonal(element.identifier))
        }
    }

    /// Indicates whether the identifier is for names, addresses or birth dates of people: 4300 to 4319 and 7250 to
    /// 7259.
    private static func isPersonal(_ identifier: String) -> Bool {
        guard identifier.utf8.count == 4, let number = Int(identifier) else { return false }
        return (4300...4319).contains(number) || (7250...7259).contains(number)
    }

    /// The identifiers whose value begins with a date.
    private static let dates: Set<String> = [
        "11", "12", "13", "15", "16", "17", "4324", "4325", "4326", "7003", "7006", "7011", "7250", "7251", "8008",
    ]

    static func meaning(_ element: GS1Element, currentYear: Int) -> String? {
        let value = element.value
        if dates.contains(element.identifier) {
            let size = element.identifier.hasPrefix("725") ? 8 : 6
            guard let date = GS1Date(String(value.prefix(size)), currentYear: currentYear) else { return nil }
            let time = Array(value.dropFirst(size))
            // A month has no time of day.
            guard time.count >= 2, date.day != nil else { return date.description }
            let parts = stride(from: 0, to: time.count - 1, by: 2).map { String(time[$0...$0 + 1]) }
            return date.description + "T" + parts.joined(separator: ":") + (parts.count == 1 ? ":00" : "")
        }
        if element.identifier == "7007" {
            // The harvest date, or its first and last day (GS1 General Specifications, 3.8.9).
            let dates = [value.prefix(6), value.dropFirst(6)].compactMap {
                GS1Date(String($0), currentYear: currentYear)?.description
            }
            return dates.joined(separator: "/")
        }
        // The last digit of the identifier is the number of decimals.
        guard element.identifier.utf8.count == 4, let last = element.identifier.last,
            let decimals = last.wholeNumberValue,
            let number = Int(element.identifier)
        else { return nil }
        switch number {
        case 3100...3699, 3900...3909, 3920...3929, 3940...3943, 3950...3955: return decimal(value, decimals)
        // The first three digits are the number of the currency.
        case 3910...3919, 3930...3939:
            return decimal(String(value.dropFirst(3)), decimals) + " (currency \(value.prefix(3)))"
        default: return nil
        }
    }

    /// Inserts a decimal point before the last `decimals` digits, and drops leading zeros.
    static func decimal(_ digits: String, _ decimals: Int) -> String {
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
        let whole = padded.dropLast(decimals).drop { $0 == "0" }
        let text = whole.isEmpty ? "0" : String(whole)
        return decimals == 0 ? text : text + "." + padded.suffix(decimals)
    }

    // MARK: EAN and UPC

    /// The valid message lengths by symbology, without an add-on: the full form of 13 digits, or without the leading
    /// zeros of a UPC.
    private static let retail: [String: [Int]] = [
        "ean_13": [13], "ean_8": [8], "upc_a": [12, 13], "upc_e": [12, 13], "isbn_13": [13], "isbn_10": [13],
    ]
    /// The numbers of digits of an add-on, and of none.
    private static let addOns = [0, 2, 5]

    /// Returns the number of an EAN or UPC with fourteen digits, and the ISBN of a book, the ISMN of music or the
    /// ISSN of a serial.
    static func gtin(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard
            let count = retail[message.symbology]?.first(where: { addOns.contains(message.bytes.count - $0) }),
            message.bytes.allSatisfy(GS1Characters.isDigit)
        else { return nil }
        let digits = Array(message.bytes.prefix(count))
        guard CheckDigit.isGS1Key(digits) else { return nil }
        let text = String(decoding: digits, as: UTF8.self)
        let padded = String(repeating: "0", count: 14 - digits.count) + text
        var fields = [SymbolContent.Field("gtin", padded, label: "GTIN")]
        guard digits.count == 13 else { return fields }
        if digits.starts(with: "978".utf8) || digits.starts(with: "979".utf8), !digits.starts(with: "9790".utf8) {
            fields.append(SymbolContent.Field("isbn", text, label: "ISBN"))
        } else if digits.starts(with: "9790".utf8) {
            fields.append(SymbolContent.Field("ismn", text, label: "ISMN"))
        } else if digits.starts(with: "977".utf8) {
            fields.append(SymbolContent.Field("issn", issn(digits), label: "ISSN"))
        }
        return fields
    }

    /// Returns the ISSN of an EAN-13 with the prefix 977: seven digits and its own check character (ISO 3297).
    private static func issn(_ digits: [UInt8]) -> String {
        let body = digits[3..<10]
        let text = String(decoding: body + [CheckDigit.modulo11(of: body)], as: UTF8.self)
        return text.prefix(4) + "-" + text.suffix(4)
    }
}
