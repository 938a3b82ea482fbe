internal import Glibc
internal import HTTPTypes
internal import NIOCore
internal import NIOPosix

/// A file that is somebody's picture for as long as it is looked at: nobody else's to read, gone with its owner.
final class UploadFile: Sendable {
    /// Where it is.
    let path: String
    /// What it was called by whoever sent it; nil where it had no name.
    let name: String?
    private let descriptor: Int32

    /// How many bytes wait in memory before they are written.
    private static let chunk = 256 << 10

    /// An empty file in a folder.
    init(folder: String, name: String?) throws {
        var template = Array("\(folder)/upload-XXXXXX".utf8CString)
        // mkstemp makes it with mode 0600.
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw HTTPFailure(
                .serviceUnavailable, "no_room",
                "The picture cannot be kept for the moment of its reading: \(String(cString: strerror(errno))).")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.name = name
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Writes at the end, on a thread that may wait for a disk.
    func append(_ bytes: [UInt8]) async throws {
        let descriptor = descriptor
        let failure: Int32 = try await NIOThreadPool.singleton.runIfActive {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count < 0 && errno != EINTR { return errno }
                rest = rest.dropFirst(max(0, count))
            }
            return 0
        }
        if failure != 0 {
            throw HTTPFailure(
                .init(code: 507), "no_room",
                "The picture cannot be kept for the moment of its reading: \(String(cString: strerror(failure))).")
        }
    }

    /// Makes the folder for such files, empty.
    static func prepare(folder: String) throws(UploadFolderError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw UploadFolderError("the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
        }
        guard access(folder, R_OK | W_OK | X_OK) == 0, let list = opendir(folder) else {
            throw UploadFolderError("the folder \(folder) cannot be used: \(String(cString: strerror(errno)))")
        }
        defer { closedir(list) }
        // What a process left behind that was killed.
        while let entry = readdir(list) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("upload-") { unlink("\(folder)/\(name)") }
        }
    }
}

/// A folder for uploads that cannot be used: a sentence for whoever starts the station.
public struct UploadFolderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, with the folder.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
