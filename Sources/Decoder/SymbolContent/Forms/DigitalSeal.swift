/// A visible digital seal of a document (ICAO Doc 9303-13, BSI TR-03137): the header and the features.
enum DigitalSeal {
    private static let magic: UInt8 = 0xDC
    private static let signatureTag: UInt8 = 0xFF

    /// The parts of a seal.
    private struct Seal {
        let country: String
        let key: (signer: String, reference: String)
        let issued: String
        let signed: String
        let reference: [UInt8]
        let features: [(tag: UInt8, value: [UInt8])]
        let signature: [UInt8]
        /// The bytes before the signature, which it signs.
        let content: [UInt8]

        init?(_ message: ContentMessage) {
            var bytes = message.bytes[...]
            guard bytes.popFirst() == magic, let version = bytes.popFirst(),
                let country = take(2, of: &bytes).flatMap(text), country.first?.isLetter == true,
                let key = DigitalSeal.key(&bytes, version: version),
                let issued = take(3, of: &bytes).flatMap(day), let signed = take(3, of: &bytes).flatMap(day),
                let reference = take(2, of: &bytes), let rest = DigitalSeal.features(bytes)
            else { return nil }
            (self.country, self.key, self.issued, self.signed) = (country, key, issued, signed)
            (self.reference, features, signature) = (reference, rest.features, rest.signature)
            content = Array(message.bytes[..<rest.end])
        }
    }

    static func signature(_ message: ContentMessage) -> ContentSignature? {
        Seal(message).map { ContentSignature(pair: $0.signature, of: $0.content, .bySizeOfKey) }
    }

    static func fields(_ message: ContentMessage) -> [SymbolContent.Field]? {
        guard let seal = Seal(message) else { return nil }
        let document = documents[UInt16(seal.reference[0]) << 8 | UInt16(seal.reference[1])]
        var fields = [
            field("document", document?.name ?? hex(seal.reference), "Document"),
            field("country", String(seal.country.prefix { $0 != " " }), "Country"),
            field("signer", seal.key.signer, "Signer"), field("key", seal.key.reference, "Key"),
            field("issued", seal.issued, "Issued"), field("signed", seal.signed, "Signed"),
        ]
        for (tag, value) in seal.features {
            if let known = document?.features.first(where: { $0.tag == tag }) {
                guard let text = known.coding.text(value) else { return nil }
                fields.append(field(known.name, text, known.label))
            } else {
                fields.append(field("feature_\(tag)", hex(value), "Feature \(tag)"))
            }
        }
        return fields
    }

