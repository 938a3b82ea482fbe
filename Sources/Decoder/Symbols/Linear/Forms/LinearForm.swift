public import BarcodeCore

/// Variants of linear symbologies that have the same bars: Code 39 full ASCII or with a check character, Code 32,
/// PZN, Interleaved 2 of 5 as ITF-14, and numeric Telepen.
///
/// A variant that is requested alone is accepted by its own rules. If the plain symbology is requested too, a
/// variant must pass stricter rules, so that a plain message is not converted by mistake.
public enum LinearForm {
    /// The variants of each plain symbology.
    private static let forms: [Symbology: Set<Symbology>] = [
        .code39: [.code39Extended, .code39Checked, .code32, .pzn], .itf: [.itf14], .telepen: [.telepenNumeric],
    ]

    /// All variants.
    public static let symbologies: Set<Symbology> = forms.values.reduce(into: []) { $0.formUnion($1) }

    /// Returns the symbologies to search for `wanted`: adds the plain symbology of each variant.
    public static func read(for wanted: Set<Symbology>) -> Set<Symbology> {
        var result = wanted
        for (plain, forms) in forms where !forms.isDisjoint(with: wanted) { result.insert(plain) }
        return result
    }

    /// Converts a plain reading to the requested variant; `nil` if neither the plain symbology nor a matching
    /// variant is requested.
    public static func named(_ reading: Reading, symbologies: Set<Symbology>) -> Reading? {
        switch reading.symbology {
        case .code39: return code39(reading, symbologies)
        case .itf:
            if symbologies.contains(.itf14), RetailNumber.isGTIN14(reading.bytes) {
                return form(reading, .itf14, reading.bytes)
            }
        case .telepen:
            if symbologies.contains(.telepenNumeric),
                !symbologies.contains(.telepen) || TelepenNumber.isLikely(reading.bytes),
                let digits = TelepenNumber.digits(of: reading.bytes)
            {
                // 1: digits alone. 2: digits, then plain characters behind the shift.
                return form(reading, .telepenNumeric, digits, modifier: reading.bytes.contains(16) ? 2 : 1)
            }
        default: return reading
        }
        return symbologies.contains(reading.symbology) ? reading : nil
    }

    private static func form(
        _ reading: Reading, _ symbology: Symbology, _ bytes: [UInt8], modifier: Int? = nil
    ) -> Reading {
        var result = reading
        (result.symbology, result.bytes, result.modifier) = (symbology, bytes, modifier)
        result.symbolCharacters = bytes == reading.bytes ? nil : reading.bytes
        return result
    }

    private static func code39(_ reading: Reading, _ symbologies: Set<Symbology>) -> Reading? {
        let characters = reading.bytes
        func form(_ symbology: Symbology, _ bytes: [UInt8], modifier: Int? = nil) -> Reading {
            Self.form(reading, symbology, bytes, modifier: modifier)
        }
        let isPlainWanted = symbologies.contains(.code39)
        if symbologies.contains(.pzn), let digits = PharmacyNumber.digits(of: characters) { return form(.pzn, digits) }
        if symbologies.contains(.code32), !isPlainWanted || Code32.isLikely(characters),
            let number = Code32.number(of: characters)
        {
            return form(.code32, number)
        }
        func extended(_ characters: [UInt8]) -> [UInt8]? {
            guard symbologies.contains(.code39Extended), !isPlainWanted || Code39Pairs.isLikely(characters) else {
                return nil
            }
            return Code39Pairs.text(of: characters)
        }
        if symbologies.contains(.code39Checked), Code39.hasCheckCharacter(characters) {
            let message = Array(characters.dropLast())
            // Full ASCII is decoded after the check character is removed.
            return extended(message).map { form(.code39Extended, $0, modifier: 7) } ?? form(.code39Checked, message)
        }
        if let text = extended(characters) { return form(.code39Extended, text, modifier: 4) }
        return isPlainWanted ? reading : nil
    }
}
