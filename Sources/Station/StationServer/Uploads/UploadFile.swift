internal import BarcodeCore
internal import Glibc
internal import HTTPTypes
internal import NIOCore
internal import NIOPosix

/// An uploaded file that exists while it is decoded; it is private, and deleted with this object.
final class UploadFile: Sendable {
    /// The path.
    let path: String
    /// The file name given by the sender; `nil` if there is none.
    let name: String?
    private let descriptor: Int32

    private let folder: UploadFolder

    /// Creates an empty file in a folder.
    init(folder: UploadFolder, name: String?) throws {
        self.folder = folder
        var template = Array("\(folder.path)/upload-XXXXXX".utf8CString)
        // mkstemp creates it with mode 0600.
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            folder.note(hasFailed: true)
            throw HTTPFailure(
                .serviceUnavailable, "no_room",
                "The uploaded picture could not be written to the temporary folder: \(String(cString: strerror(errno)))."
            )
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.name = name
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Reads up to `most` bytes, on a thread that may block on the disk.
    func bytes(atMost most: Int) async throws -> [UInt8] {
        let descriptor = descriptor
        return try await NIOThreadPool.singleton.runIfActive {
            var bytes = [UInt8](repeating: 0, count: most)
            var count = 0
            while count < most {
                let read = bytes.withUnsafeMutableBytes { bytes in
                    pread(descriptor, bytes.baseAddress.map { $0 + count }, most - count, off_t(count))
                }
                if read < 0 && errno == EINTR { continue }
                guard read > 0 else { break }
                count += read
            }
            return Array(bytes[..<count])
        }
    }

    /// Appends bytes, on a thread that may block on the disk.
    func append(_ bytes: [UInt8]) async throws {
        let descriptor = descriptor
        let failure: Int32 = try await NIOThreadPool.singleton.runIfActive {
            bytes.withUnsafeBytes { $0.write(to: descriptor) }
        }
        folder.note(hasFailed: failure != 0)
        if failure != 0 {
            throw HTTPFailure(
                .init(code: 507), "no_room",
                "The uploaded picture could not be written to the temporary folder: \(String(cString: strerror(failure)))."
            )
        }
    }
}
