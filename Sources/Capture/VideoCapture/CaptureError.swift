public import BarcodeCore
internal import Glibc

/// Why a camera cannot be used.
public struct CaptureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is, for programs.
    public var code: Code
    /// What is wrong and what to do, for people: a clause that follows the name of the device.
    public var message: String
    /// The device, as its user named it; nil where none is meant.
    public var subject: String?
    /// The system call that failed; nil where none did.
    public var cause: SystemError?

    /// A failure of the kind `code`.
    public init(_ code: Code, _ message: String, subject: String? = nil, cause: SystemError? = nil) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
    }

    /// A sentence that names the device.
    public var description: String {
        if let subject { "\(subject): \(message)" } else { message }
    }

    /// A kind of failure; more may come.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// The kind of that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no camera at all.
        public static let noCamera = Code(rawValue: "no_camera")
        /// There is no such device.
        public static let notFound = Code(rawValue: "not_found")
        /// The device may not be opened by this user.
        public static let permissionDenied = Code(rawValue: "permission_denied")
        /// The file is no V4L2 device that captures frames into memory.
        public static let notACamera = Code(rawValue: "not_a_camera")
        /// Another process has the camera.
        public static let busy = Code(rawValue: "busy")
        /// The camera was unplugged.
        public static let disconnected = Code(rawValue: "disconnected")
        /// The bus has no room for the frames.
        public static let noBandwidth = Code(rawValue: "no_bandwidth")
        /// The camera offers no pixel format that can be read, or not the one that was asked for.
        public static let unsupportedFormat = Code(rawValue: "unsupported_format")
        /// There is no such control, or its value is out of range.
        public static let badControl = Code(rawValue: "bad_control")
        /// No frame came for too long.
        public static let stalled = Code(rawValue: "stalled")
        /// A recording cannot be read.
        public static let badRecording = Code(rawValue: "bad_recording")
        /// The driver answered a call with an error that has no name here.
        public static let driverFailed = Code(rawValue: "driver_failed")
    }
}

extension CaptureError {
    /// The error for a system call that answered with `number`, a positive errno.
    ///
    /// - Parameter what: what was being done, such as `open`.
    init(errno number: CInt, doing what: String, subject: String, holders: [String] = []) {
        self.init(errno: number, holders: holders, doing: what)
        self.subject = subject
        cause = SystemError(what, errno: number)
    }

    private init(errno number: CInt, holders: [String], doing what: String) {
        switch number {
        case ENOENT, ENXIO:
            self.init(.notFound, "there is no such device; --list shows those that there are")
        case EACCES, EPERM:
            self.init(.permissionDenied, "this user may not open it; add the user to the group video and log in anew")
        case EBUSY:
            let who = holders.isEmpty ? "another process" : holders.joined(separator: ", ")
            self.init(.busy, "is in use by \(who); end that first")
        case ENODEV:
            self.init(.disconnected, "is gone; is it still plugged in?")
        case ENOSPC:
            self.init(
                .noBandwidth,
                "the USB bus has no room for these frames; take a smaller --size, --format MJPG or another port")
        case ENOTTY:
            self.init(.notACamera, "is no V4L2 device")
        default:
            self.init(.driverFailed, "the driver failed to \(what): \(String(cString: strerror(number)))")
        }
    }
}
