/// A failure to decode an image.
///
/// An image without symbols is not an error.
public struct DecodeError: Error, Sendable {
    /// The kind of failure, for programs.
    public var code: Code
    /// The problem, for people: a clause that follows the name of the image.
    public var message: String
    /// The image, as the user named it; `nil` if it has no name.
    public var subject: String?
    /// The underlying error, such as a ``SystemError``; `nil` if there is none, or if it occurred in another
    /// process.
    public var cause: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, subject: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
    }

    /// Returns the same error for a named image.
    public func about(_ subject: String) -> DecodeError {
        DecodeError(code, message, subject: subject, cause: cause)
    }

    /// A kind of failure.
    ///
    /// New kinds may be added: treat an unknown one as an unreadable image.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind, as in JSON.
        public let rawValue: String

        /// Creates a kind with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file does not exist.
        public static let notFound = Code(rawValue: "not_found")
        /// This user has no permission to read the file.
        public static let permissionDenied = Code(rawValue: "permission_denied")
        /// The path is a folder instead of an image.
        public static let isDirectory = Code(rawValue: "is_directory")
        /// The file could not be read: an I/O error, or a device or socket instead of a file.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The file has no bytes.
        public static let emptyFile = Code(rawValue: "empty_file")
        /// The bytes are not in a supported image format.
        public static let unsupportedFormat = Code(rawValue: "unsupported_format")
        /// The format is supported, but its library is not installed.
        public static let missingCodec = Code(rawValue: "missing_codec")
        /// The format is supported, but the bytes are invalid before the first row of pixels.
        public static let corrupt = Code(rawValue: "corrupt")
        /// A limit is exceeded.
        public static let tooLarge = Code(rawValue: "too_large")
        /// There is not enough memory for the image.
        public static let outOfMemory = Code(rawValue: "out_of_memory")
        /// The document needs a password.
        public static let encrypted = Code(rawValue: "encrypted")
        /// The document has fewer pages than the requested page number.
        public static let noSuchPage = Code(rawValue: "no_such_page")
        /// The request has a value that this version does not support.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// The time limit of the image was exceeded.
        public static let timedOut = Code(rawValue: "timed_out")
        /// The worker process that decoded the image crashed.
        public static let readerCrashed = Code(rawValue: "reader_crashed")
        /// No worker process could be started, so the image was not decoded.
        public static let noWorker = Code(rawValue: "no_worker")
        /// The machine lacked a resource for decoding the image, such as file descriptors.
        public static let resourceShortage = Code(rawValue: "resource_shortage")
        /// The decoding was canceled before the image was done.
        public static let cancelled = Code(rawValue: "cancelled")
    }
}

extension DecodeError: Hashable {
    /// Indicates whether two errors are equal, regardless of their causes.
    public static func == (one: DecodeError, other: DecodeError) -> Bool {
        one.code == other.code && one.message == other.message && one.subject == other.subject
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(subject)
    }
}

extension DecodeError: CustomStringConvertible {
    /// A sentence that names the image, the problem and, if there is one, the remedy.
    public var description: String {
        if let subject, !subject.isEmpty { "\(subject): \(message)" } else { message }
    }
}
