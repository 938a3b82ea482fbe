public import BarcodeCore
internal import SymbolContent

/// A code that a person has typed: what it is taken for, and what is wrong with it.
public struct TypedCode: Sendable, Hashable {
    /// What is wrong with a code that was typed.
    public struct Problem: Sendable, Hashable {
        /// The kind of what is wrong; more may come.
        public struct Code: RawRepresentable, Sendable, Hashable {
            /// A short name in lower case.
            public let rawValue: String

            /// The code of that name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The check digit does not belong to the number.
            public static let checkDigit = Code(rawValue: "check_digit")
            /// The number has too few or too many digits, or what is no digit.
            public static let length = Code(rawValue: "bad_length")
            /// The element strings in brackets break a rule of GS1.
            public static let elements = Code(rawValue: "bad_elements")
        }

        /// The kind of what is wrong.
        public var code: Code
        /// What is wrong, as a sentence.
        public var sentence: String
        /// The last digit that would be right; nil where the check digit is not what is wrong.
        public var expected: String?
    }

    /// The longest text that is taken, in bytes of UTF-8: what the largest symbol holds.
    public static let maximumBytes = 8192

    /// The symbol that it stands for.
    public let symbol: ScannedSymbol
    /// What is wrong with it; nil for nothing that can be known.
    public let problem: Problem?

    /// A text that was typed.
    ///
    /// White space around it is left out; of a number of an article also that between its digits, as they are printed,
    /// and where the symbology was chosen hyphens too. Without a symbology a number whose check digit is right is taken
    /// for the EAN or UPC of its length.
    ///
    /// - Parameters:
    ///   - text: what was typed.
    ///   - symbology: what it was chosen to be; nil where nothing was chosen.
    public init(_ text: String, symbology: Symbology? = nil) {
        let trimmed = text.trimmed
        let compact = Self.compact(trimmed, withoutHyphens: symbology != nil)
        let isNumber = !compact.isEmpty && compact.allSatisfy(\.isDigit)
        var (message, known, problem) = (trimmed, symbology, Problem?.none)
        if let symbology, let length = Self.lengths[symbology] {
            // As a reader reports it, whose check digit belongs to all twelve digits.
            let compact = symbology == .upcE ? ArticleNumber.expanded(upcE: compact) ?? compact : compact
            message = compact
            if symbology == .isbn10 {
                problem = Self.bookProblem(compact)
            } else if !isNumber || compact.count != length {
                problem = Problem(
                    code: .length, sentence: "\(symbology.traits.title) has \(length) digits; this is another number.")
            } else {
                problem = Self.numberProblem(compact)
            }
        } else if symbology == nil && isNumber && ArticleNumber.lengths.contains(compact.count) {
            problem = Self.numberProblem(compact)
            if problem == nil {
                message = compact
                known = Self.symbologies[compact.count]
            } else if let expanded = ArticleNumber.expanded(upcE: compact) {
                // Eight digits that begin so are the printed ones of a UPC-E, where they are not those of an EAN-8.
                problem = Self.numberProblem(expanded)
                if problem == nil { (message, known) = (expanded, .upcE) }
            }
        } else if trimmed.hasPrefix("("), trimmed.dropFirst().first?.isDigit == true {
            do throws(GS1Failure) {
                _ = try GS1Message.parse(bracketed: trimmed)
            } catch {
                problem = Problem(code: .elements, sentence: "The GS1 data is not valid: \(error.description).")
            }
        }
        symbol = ScannedSymbol(
            symbology: known ?? Symbology(rawValue: Self.unknownSymbology), text: message, bytes: Array(message.utf8),
            charset: "utf-8")
        self.problem = problem
    }

    /// The name of a symbology that nobody knows.
    static let unknownSymbology = "unknown"

    /// How many digits the number of a symbology has, where its check digit is one of them.
    private static let lengths: [Symbology: Int] = [
        .ean8: 8, .upcA: 12, .upcE: 12, .ean13: 13, .isbn13: 13, .isbn10: 10, .itf14: 14,
    ]

    /// What a number is taken for, by its length; one of 14 digits stands in several symbologies.
    private static let symbologies: [Int: Symbology] = [8: .ean8, 12: .upcA, 13: .ean13]

    /// The symbologies whose number is checked, in the order in which people are offered them.
    public static let checkedSymbologies: [Symbology] = [.ean13, .ean8, .upcA, .upcE, .itf14, .isbn13, .isbn10]

    private static func numberProblem(_ digits: String) -> Problem? {
        guard let expected = ArticleNumber.checkDigit(of: digits.dropLast()), digits.last != expected else {
            return nil
        }
        return wrongDigit(in: digits, expected: String(expected))
    }

    private static func wrongDigit(in digits: String, expected: String) -> Problem {
        let sentence =
            "The check digit is wrong: after \(digits.dropLast()) comes \(expected). Look at the number again."
        return Problem(code: .checkDigit, sentence: sentence, expected: expected)
    }

    /// What is wrong with an ISBN of ten characters: weights 10 to 2, modulo 11, X for 10 (ISO 2108:1992).
    private static func bookProblem(_ number: String) -> Problem? {
        let digits = number.dropLast().compactMap(\.wholeNumberValue)
        guard number.count == 10, digits.count == 9, let last = number.last else {
            return Problem(code: .length, sentence: "ISBN-10 has 10 characters; this is another number.")
        }
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * (10 - $1.offset) }
        let check = (11 - sum % 11) % 11
        let expected = check == 10 ? "X" : String(check)
        if last.uppercased() == expected { return nil }
        return wrongDigit(in: number, expected: expected)
    }

    /// The text without what stands between the digits of a printed number, and with the full-width characters of an
    /// input method as those of ASCII.
    private static func compact(_ text: String, withoutHyphens: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20, 0xA0, 0x2009, 0x202F, 0x3000: continue
            case 0x2D, 0xFF0D: if !withoutHyphens { result += "-" }
            case 0xFF01...0xFF5E: result.unicodeScalars.append(Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Character {
    fileprivate var isDigit: Bool { isASCII && isNumber }
}

extension String {
    /// The text without white space around it.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
