/// Labels of parts, packages and transport units: data identifiers in the envelope of ISO/IEC 15434, format 06.
///
/// Distributors of electronic parts (ECIA EIGP 114: DigiKey, Mouser, Farnell), the automotive industry (GTL, Odette,
/// AIAG B-16, VDA 4994) and pharmacies (PPN) print such labels.
enum DataIdentifiers {
    /// The titles of ANSI MH10.8.2 and EIGP 114, by identifier.
    private static let titles = [
        "1B": "Container", "B": "Container type", "D": "Date", "4D": "Julian date", "6D": "Ship date",
        "9D": "Date code",
        "10D": "Date code", "14D": "Expiry", "16D": "Production", "1J": "License plate", "2J": "License plate",
        "3J": "License plate", "4J": "License plate", "5J": "License plate", "6J": "License plate",
        "K": "Purchase order", "1K": "Supplier's order", "2K": "Bill of lading", "4K": "Purchase order line",
        "8K": "Invoice", "10K": "Invoice", "11K": "Packing list", "14K": "Purchase order line", "1L": "Location",
        "2L": "Ship to", "4L": "Country of origin", "20L": "Dock", "21L": "Ship to location", "9N": "PPN",
        "P": "Customer's part number", "1P": "Manufacturer's part number", "2P": "Revision",
        "3P": "Manufacturer's code",
        "8P": "GTIN", "25P": "Part number", "30P": "Supplier's part number", "31P": "Manufacturer's part number",
        "33P": "Bin code", "Q": "Quantity", "1Q": "Weight", "7Q": "Quantity and unit", "13Q": "Package of packages",
        "S": "Serial number", "3S": "Package", "4S": "Package", "5S": "Package", "18S": "Serial number",
        "25S": "Serial number", "T": "Traceability number", "1T": "Lot", "V": "Supplier", "1V": "Manufacturer",
        "12V": "Manufacturer", "13V": "Supplier", "11Z": "Label type", "12Z": "Part identifier",
    ]
    private static let separator = UInt8(ascii: "\u{1D}")
    private static let end = UInt8(ascii: "\u{1E}")

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let elements = elements(message.bytes), !elements.contains(where: { $0.name == "9N" }) else { return nil }
        return elements.map { field($0, message.currentYear) }
    }

    /// Parses the label of a medicine: its Pharmacy Product Number with a right check number, and other data.
    ///
    /// - Source: IFA coding system, Specification of the PPN-Code for retail packaging.
    static func pharmacyProduct(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let elements = elements(message.bytes), let number = elements.first(where: { $0.name == "9N" })?.value,
            isPharmacyProductNumber(Array(number.utf8))
        else { return nil }
        var fields = elements.map { element in
            var field = field(element, message.currentYear)
            // In this coding system the plain date is the expiry.
            if element.name == "D" { field.label = "Expiry" }
            return field
        }
        // Agency 11 is the German one, whose number is the PZN.
        if number.hasPrefix("11"), number.utf8.count == 12 {
            fields.append(SymbolContent.Field("pzn", String(number.dropFirst(2).dropLast(2)), label: "PZN"))
        }
        return fields
    }

    /// Parses the license plate of a transport unit in a linear symbol, issued under a D-U-N-S or an Odette number.
    ///
    /// - Source: ISO/IEC 15459-1; Global Transport Label, version 3, for its length.
    static func licensePlate(_ message: ContentMessage) -> [SymbolContent.Field]? {
        let bytes = message.bytes
        guard message.symbology == "code_128" || message.symbology == "code_39", (14...35).contains(bytes.count),
            (0x31...0x36).contains(bytes[0]), bytes[1] == UInt8(ascii: "J"),
            bytes.dropFirst(2).allSatisfy({ GS1Characters.isDigit($0) || (0x41...0x5A).contains($0) })
        else { return nil }
        let agency = String(decoding: bytes[2..<4], as: UTF8.self)
        // A D-U-N-S number has nine digits, an Odette one four characters.
        guard agency == "OD" || (agency == "UN" && bytes[4..<13].allSatisfy(GS1Characters.isDigit)) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return [field((String(text.prefix(2)), String(text.dropFirst(2))), message.currentYear)]
    }

    /// Splits a message of format 06 into its elements; `nil` for any other message.
    ///
    /// Some distributors leave out the first record separator and the end, or put a `>` before the header.
    private static func elements(_ bytes: [UInt8]) -> [(name: String, value: String)]? {
        var rest = bytes[...]
        if rest.first == UInt8(ascii: ">") { rest = rest.dropFirst() }
        guard rest.starts(with: "[)>".utf8) else { return nil }
        rest = rest.dropFirst(3)
        if rest.first == end { rest = rest.dropFirst() }
        guard rest.starts(with: "06\u{1D}".utf8) else { return nil }
        rest = rest.dropFirst(3)
        rest = rest.prefix { $0 != end && $0 != 0x04 }
        var found: [(String, String)] = []
        for element in rest.split(separator: separator) {
            // Up to three digits and a letter.
            let digits = element.prefix(4).prefix(while: GS1Characters.isDigit)
            guard digits.count <= 3, let letter = element.dropFirst(digits.count).first, (0x41...0x5A).contains(letter)
            else { return nil }
            let name = String(decoding: element.prefix(digits.count + 1), as: UTF8.self)
            let value = element.dropFirst(digits.count + 1)
            // DigiKey prints identifiers without data, and zeros that keep its labels at one size.
            guard !value.isEmpty, name != "20Z" || value.contains(where: { $0 != UInt8(ascii: "0") }) else { continue }
            found.append((name, String(field: value)))
        }
        return found.isEmpty ? nil : found
    }

    private static func field(_ element: (name: String, value: String), _ currentYear: Int) -> SymbolContent.Field {
        var meaning: String?
        switch element.name {
        case "D", "14D", "16D": meaning = GS1Date(element.value, currentYear: currentYear)?.description
        // A qualifier of three digits may follow.
        case "6D": meaning = GS1Date(String(element.value.prefix(8)), currentYear: currentYear)?.description
        default: break
        }
        return SymbolContent.Field(element.name, element.value, label: titles[element.name], meaning: meaning)
    }

    /// Indicates whether the last two digits are the check number: the sum of the characters' codes, weighted 2, 3, 4
    /// and so on, modulo 97.
    private static func isPharmacyProductNumber(_ bytes: [UInt8]) -> Bool {
        guard (6...22).contains(bytes.count), bytes.suffix(2).allSatisfy(GS1Characters.isDigit) else { return false }
        var sum = 0
        for (place, byte) in bytes.dropLast(2).enumerated() { sum += Int(byte) * (place + 2) }
        return sum % 97 == GS1Check.number(bytes.suffix(2))
    }
}

/// The label on a bag of electronic parts from LCSC: names and values in braces.
///
/// LCSC publishes no specification; the names are those on labels from 2019 to 2026.
enum PartBag {
    private static let names = [
        "pbn": ("package", "Package"), "on": ("order", "Order"), "pc": ("part", "LCSC part number"),
        "pm": ("manufacturer_part", "Manufacturer's part number"), "qty": ("quantity", "Quantity"),
        "wc": ("warehouse", "Warehouse"),
    ]

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        let text = message.text
        guard text.hasPrefix("{pbn:"), text.last == "}" else { return nil }
        var fields: [SymbolContent.Field] = []
        for pair in text.dropFirst().dropLast().split(separator: ",") {
            guard let colon = pair.firstIndex(of: ":") else { return nil }
            let value = pair[pair.index(after: colon)...]
            guard let (name, label) = names[String(pair[..<colon])], !value.isEmpty else { continue }
            fields.append(SymbolContent.Field(name, String(value), label: label))
        }
        func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        guard let part = value("part"), part.hasPrefix("C"), Int(part.dropFirst()) != nil,
            let quantity = value("quantity"), Int(quantity) != nil
        else { return nil }
        return fields
    }
}
