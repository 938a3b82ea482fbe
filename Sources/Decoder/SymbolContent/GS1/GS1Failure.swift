/// Why a message is not a valid string of GS1 elements: which identifier, and where.
public struct GS1Failure: Error, Sendable, Hashable {
    /// What kind of failure it is, for programs.
    public var code: Code
    /// What is wrong, for people: a clause.
    public var message: String
    /// The application identifier whose value is wrong; nil where none is.
    public var identifier: String?
    /// Where in the message, counted in bytes from 0.
    public var position: Int

    /// A failure of the kind `code` at `position`.
    public init(_ code: Code, _ message: String, identifier: String? = nil, position: Int) {
        self.code = code
        self.message = message
        self.identifier = identifier
        self.position = position
    }

    /// A kind of failure; more kinds may come.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// The kind of that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The message is empty.
        public static let empty = Code(rawValue: "empty")
        /// The message has more elements, or more characters, than any symbol holds.
        public static let tooLong = Code(rawValue: "too_long")
        /// Where an application identifier should begin there is none that GS1 knows.
        public static let unknownIdentifier = Code(rawValue: "unknown_identifier")
        /// A value has fewer or more characters than its identifier asks for.
        public static let badLength = Code(rawValue: "bad_length")
        /// A character does not belong to the set of its identifier.
        public static let badCharacter = Code(rawValue: "bad_character")
        /// A check digit or a pair of check characters is wrong.
        public static let badCheckDigit = Code(rawValue: "bad_check_digit")
        /// A date or time does not exist.
        public static let badDate = Code(rawValue: "bad_date")
        /// A value breaks another rule of its identifier.
        public static let badValue = Code(rawValue: "bad_value")
        /// Brackets, escapes or the parts of a link are not well formed.
        public static let badSyntax = Code(rawValue: "bad_syntax")
        /// An identifier needs another one that is not there.
        public static let missingIdentifier = Code(rawValue: "missing_identifier")
        /// Two identifiers must not stand together, or one stands twice with different values.
        public static let conflict = Code(rawValue: "conflict")
    }
}

extension GS1Failure: CustomStringConvertible {
    /// Such as `(17) at 16: there is no month 13`.
    public var description: String {
        (identifier.map { "(\($0)) " } ?? "") + "at \(position): \(message)"
    }
}
