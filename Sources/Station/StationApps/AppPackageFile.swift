internal import Cryptography
internal import FoundationEssentials
internal import Glibc

/// A package that is being received: an unlinked file, which disappears with the process however that ends.
///
/// It counts and hashes the bytes, and rejects more than an app may have.
public final class AppPackageFile {
    let descriptor: Int32
    private let maximumBytes: Int
    private var hash = SHA256()
    /// The number of bytes written.
    public private(set) var count = 0

    /// Creates an empty file in an existing folder.
    ///
    /// - Throws: ``AppError`` if it cannot be created.
    public init(in folder: String, maximumBytes: Int) throws(AppError) {
        let path = folder + "/.package-" + String(UInt64.random(in: .min ... .max), radix: 36)
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AppError.disk("a file cannot be created in \(folder)", errno) }
        unlink(path)
        self.maximumBytes = maximumBytes
    }

    deinit { close(descriptor) }

    /// Appends bytes.
    ///
    /// - Throws: ``AppError`` if the size limit is exceeded, or the disk is full.
    public func append(_ bytes: [UInt8]) throws(AppError) {
        guard bytes.count <= maximumBytes - count else {
            throw AppError(.tooLarge, "the package has more than \(maximumBytes) bytes")
        }
        var written = 0
        while written < bytes.count {
            let result = bytes.withUnsafeBytes {
                write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if result < 0 && errno == EINTR { continue }
            guard result > 0 else { throw AppError.disk("the package cannot be written", errno) }
            written += result
        }
        hash.update(bytes)
        count += bytes.count
    }

    /// The SHA-256 of the bytes so far, in lower-case hexadecimal.
    public var sha256: String { hash.digest.hexadecimal }

    /// Checks the size and the hash.
    ///
    /// - Throws: ``AppError`` with the expected and the actual value.
    public func check(size: Int? = nil, sha256 expected: String? = nil) throws(AppError) {
        if let size, size != count {
            throw AppError(.mismatch, "the package has \(count) bytes instead of \(size)")
        }
        if let expected, expected.lowercased() != sha256 {
            throw AppError(.mismatch, "the package has the SHA-256 \(sha256) instead of \(expected.lowercased())")
        }
    }
}

extension AppError {
    /// Creates the error for a failed disk operation, with the system's reason.
    static func disk(_ what: String, _ number: Int32) -> AppError {
        AppError(.storage, "\(what): \(String(cString: strerror(number)))")
    }
}
