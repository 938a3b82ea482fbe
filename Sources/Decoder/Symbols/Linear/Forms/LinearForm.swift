public import BarcodeCore

/// The forms in which the message of a linear symbol may be meant, which nothing in its bars tells: Code 39 in full ASCII,
/// with a check character, as Code 32 or PZN, Interleaved 2 of 5 as ITF-14, and Telepen as digits.
///
/// A form that is asked for alone is taken by its own rules. One that is asked for together with the plain symbology needs
/// more, so that no plain message becomes what it is not.
public enum LinearForm {
    /// The forms by the symbology that they are read as.
    private static let forms: [Symbology: Set<Symbology>] = [
        .code39: [.code39Extended, .code39Checked, .code32, .pzn], .itf: [.itf14], .telepen: [.telepenNumeric],
    ]

    /// All forms.
    public static let symbologies: Set<Symbology> = forms.values.reduce(into: []) { $0.formUnion($1) }

    /// The symbologies to look for where some are wanted: forms are read as what they are forms of.
    public static func read(for wanted: Set<Symbology>) -> Set<Symbology> {
        var result = wanted
        for (plain, forms) in forms where !forms.isDisjoint(with: wanted) { result.insert(plain) }
        return result
    }

    /// A plain reading in the form that is wanted of it; nil where none is, or it is in none that is.
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
                // Digits alone, or digits and behind them what the shift turns to plain characters.
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
            // Full ASCII is made of what the check character leaves.
            return extended(message).map { form(.code39Extended, $0, modifier: 7) } ?? form(.code39Checked, message)
        }
        if let text = extended(characters) { return form(.code39Extended, text, modifier: 4) }
        return isPlainWanted ? reading : nil
    }
}
