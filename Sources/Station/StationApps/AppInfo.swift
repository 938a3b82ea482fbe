internal import Cryptography
public import FoundationEssentials

/// What `info.json` says: the newest version of an app, and the package that has it.
public struct AppInfo: Sendable, Hashable, Codable {
    /// What the publisher calls the app; it is part of what is signed, so that no app can be put in another's place.
    public var name: String
    /// The version: numbers with dots between them, of which the larger one is the newer one.
    public var version: String
    /// Where the package is, relative to the file itself.
    public var url: String
    /// The bytes of the package.
    public var size: Int
    /// Its SHA-256, in hexadecimal.
    public var sha256: String
    /// The publisher's Ed25519 signature of ``signedText``, in base64.
    public var signature: String?

    /// A version of an app.
    public init(name: String, version: String, url: String, size: Int, sha256: String, signature: String? = nil) {
        (self.name, self.version, self.url, self.size) = (name, version, url, size)
        (self.sha256, self.signature) = (sha256, signature)
    }

    /// Reads the bytes of an `info.json`.
    ///
    /// - Throws: ``AppError``, when they are not such a file, or name what no app may have.
    public init(json bytes: [UInt8], limits: AppLimits = AppLimits()) throws(AppError) {
        guard bytes.count <= limits.infoBytes, let read = try? JSONDecoder().decode(AppInfo.self, from: Data(bytes))
        else {
            throw AppError(
                .invalid,
                "info.json is no JSON object with name, version, url, size and sha256 (see docs/how-to/apps.md)")
        }
        self = read
        sha256 = sha256.lowercased()
        guard AppName(rawValue: name) != nil else {
            throw AppError(
                .invalid, "info.json: the name must be 1 to 40 lower-case letters, digits and inner hyphens")
        }
        guard AppVersionNumber(version) != nil else {
            throw AppError(.invalid, "info.json: the version must be numbers with dots between them, such as 1.4.2")
        }
        guard sha256.utf8.count == 64, sha256.allSatisfy(\.isHexDigit), sha256.allSatisfy(\.isASCII) else {
            throw AppError(.invalid, "info.json: sha256 must be 64 hexadecimal digits")
        }
        guard size > 0 else { throw AppError(.invalid, "info.json: the size must be a number of bytes") }
        guard size <= limits.packageBytes else {
            throw AppError(
                .tooLarge, "the package has \(size) bytes; an app may have \(limits.packageBytes >> 20) MiB")
        }
    }

    /// What is signed: five lines, each with a line feed behind it.
    public var signedText: String { "quietzone-app\n\(name)\n\(version)\n\(size)\n\(sha256)\n" }

    /// Checks the signature against the publisher's key.
    ///
    /// - Throws: ``AppError`` unless the key's owner has signed exactly this.
    public func check(_ key: AppKey) throws(AppError) {
        guard let signature, let bytes = Data(base64Encoded: signature), key.verifies(bytes, of: signedText) else {
            throw AppError(
                .mismatch,
                signature == nil
                    ? "info.json has no signature, and this app was added with a key"
                    : "the signature of version \(version) is not that of the key that the app was added with")
        }
    }
}

/// A publisher's Ed25519 key, the public part.
public struct AppKey: Sendable, Hashable, Codable {
    /// The 32 bytes of the key.
    public let bytes: Data

    /// The key of a file in PEM, as `openssl pkey -pubout` writes it.
    ///
    /// - Throws: ``AppError``, when it holds no such key.
    public init(pem: String) throws(AppError) {
        let body = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
        // What stands before the key in its SubjectPublicKeyInfo: a sequence, the algorithm 1.3.101.112, a bit string.
        let head: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        guard pem.contains("BEGIN PUBLIC KEY"), let decoded = Data(base64Encoded: body), decoded.count == 44,
            Array(decoded.prefix(head.count)) == head
        else {
            throw AppError(
                .invalid, "the key is no public Ed25519 key in PEM: openssl pkey -in private.pem -pubout writes it")
        }
        bytes = Data(decoded.suffix(32))
    }

    func verifies(_ signature: Data, of text: String) -> Bool {
        Ed25519.isValid(Array(signature), of: Array(text.utf8), publicKey: Array(bytes))
    }
}

/// A version as numbers, so that 1.10 is newer than 1.9.
struct AppVersionNumber: Comparable {
    private let parts: [Int]

    /// Up to six numbers of up to nine digits, with dots between them.
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
