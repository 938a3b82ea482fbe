public import BarcodeCore
internal import SymbolContent

/// A code typed by a person, with its interpretation and any problem found.
public struct TypedCode: Sendable, Hashable {
    /// A problem with a typed code.
    public struct Problem: Sendable, Hashable {
        /// The kind of a problem; more may be added.
        public struct Code: RawRepresentable, Sendable, Hashable {
            /// A short name in lower case.
            public let rawValue: String

            /// Creates a code from its name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The check digit does not match the number.
            public static let checkDigit = Code(rawValue: "check_digit")
            /// The number has too few or too many digits, or other characters.
            public static let length = Code(rawValue: "bad_length")
            /// The bracketed element strings break a GS1 rule.
            public static let elements = Code(rawValue: "bad_elements")
        }

        /// The kind of problem.
        public var code: Code
        /// The problem, as a sentence.
        public var sentence: String
        /// The correct check digit; `nil` if the check digit is not the problem.
        public var expected: String?
    }

    /// The maximum length of a text, in bytes of UTF-8: the capacity of the largest symbol.
    public static let maximumBytes = 8192

    /// The symbol that the text represents.
    public let symbol: ScannedSymbol
    /// The problem; `nil` if none was found.
    public let problem: Problem?

    /// Interprets a typed text.
    ///
    /// Surrounding white space is removed. So are white space within an article number, as printed, and hyphens if
    /// the symbology was chosen. Without a symbology, a number with a valid check digit becomes the EAN or UPC of
    /// its length.
    ///
    /// - Parameters:
    ///   - text: the typed text.
    ///   - symbology: the chosen symbology; `nil` for none.
    public init(_ text: String, symbology: Symbology? = nil) {
        let trimmed = text.trimmed
        let compact = Self.compact(trimmed, withoutHyphens: symbology != nil)
        let isNumber = !compact.isEmpty && compact.allSatisfy(\.isDigit)
        var (message, known, problem) = (trimmed, symbology, Problem?.none)
        if let symbology, let length = Self.lengths[symbology] {
            // As a reader reports it. The check digit is computed over all twelve digits.
            let compact = symbology == .upcE ? ArticleNumber.expanded(upcE: compact) ?? compact : compact
            message = compact
            if symbology == .isbn10 {
                problem = Self.bookProblem(compact)
            } else if !isNumber || compact.count != length {
                problem = Problem(
                    code: .length,
                    sentence: "\(symbology.traits.title) has \(length) digits; this number has another length.")
            } else {
                problem = Self.numberProblem(compact)
            }
        } else if symbology == nil && isNumber && ArticleNumber.lengths.contains(compact.count) {
            problem = Self.numberProblem(compact)
            if problem == nil {
                message = compact
                known = Self.symbologies[compact.count]
            } else if let expanded = ArticleNumber.expanded(upcE: compact) {
                // Eight digits that begin so are a printed UPC-E if they are not a valid EAN-8.
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

    /// The name of the unknown symbology.
    static let unknownSymbology = "unknown"

    /// The number of digits of each symbology, including the check digit.
    private static let lengths: [Symbology: Int] = [
        .ean8: 8, .upcA: 12, .upcE: 12, .ean13: 13, .isbn13: 13, .isbn10: 10, .itf14: 14,
    ]

    /// The default symbology for the length of a number.
    ///
    /// 14 digits are ambiguous between several symbologies.
    private static let symbologies: [Int: Symbology] = [8: .ean8, 12: .upcA, 13: .ean13]

    /// The symbologies with number checks, in the order in which they are offered to people.
    public static let checkedSymbologies: [Symbology] = [.ean13, .ean8, .upcA, .upcE, .itf14, .isbn13, .isbn10]

    private static func numberProblem(_ digits: String) -> Problem? {
        guard let expected = ArticleNumber.checkDigit(of: digits.dropLast()), digits.last != expected else {
            return nil
        }
        return wrongDigit(in: digits, expected: String(expected))
    }

    private static func wrongDigit(in digits: String, expected: String) -> Problem {
        let sentence =
            "The check digit is wrong: after \(digits.dropLast()) comes \(expected). Check the number."
        return Problem(code: .checkDigit, sentence: sentence, expected: expected)
    }

    /// The problem with a ten-character ISBN: weights 10 to 2, modulo 11, X for 10 (ISO 2108:1992).
    private static func bookProblem(_ number: String) -> Problem? {
        let digits = number.dropLast().utf8
        guard number.count == 10, number.dropLast().allSatisfy(\.isDigit), let last = number.last else {
            return Problem(code: .length, sentence: "ISBN-10 has 10 characters; this number has another length.")
        }
        let expected = String(UnicodeScalar(CheckDigit.modulo11(of: digits)))
        if last.uppercased() == expected { return nil }
        return wrongDigit(in: number, expected: expected)
    }

    /// The text without the separators in a printed number, and with full-width characters of an input method
    /// converted to ASCII.
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
    /// The text without surrounding white space.
    package var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