    /// The documents that carry seals are personal, and so is all that is said of one.
    private static func field(_ name: String, _ value: String, _ label: String) -> SymbolContent.Field {
        SymbolContent.Field(name, value, label: label, isPersonal: true)
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func take(_ count: Int, of bytes: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    // MARK: - The header

    /// Takes the signer and the reference of its certificate: nine characters in version 2; in version 3 four, the
    /// length of the reference, and the reference.
    private static func key(
        _ bytes: inout ArraySlice<UInt8>, version: UInt8
    ) -> (signer: String, reference: String)? {
        guard version == 2 || version == 3, let start = take(4, of: &bytes), let head = text(start), head.count == 6
        else { return nil }
        let signer = String(head.prefix(4))
        var length = 5
        var rest = head.dropFirst(4)
        if version == 3 {
            // One signer counts in decimal digits (BSI TR-03171), all others in hexadecimal ones.
            guard let stated = Int(rest, radix: signer == "DEZV" ? 10 : 16), stated > 0 else { return nil }
            (length, rest) = (stated, "")
        }
        let missing = length - rest.count
        guard let more = take((missing + 2) / 3 * 2, of: &bytes), let end = text(more), end.count >= missing else {
            return nil
        }
        return (signer, String(rest) + String(end.prefix(missing)))
    }

    /// The day of a number MMDDYYYY in three bytes, as in ISO 8601.
    private static func day(_ bytes: [UInt8]) -> String? {
        let number = bytes.reduce(0) { $0 << 8 | Int($1) }
        let digits = String(100_000_000 + number % 10_000 * 10_000 + number / 10_000).dropFirst()
        return GS1Date(String(digits), currentYear: 0)?.description
    }

    // MARK: - The features

    /// Splits features into tags and values; `nil` unless a signature, and nothing else, follows the last.
    ///
    /// - Returns: the features, the signature, and the index of its tag.
    private static func features(
        _ bytes: ArraySlice<UInt8>
    ) -> (features: [(tag: UInt8, value: [UInt8])], signature: [UInt8], end: Int)? {
        var rest = bytes
        var found: [(tag: UInt8, value: [UInt8])] = []
        while case let start = rest.startIndex, let tag = rest.popFirst() {
            guard var length = rest.popFirst().map(Int.init) else { return nil }
            if length >= 0x80 {
                // The number of bytes of the length (ISO/IEC 8825-1).
                guard (0x81...0x82).contains(length), let digits = take(length - 0x80, of: &rest) else { return nil }
                length = digits.reduce(0) { $0 << 8 | Int($1) }
            }
            guard let value = take(length, of: &rest) else { return nil }
            if tag == signatureTag {
                return rest.isEmpty && !found.isEmpty && !value.isEmpty ? (found, value, start) : nil
            }
            found.append((tag, value))
        }
        return nil
    }

    /// The encoding of a feature.
    private enum Coding {
        /// C40, as in Data Matrix.
        case c40
        /// Two lines of a machine-readable zone in C40, with the number of characters in the first.
        case zone(Int)
        case utf8
        case number
        case hexadecimal

        func text(_ bytes: [UInt8]) -> String? {
            switch self {
            case .c40:
                return DigitalSeal.text(bytes)
            case .zone(let first):
                guard let zone = DigitalSeal.text(bytes) else { return nil }
                let filled = String(zone.map { $0 == " " ? "<" : $0 })
                return filled.prefix(first) + "\n" + filled.dropFirst(first)
            case .utf8:
                return String(validating: bytes, as: UTF8.self)
            case .number:
                return bytes.count == 1 ? String(bytes[0]) : nil
            case .hexadecimal:
                return DigitalSeal.hex(bytes)
            }
        }
    }

    private typealias Feature = (tag: UInt8, name: String, label: String, coding: Coding)

    /// Documents by their feature reference and category, with their features (BSI TR-03137, part 1; ICAO Doc 9303-7).
    private static let documents: [UInt16: (name: String, features: [Feature])] = [
        0x5D01: (
            "visa",
            [
                (1, "zone", "Machine-readable zone", .zone(44)), (2, "zone", "Machine-readable zone", .zone(36)),
                (3, "entries", "Entries", .number), (4, "stay", "Duration of stay", .hexadecimal),
                (5, "passport", "Passport", .c40), (6, "type", "Type", .hexadecimal),
            ]
        ),
        0x5E03: ("emergency_travel_document", [(2, "zone", "Machine-readable zone", .zone(36))]),
        0xF80A: (
            "address_of_passport",
            [
                (1, "number", "Number", .c40), (2, "municipality", "Municipality", .c40),
                (3, "postal_code", "Postal code", .c40),
            ]
        ),
        0xF908: ("address_of_identity_card", addressFeatures),
        0xF90C: ("address_of_residence_permit", addressFeatures),
        0xFA06: (
            "supplementary_sheet",
            [(4, "zone", "Machine-readable zone", .zone(36)), (5, "number", "Number", .c40)]
        ),
        0xFB06: (
            "residence_permit",
            [(2, "zone", "Machine-readable zone", .zone(36)), (3, "passport", "Passport", .c40)]
        ),
        0xFC04: (
            "social_insurance_card",
            [
                (1, "number", "Number", .c40), (2, "last_name", "Last name", .utf8),
                (3, "first_name", "First name", .utf8), (4, "birth_name", "Birth name", .utf8),
            ]
        ),
        0xFD02: (
            "arrival_attestation",
            [(2, "zone", "Machine-readable zone", .zone(36)), (3, "number", "Number", .c40)]
        ),
    ]
    private static let addressFeatures: [Feature] = [
        (1, "number", "Number", .c40), (2, "municipality", "Municipality", .c40), (3, "address", "Address", .c40),
    ]

    /// The character set of C40 without its shifts, from the value 3 on.
    private static let characters = Array(" 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")

    /// Decodes C40: three characters in two bytes; a single byte at the end, after an unlatch, is ASCII.
    private static func text(_ bytes: [UInt8]) -> String? {
        var rest = bytes[...]
        var text = ""
        while let first = rest.popFirst(), let second = rest.popFirst() {
            if first == 0xFE {
                guard rest.isEmpty, second > 0, second <= 0x80 else { return nil }
                text.unicodeScalars.append(UnicodeScalar(second - 1))
                return text
            }
            let number = (Int(first) << 8 | Int(second)) - 1
            for value in [number / 1600, number / 40 % 40, number % 40] {
                // The last value of a text that ends earlier is a shift without a character.
                if value < 3, rest.isEmpty { continue }
                guard value >= 3, value - 3 < characters.count else { return nil }
                text.append(characters[value - 3])
            }
        }
        return rest.isEmpty ? text : nil
    }
}
