public import BarcodeCore
internal import Glibc

/// A failure to use a camera.
public struct CaptureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, for programs.
    public var code: Code
    /// The problem and the remedy, for people: a clause that follows the name of the device.
    public var message: String
    /// The device, as the user named it; `nil` if the error is about no device.
    public var subject: String?
    /// The system call that failed; `nil` if none did.
    public var cause: SystemError?

    /// Creates an error.
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

    /// A kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No camera was found.
        public static let noCamera = Code(rawValue: "no_camera")
        /// The device does not exist.
        public static let notFound = Code(rawValue: "not_found")
        /// This user has no permission to open the device.
        public static let permissionDenied = Code(rawValue: "permission_denied")
        /// The file is not a V4L2 device that streams frames into memory.
        public static let notACamera = Code(rawValue: "not_a_camera")
        /// Another process uses the camera.
        public static let busy = Code(rawValue: "busy")
        /// The camera was unplugged.
        public static let disconnected = Code(rawValue: "disconnected")
        /// The USB bus has not enough bandwidth for the frames.
        public static let noBandwidth = Code(rawValue: "no_bandwidth")
        /// The camera offers no supported pixel format, or not the requested one.
        public static let unsupportedFormat = Code(rawValue: "unsupported_format")
        /// The control does not exist, or its value is out of range.
        public static let badControl = Code(rawValue: "bad_control")
        /// No frame came for too long.
        public static let stalled = Code(rawValue: "stalled")
        /// A recording cannot be read.
        public static let badRecording = Code(rawValue: "bad_recording")
        /// The text of a command or address is invalid.
        public static let badCommand = Code(rawValue: "bad_command")
        /// The program of a camera could not be started, or has ended.
        public static let programFailed = Code(rawValue: "program_failed")
        /// The program of a camera writes no frames that can be read.
        public static let badStream = Code(rawValue: "bad_stream")
        /// The driver failed a call with an error that has no code of its own.
        public static let driverFailed = Code(rawValue: "driver_failed")
    }
}

extension CaptureError {
    /// Creates an error for a failed system call.
    ///
    /// - Parameters:
    ///   - number: the positive errno.
    ///   - what: the action that failed, such as `open`.
    init(errno number: CInt, doing what: String, subject: String, holders: [String] = []) {
        self.init(errno: number, holders: holders, doing: what)
        self.subject = subject
        cause = SystemError(what, errno: number)
    }

    private init(errno number: CInt, holders: [String], doing what: String) {
        switch number {
        case ENOENT, ENXIO:
            self.init(.notFound, "there is no such device; decode-camera --list shows the cameras")
        case EACCES, EPERM:
            self.init(.permissionDenied, "permission denied; add this user to the group video and log in again")
        case EBUSY:
            let who = holders.isEmpty ? "another process" : holders.joined(separator: ", ")
            self.init(.busy, "is in use by \(who); stop it first")
        case ENODEV:
            self.init(.disconnected, "was disconnected; check that it is plugged in")
        case ENOSPC:
            self.init(
                .noBandwidth,
                "the USB bus has not enough bandwidth for these frames; use a smaller size, the format MJPG or another "
                    + "port"
            )
        case ENOTTY:
            self.init(.notACamera, "is not a V4L2 device")
        default:
            self.init(.driverFailed, "the driver failed to \(what): \(String(cString: strerror(number)))")
        }
    }
}
