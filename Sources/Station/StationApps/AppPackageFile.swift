internal import Cryptography
internal import FoundationEssentials
internal import Glibc

/// A package on its way to the disk: a file without a name, which is gone with the process whatever ends it.
///
/// It counts and hashes what is written, and refuses more than an app may have.
public final class AppPackageFile {
    let descriptor: Int32
    private let maximumBytes: Int
    private var hash = SHA256()
    /// The bytes that were written.
    public private(set) var count = 0

    /// An empty file in a folder that is there.
    ///
    /// - Throws: ``AppError``, when it cannot be made.
    public init(in folder: String, maximumBytes: Int) throws(AppError) {
        let path = folder + "/.package-" + String(UInt64.random(in: .min ... .max), radix: 36)
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AppError.disk("a file cannot be made in \(folder)", errno) }
        unlink(path)
        self.maximumBytes = maximumBytes
    }

    deinit { close(descriptor) }

    /// Writes what follows.
    ///
    /// - Throws: ``AppError``, when it is more than an app may have, or the disk is full.
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

    /// The SHA-256 of what was written, in lower-case hexadecimal.
    public var sha256: String { hash.digest.hexadecimal }

    /// Checks that it is what was named.
    ///
    /// - Throws: ``AppError``, with what it should be and what it is.
    public func check(size: Int? = nil, sha256 expected: String? = nil) throws(AppError) {
        if let size, size != count {
            throw AppError(.mismatch, "the package has \(count) bytes and should have \(size)")
        }
        if let expected, expected.lowercased() != sha256 {
            throw AppError(.mismatch, "the package has the SHA-256 \(sha256) and should have \(expected.lowercased())")
        }
    }
}

extension AppError {
    /// What the disk refused, with the system's reason.
    static func disk(_ what: String, _ number: Int32) -> AppError {
        AppError(.storage, "\(what): \(String(cString: strerror(number)))")
    }
}
