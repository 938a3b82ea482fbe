internal import Cryptography
public import FoundationEssentials

/// The content of `info.json`: the newest version of an app, and its package.
public struct AppInfo: Sendable, Hashable, Codable {
    /// The publisher's name of the app.
    ///
    /// It is part of the signed text, so that one app cannot replace another.
    public var name: String
    /// The version: numbers joined by dots; the larger one is newer.
    public var version: String
    /// The location of the package, relative to `info.json`.
    public var url: String
    /// The size of the package, in bytes.
    public var size: Int
    /// The SHA-256 of the package, in hexadecimal.
    public var sha256: String
    /// The publisher's Ed25519 signature of ``signedText``, in base64; `nil` if it is not signed.
    public var signature: String?

    /// Creates the info of a version.
    public init(name: String, version: String, url: String, size: Int, sha256: String, signature: String? = nil) {
        (self.name, self.version, self.url, self.size) = (name, version, url, size)
        (self.sha256, self.signature) = (sha256, signature)
    }

    /// Parses an `info.json`.
    ///
    /// - Throws: ``AppError`` without the name of the file if the bytes are not such a file, or a value exceeds the
    ///   limits of an app.
    public init(json bytes: [UInt8], limits: AppLimits = AppLimits()) throws(AppError) {
        guard bytes.count <= limits.infoBytes, let read = try? JSONDecoder().decode(AppInfo.self, from: Data(bytes))
        else {
            throw AppError(
                .invalid,
                "it is not a JSON object with name, version, url, size and sha256, as info.json is; the name of a "
                    + "package ends in .zip (see docs/how-to/apps.md)")
        }
        self = read
        sha256 = sha256.lowercased()
        guard AppName(rawValue: name) != nil else {
            throw AppError(
                .invalid, "the name must be 1 to 40 lower-case letters, digits and inner hyphens")
        }
        guard AppVersionNumber(version) != nil else {
            throw AppError(.invalid, "the version must be numbers with dots between them, such as 1.4.2")
        }
        guard sha256.utf8.count == 64, sha256.allSatisfy(\.isHexDigit), sha256.allSatisfy(\.isASCII) else {
            throw AppError(.invalid, "sha256 must be 64 hexadecimal digits")
        }
        guard size > 0 else { throw AppError(.invalid, "the size must be a number of bytes") }
        guard size <= limits.packageBytes else {
            throw AppError(
                .tooLarge, "the package has \(size) bytes; the limit is \(limits.packageBytes >> 20) MiB")
        }
    }

    /// The text to sign: five lines, each ending with a line feed.
    public var signedText: String { "quietzone-app\n\(name)\n\(version)\n\(size)\n\(sha256)\n" }

    /// Verifies the signature with the publisher's key.
    ///
    /// - Throws: ``AppError`` unless the owner of the key has signed exactly this text.
    public func check(_ key: AppKey) throws(AppError) {
        guard let signature, let bytes = Data(base64Encoded: signature), key.verifies(bytes, of: signedText) else {
            throw AppError(
                .mismatch,
                signature == nil
                    ? "info.json has no signature, and this app was added with a key"
                    : "the signature of version \(version) does not match the key that the app was added with")
        }
    }
}

/// A publisher's public Ed25519 key.
public struct AppKey: Sendable, Hashable, Codable {
    /// The 32 bytes of the key.
    public let bytes: Data

    /// Creates the key from a PEM file, as written by `openssl pkey -pubout`.
    ///
    /// - Throws: ``AppError`` if it has no such key.
    public init(pem: String) throws(AppError) {
        let body = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
        // The DER prefix of the SubjectPublicKeyInfo: a sequence, the algorithm 1.3.101.112, a bit string.
        let head: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        guard pem.contains("BEGIN PUBLIC KEY"), let decoded = Data(base64Encoded: body), decoded.count == 44,
            Array(decoded.prefix(head.count)) == head
        else {
            throw AppError(
                .invalid, "the key is not a public Ed25519 key in PEM: openssl pkey -in private.pem -pubout writes it")
        }
        bytes = Data(decoded.suffix(32))
    }

    func verifies(_ signature: Data, of text: String) -> Bool {
        Ed25519.isValid(Array(signature), of: Array(text.utf8), publicKey: Array(bytes))
    }
}

/// A version as a list of numbers, so that 1.10 is newer than 1.9.
struct AppVersionNumber: Comparable {
    private let parts: [Int]

    /// Parses up to six numbers of up to nine digits, joined by dots; `nil` for any other text.
    init?(_ text: String) {
        let words = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = words.compactMap { word -> Int? in
            guard (1...9).contains(word.utf8.count), word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            return Int(word)
        }
        guard numbers.count == words.count, (1...6).contains(numbers.count) else { return nil }
        parts = numbers.reversed().drop { $0 == 0 }.reversed()
    }

    static func < (one: AppVersionNumber, other: AppVersionNumber) -> Bool {
        one.parts.lexicographicallyPrecedes(other.parts)
    }
}
