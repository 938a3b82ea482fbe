/// A fault of an app, its package or its source, with a message for the person who maintains the station.
public struct AppError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a fault; later versions may add more.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name, in snake case.
        public let rawValue: String

        /// Creates a kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The package, or its `info.json`, is invalid.
        public static let invalid = Code(rawValue: "invalid")
        /// It exceeds the limits of an app.
        public static let tooLarge = Code(rawValue: "too_large")
        /// The size, hash or signature differs from the expected one.
        public static let mismatch = Code(rawValue: "mismatch")
        /// The source offers an older version.
        public static let older = Code(rawValue: "older")
        /// There is no such app, file or version.
        public static let notFound = Code(rawValue: "not_found")
        /// Another process is modifying the apps.
        public static let inUse = Code(rawValue: "in_use")
        /// A disk operation failed.
        public static let storage = Code(rawValue: "storage")
        /// The source did not give a valid response.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The source requires a sign-in.
        public static let signInNeeded = Code(rawValue: "sign_in_needed")
    }

    /// The kind of the fault.
    public let code: Code
    /// The fault, the app or file, and the remedy.
    public let description: String

    /// Creates an error; the description is a sentence without a full stop.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
