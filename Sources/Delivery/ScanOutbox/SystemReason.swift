internal import FoundationEssentials
internal import Glibc

/// System error messages for the errors of FoundationEssentials, whose own descriptions are meant for programmers.
public enum SystemReason {
    /// The reason of a file error.
    public static func words(for error: any Error) -> String {
        guard let error = error as? CocoaError else { return "an unexpected error" }
        if let system = error.underlying as? POSIXError { return String(cString: strerror(system.code.rawValue)) }
        switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: return String(cString: strerror(ENOENT))
        case .fileWriteNoPermission, .fileReadNoPermission: return String(cString: strerror(EACCES))
        case .fileWriteOutOfSpace: return String(cString: strerror(ENOSPC))
        case .fileWriteVolumeReadOnly: return String(cString: strerror(EROFS))
        case .fileWriteFileExists: return String(cString: strerror(EEXIST))
        default: return "the system denied it"
        }
    }
}
