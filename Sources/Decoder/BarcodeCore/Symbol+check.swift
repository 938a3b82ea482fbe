extension Symbol {
    /// What tells a right reading from a wrong one, the strongest first.
    public struct Check: RawRepresentable, Sendable, Hashable {
        /// A short name of it.
        public let rawValue: String

        /// The check of that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Code words that correct errors, and tell when there are too many.
        public static let errorCorrection = Check(rawValue: "error_correction")
        /// Check characters over the whole message.
        public static let checksum = Check(rawValue: "checksum")
        /// A check digit or character: one wrong reading in ten, or in a hundred, passes it.
        public static let checkDigit = Check(rawValue: "check_digit")
        /// The symbology has no check: lines across different parts of the bars read the same.
        public static let agreement = Check(rawValue: "agreement")
        /// Nothing, or it is unknown.
        public static let none = Check(rawValue: "none")

        /// The check of a symbol of a symbology that is read with so much of one.
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
