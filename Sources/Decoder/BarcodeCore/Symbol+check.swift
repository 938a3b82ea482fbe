extension Symbol {
    /// The strength of the check against misreads, strongest first.
    public struct Check: RawRepresentable, Sendable, Hashable {
        /// The short name of the check.
        public let rawValue: String

        /// Creates a check with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Codewords that correct errors, and detect if there are too many.
        public static let errorCorrection = Check(rawValue: "error_correction")
        /// Check characters over the whole message.
        public static let checksum = Check(rawValue: "checksum")
        /// A check digit or character: one misread in ten, or in a hundred, passes it.
        public static let checkDigit = Check(rawValue: "check_digit")
        /// The symbology has no check, but scan lines across different parts of the bars agree.
        public static let agreement = Check(rawValue: "agreement")
        /// No check, or an unknown one.
        public static let none = Check(rawValue: "none")

        /// Creates the check of a symbology.
        public init(_ check: SymbologyTraits.Check) {
            self =
                switch check {
                case .errorCorrection: .errorCorrection
                case .checksum: .checksum
                case .checkDigit: .checkDigit
                case .none: .agreement
                }
        }
    }
}
