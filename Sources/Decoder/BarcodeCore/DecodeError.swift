/// Why a picture could not be read.
///
/// Finding no symbol is no error.
public struct DecodeError: Error, Sendable {
    /// What kind of failure it is, for programs.
    public var code: Code
    /// What is wrong, for people: a clause that follows the name of the picture.
    public var message: String
    /// The picture, as its user named it; nil where it has no name.
    public var subject: String?
    /// The error that led to this one, such as a ``SystemError``; nil where there is none, or another process had it.
    public var cause: (any Error)?

    /// A failure of the kind `code`.
    public init(_ code: Code, _ message: String, subject: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
    }

    /// The same failure, said of a named picture.
    public func about(_ subject: String) -> DecodeError {
        DecodeError(code, message, subject: subject, cause: cause)
    }

    /// A kind of failure.
    ///
    /// More kinds may come: treat one that is unknown as a picture that could not be read.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind, as it stands in JSON.
        public let rawValue: String

        /// The kind of that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no such file.
        public static let notFound = Code(rawValue: "not_found")
        /// The file may not be read by this user.
        public static let permissionDenied = Code(rawValue: "permission_denied")
        /// A folder was named where a picture was wanted.
        public static let isDirectory = Code(rawValue: "is_directory")
        /// The file could not be read: an I/O error, or no file at all but a device or socket.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The file has no bytes.
        public static let emptyFile = Code(rawValue: "empty_file")
        /// The bytes are of no picture format that is known.
        public static let unsupportedFormat = Code(rawValue: "unsupported_format")
        /// The format is known, and its library is not installed.
        public static let missingCodec = Code(rawValue: "missing_codec")
        /// The format is known but the bytes break its rules before the first row of pixels.
        public static let corrupt = Code(rawValue: "corrupt")
        /// A limit is exceeded.
        public static let tooLarge = Code(rawValue: "too_large")
        /// There is not enough memory for the picture.
        public static let outOfMemory = Code(rawValue: "out_of_memory")
        /// The document wants a password.
        public static let encrypted = Code(rawValue: "encrypted")
        /// The document has fewer pages than was asked for.
        public static let noSuchPage = Code(rawValue: "no_such_page")
        /// The request names something that this version does not know.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// The time for one picture ran out.
        public static let timedOut = Code(rawValue: "timed_out")
        /// The process that decoded the picture died.
        public static let readerCrashed = Code(rawValue: "reader_crashed")
        /// No process could be started to decode the picture, which nobody has looked at.
        public static let noWorker = Code(rawValue: "no_worker")
        /// The machine had too little of something to look at the picture: open files, say.
        public static let resourceShortage = Code(rawValue: "resource_shortage")
        /// The decoding was called off before the picture was done.
        public static let cancelled = Code(rawValue: "cancelled")
    }
}

extension DecodeError: Hashable {
    /// Whether two failures say the same, whatever led to them.
    public static func == (one: DecodeError, other: DecodeError) -> Bool {
        one.code == other.code && one.message == other.message && one.subject == other.subject
    }

    /// Hashes what makes two failures the same.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(subject)
    }
}

extension DecodeError: CustomStringConvertible {
    /// A sentence that names the picture, what is wrong and, where there is one, the remedy.
    public var description: String {
        if let subject { "\(subject): \(message)" } else { message }
    }
}
