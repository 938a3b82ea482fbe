import ArgumentParser
import DecodeReports
import Glibc
import SymbolContent

/// A folder of public keys and certificates that check the signatures of messages.
enum KeyFolder {
    /// The largest size of a file, in bytes; a certificate has one or two thousand.
    private static let maximumBytes = 65_536

    /// Reads the keys in a folder, each named by its file; hidden files are left out.
    static func keys(in argument: String) throws -> SigningKeys {
        let folder = RawArguments.name(argument)
        guard SigningKeys.areAvailable else {
            throw ValidationError(
                "--keys needs libcrypto 3, which is not installed: install the package libssl3 or libssl3t64.")
        }
        guard let names = Folder.entries(of: folder.bytes) else {
            throw ValidationError("The folder of --keys, \(folder.display), cannot be read: \(ErrorNumber.text).")
        }
        var keys = SigningKeys()
        for name in names where name.first != UInt8(ascii: ".") {
            let path = folder.bytes + [UInt8(ascii: "/")] + name
            let shown = String(decoding: path, as: UTF8.self)
            guard let bytes = bytes(of: path) else {
                throw ValidationError("\(shown) cannot be read: \(ErrorNumber.text). Give a folder of keys to --keys.")
            }
            guard bytes.count <= maximumBytes, keys.add(bytes, named: String(decoding: name, as: UTF8.self)) else {
                throw ValidationError(
                    "\(shown) is neither a public key nor a certificate of RSA, an elliptic curve or DSA, in PEM or DER. "
                        + "Take it out of the folder of --keys.")
            }
        }
        guard keys.count > 0 else {
            throw ValidationError("There is no key in the folder of --keys, \(folder.display).")
        }
        return keys
    }

    /// Returns the bytes of a file, at most one more than the limit; `nil` if it cannot be read.
    private static func bytes(of path: [UInt8]) -> [UInt8]? {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
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
