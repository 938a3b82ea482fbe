/// What is wrong with an app, its package or the place that it comes from: a sentence for whoever looks after the station.
public struct AppError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of thing is wrong; more may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The word for it, in snake case.
        public let rawValue: String

        /// A word for what is wrong.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The package, or the file that names it, is not as it must be.
        public static let invalid = Code(rawValue: "invalid")
        /// It is more than an app may have.
        public static let tooLarge = Code(rawValue: "too_large")
        /// It is not what was named: another size, hash or signature.
        public static let mismatch = Code(rawValue: "mismatch")
        /// The place that it comes from names an older version.
        public static let older = Code(rawValue: "older")
        /// There is no such app, file or version.
        public static let notFound = Code(rawValue: "not_found")
        /// Another process is changing the apps.
        public static let inUse = Code(rawValue: "in_use")
        /// The disk refused.
        public static let storage = Code(rawValue: "storage")
        /// The place that it comes from did not answer as it should.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The place that it comes from wants somebody to sign in.
        public static let signInNeeded = Code(rawValue: "sign_in_needed")
    }

    /// What kind of thing is wrong.
    public let code: Code
    /// What is wrong, with the app or file, and what to do.
    public let description: String

    /// What is wrong, as a sentence without a stop.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
