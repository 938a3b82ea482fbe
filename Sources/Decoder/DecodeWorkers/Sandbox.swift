internal import CLinux
public import DecodeReports
internal import Glibc
internal import ImageCodecs

/// The sandbox of a process that decodes images, which limits what an attacker can do with a fault in a codec.
///
/// A seccomp filter allows the system calls of codecs: no programs, no processes, no network, no writing of files.
/// Landlock restricts the files that can be opened.
public enum Sandbox {
    /// Folders to which a worker is restricted by Landlock.
    public struct Folders: Sendable, Hashable {
        /// The value of ``pictures`` for workers that open no images: their bytes or open files are passed to them.
        public static let noFolder = "/dev/null"

        /// The only folder whose images are read; `nil` for images anywhere.
        public var pictures: String?
        /// The only folder in which annotated images are written; `nil` for none.
        ///
        /// On a kernel without Landlock none are written if there is a folder of pictures too, and anywhere otherwise.
        public var annotations: String?

        /// Creates folders.
        public init(pictures: String? = nil, annotations: String? = nil) {
            self.pictures = pictures
            self.annotations = annotations
        }

        /// Indicates whether a worker may only open some files.
        var areRestricted: Bool { pictures != nil || annotations != nil }

        /// Indicates whether a worker may write only if Landlock holds it to the folder of annotated images.
        ///
        /// Without it, a worker that reads the images of others would be able to change them.
        var needLandlockToWrite: Bool { pictures != nil && pictures != Self.noFolder }
    }

    /// Indicates whether workers on this machine get their filter of system calls.
    ///
    /// If false, libseccomp is missing, or the kernel or a container does not allow filters.
    public static var filtersSystemCalls: Bool { qz_sandbox_can_filter_calls() != 0 }

    /// Indicates whether the kernel has Landlock.
    public static var restrictsFiles: Bool { qz_sandbox_can_restrict_paths() != 0 }

    /// Puts this process into the sandbox, as far as the machine supports it.
    static func enter(_ folders: Folders) {
        var isRestricted = false
        if folders.areRestricted, restrictsFiles {
            isRestricted = withPrograms { qz_sandbox_restrict_paths(folders.pictures, folders.annotations, $0) } != 0
            if !isRestricted { say("decoding without restricted files, because Landlock failed") }
        }
        startHelper()
        let writes = folders.annotations != nil && (isRestricted || !folders.needLandlockToWrite)
        if qz_sandbox_filter_calls(writes ? 1 : 0, 0) == 0 {
            // The pool logs it; this is for a worker that another program starts.
            say("decoding without a filter of system calls, because seccomp or libseccomp is missing")
        }
    }

    /// Puts this process into the sandbox for the only image that it decodes, as far as the machine supports it.
    ///
    /// Call it while the process has one thread, and before the image is opened. A forbidden system call raises SIGSYS,
    /// so that the process can report the image as it does after a crash.
    ///
    /// - Parameters:
    ///   - picture: the only file that is read, besides libraries and fonts; `nil` for standard input.
    ///   - annotations: the only folder in which files are written; `nil` for none.
    ///   - mayBeDocument: true if the image may need the programs that render documents.
    public static func enter(forOnly picture: PictureName?, annotations: PictureName?, mayBeDocument: Bool) {
        let readable = cString(picture ?? PictureName("/dev/null"))
        let writable = annotations.map(cString)
        // If it fails, the filter still applies.
        _ = withPrograms { qz_sandbox_restrict_paths(readable, writable, $0) }
        if mayBeDocument { startHelper() }
        _ = qz_sandbox_filter_calls(annotations == nil ? 0 : 1, 1)
    }

    private static func cString(_ name: PictureName) -> [CChar] { name.bytes.map(CChar.init(bitPattern:)) + [0] }

    /// Starts the helper, which starts the programs that render documents: in the sandbox this process cannot.
    private static func startHelper() {
        // The helper has its own copy of the names. A failure shows when a document is rendered; other images need no
        // helper.
        _ = withPrograms { qz_helper_start($0) }
    }

    /// Calls `body` with the names of the programs that render documents, which end with `nil`.
    private static func withPrograms(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> CInt) -> CInt {
        let names = DocumentPrograms.names.map { strdup($0) }
        defer { for name in names { free(name) } }
        let programs = names.map { UnsafePointer<CChar>($0) } + [nil]
        return programs.withUnsafeBufferPointer { programs in programs.baseAddress.map(body) ?? -1 }
    }

    private static func say(_ words: String) {
        try? BlockingLineWriter.write(Array("\(words)\n".utf8), to: STDERR_FILENO)
    }
}
