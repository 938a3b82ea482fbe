/// An error in a string of GS1 elements, with the identifier and the position.
public struct GS1Failure: Error, Sendable, Hashable {
    /// The kind of failure, for programs.
    public var code: Code
    /// The problem, for people: a clause.
    public var message: String
    /// The application identifier whose value is wrong; `nil` if there is none.
    public var identifier: String?
    /// The position of the error; for a message as text or bytes, its offset in bytes from 0.
    public var position: Int

    /// Creates a failure.
    public init(_ code: Code, _ message: String, identifier: String? = nil, position: Int) {
        self.code = code
        self.message = message
        self.identifier = identifier
        self.position = position
    }

    /// A kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The message is empty.
        public static let empty = Code(rawValue: "empty")
        /// The message has more elements, or more characters, than any symbol holds.
        public static let tooLong = Code(rawValue: "too_long")
        /// An application identifier is expected, but GS1 has none with these digits.
        public static let unknownIdentifier = Code(rawValue: "unknown_identifier")
        /// A value has too few or too many characters for its identifier.
        public static let badLength = Code(rawValue: "bad_length")
        /// A character does not belong to the set of its identifier.
        public static let badCharacter = Code(rawValue: "bad_character")
        /// A check digit or a pair of check characters is wrong.
        public static let badCheckDigit = Code(rawValue: "bad_check_digit")
        /// A date or time does not exist.
        public static let badDate = Code(rawValue: "bad_date")
        /// A value breaks another rule of its identifier.
        public static let badValue = Code(rawValue: "bad_value")
        /// Brackets, escapes or the parts of a link are malformed.
        public static let badSyntax = Code(rawValue: "bad_syntax")
        /// An identifier requires another one, which is missing.
        public static let missingIdentifier = Code(rawValue: "missing_identifier")
        /// Two identifiers exclude each other, or one occurs twice with different values.
        public static let conflict = Code(rawValue: "conflict")
    }
}

extension GS1Failure: CustomStringConvertible {
    /// A description such as `(17) at 16: the month 13 does not exist`.
    public var description: String {
        (identifier.map { "(\($0)) " } ?? "") + "at \(position): \(message)"
    }
}
