internal import Cryptography
internal import FoundationEssentials
internal import Glibc

/// The secret that grants access to the station: 32 random bytes in base64url, in a file that only its owner can
/// read.
public struct AccessToken: Sendable {
    /// The text of the token; use it only for the link, never in a log.
    public let text: String
    private let digest: [UInt8]

    /// The cookie of earlier versions that held the token; it grants no access anymore.
    static let formerCookie = "quietzone_token"

    /// Creates a token from its text.
    public init(_ text: String) {
        self.text = text
        digest = SHA256.hash(text.utf8)
    }

    /// Creates a random token.
    public init() {
        self.init(Self.random())
    }

    /// Returns 32 random bytes in base64url without padding: 43 characters.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        return String(
            bytes.base64EncodedString().compactMap { character in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            } as [Character])
    }

    /// Indicates whether a text is the token, in constant time so that the duration reveals nothing.
    func matches(_ text: String) -> Bool {
        SHA256.hash(text.utf8).isEqualInConstantTime(to: digest)
    }

    /// Reads the token from a file, and creates the file if it does not exist.
    ///
    /// - Throws: ``TokenFileError`` if the file cannot be read or created, is readable by others, or has no token.
    public init(file path: String) throws(TokenFileError) {
        let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if made >= 0 {
            defer { close(made) }
            self.init()
            let bytes = Array((text + "\n").utf8)
            guard write(made, bytes, bytes.count) == bytes.count, fsync(made) == 0 else {
                let reason = String(cString: strerror(errno))
                unlink(path)
                throw TokenFileError("the token file \(path) cannot be written: \(reason)")
            }
            return
        }
        guard errno == EEXIST else {
            throw TokenFileError("the token file \(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw TokenFileError("the token file \(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & 0o077 == 0 else {
            throw TokenFileError(
                "other users can read the token file \(path): chmod 600 it, or delete it for a new token")
        }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(file, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).filter { !$0.isWhitespace }
        let isToken = (32...128).contains(text.count) && text.utf8.allSatisfy { $0.isBase64URL }
        guard isToken else {
            throw TokenFileError(
                "the token file \(path) contains no token of 32 to 128 letters, digits, - and _; "
                    + "delete it for a new token")
        }
        self.init(text)
    }
}

/// A token file that cannot be used, with a message for the person who starts the station.
public struct TokenFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The fault, the file and the remedy.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension UInt8 {
    fileprivate var isBase64URL: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
