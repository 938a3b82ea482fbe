internal import BarcodeCore
internal import Glibc

extension SigningKeys {
    /// A folder that cannot be used, as a sentence that says what to do.
    public struct FolderError: Error, CustomStringConvertible {
        /// The sentence.
        public var description: String
    }

    /// Reads the public keys and certificates in a folder, each named by its file; hidden files are left out.
    ///
    /// - Parameter folder: the path of the folder, byte for byte.
    /// - Throws: ``FolderError`` if libcrypto is not installed, or the folder has no key or a file without one.
    public init(folder: [UInt8]) throws(FolderError) {
        let shownFolder = String(decoding: folder, as: UTF8.self)
        guard Self.areAvailable else {
            throw FolderError(
                description: "Signatures are checked with libcrypto 3, which is not installed: install the package "
                    + "libssl3 or libssl3t64.")
        }
        let names: [[UInt8]]
        do {
            names = try FolderNames.all(in: folder)
        } catch {
            throw FolderError(description: "The folder of keys \(shownFolder) cannot be read: \(error.reason).")
        }
        self.init()
        for name in names where name.first != UInt8(ascii: ".") {
            let path = folder + [UInt8(ascii: "/")] + name
            let shown = String(decoding: path, as: UTF8.self)
            guard let bytes = Self.bytes(of: path) else {
                throw FolderError(
                    description: "The key \(shown) cannot be read: \(String(cString: strerror(errno))). "
                        + "Take it out of the folder, or make it readable.")
            }
            guard bytes.count <= Self.maximumBytes, add(bytes, named: String(decoding: name, as: UTF8.self)) else {
                throw FolderError(
                    description: "\(shown) is neither a public key nor a certificate of RSA, an elliptic curve or DSA, "
                        + "in PEM or DER. Take it out of the folder of keys.")
            }
        }
        guard count > 0 else {
            throw FolderError(description: "There is no key in the folder \(shownFolder). Put one there.")
        }
    }

    /// The bytes of a file, at most one more than the limit; `nil` if it cannot be read.
    private static func bytes(of path: [UInt8]) -> [UInt8]? {
        // Without blocking, because a named pipe would wait for its writer.
        let descriptor = path.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
        var size = 0
        while size < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress?.advanced(by: size), $0.count - size)
            }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            size += count
        }
        return Array(bytes.prefix(size))
    }
}
