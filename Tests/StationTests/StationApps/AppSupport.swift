import CCrypto
import Cryptography
import FoundationEssentials
import Synchronization
import TestSupport

@testable import StationApps

/// Writes zip archives, including malformed ones.
struct ZipWriter {
    struct Item {
        var name: String
        var content: [UInt8] = []
        /// The Unix file type and permissions.
        var mode: UInt32 = 0o100644
        /// The declared size, if it differs from the real one.
        var announced: UInt32?
        var checksum: UInt32?
        var method: UInt16 = 0
        var flags: UInt16 = 0x0800
    }

    static func archive(_ items: [Item], announcedEntries: UInt16? = nil) -> [UInt8] {
        var (bytes, directory) = ([UInt8](), [UInt8]())
        func put(_ value: UInt64, _ count: Int, _ target: inout [UInt8]) {
            for index in 0..<count { target.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
        }
        for item in items {
            let start = bytes.count
            func head(_ target: inout [UInt8]) {
                put(20, 2, &target)
                put(UInt64(item.flags), 2, &target)
                put(UInt64(item.method), 2, &target)
                put(0x21_0000, 4, &target)
                put(UInt64(item.checksum ?? crc32(item.content)), 4, &target)
                put(UInt64(item.content.count), 4, &target)
                put(UInt64(item.announced ?? UInt32(item.content.count)), 4, &target)
                put(UInt64(item.name.utf8.count), 2, &target)
                put(0, 2, &target)
            }
            put(0x0403_4B50, 4, &bytes)
            head(&bytes)
            bytes += Array(item.name.utf8) + item.content
            put(0x0201_4B50, 4, &directory)
            put(0x0314, 2, &directory)
            head(&directory)
            put(0, 6, &directory)
            put(UInt64(item.mode) << 16, 4, &directory)
            put(UInt64(start), 4, &directory)
            directory += item.name.utf8
        }
        let (start, length) = (bytes.count, directory.count)
        bytes += directory
        put(0x0605_4B50, 4, &bytes)
        put(0, 4, &bytes)
        for _ in 0..<2 { put(UInt64(announcedEntries ?? UInt16(items.count)), 2, &bytes) }
        put(UInt64(length), 4, &bytes)
        put(UInt64(start), 4, &bytes)
        put(0, 2, &bytes)
        return bytes
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }
}

extension ZipWriter.Item {
    init(_ name: String, _ text: String = "x", mode: UInt32 = 0o100644) {
        self.init(name: name, content: Array(text.utf8), mode: mode)
    }
}

/// Returns a package with these pages.
func package(_ pages: (name: String, text: String)...) -> [UInt8] {
    ZipWriter.archive(pages.map { ZipWriter.Item($0.name, $0.text) })
}

/// A folder of apps, and a server with their packages.
final class TestStore: Sendable {
    let folder: TemporaryFolder
    let server = FakeServer()

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder["apps"] }
    var store: AppStore { AppStore(folder: path) }
    var updater: AppUpdater { AppUpdater(store: store, fetcher: server) }

    /// Returns the page that a station serves at a path of an app.
    func page(_ path: String = "/", of name: String = "ward", at folder: String? = nil) -> String? {
        let files = AppFiles(AppStore(folder: folder ?? self.path))
        guard let app = AppName(rawValue: name).flatMap(files.app), let file = files.file(path, of: app) else {
            return nil
        }
        return (try? String(contentsOfFile: file.path, encoding: .utf8))
    }

    /// The paths of all files below the folder.
    var files: Set<String> {
        var (found, waiting) = (Set<String>(), [""])
        while let folder = waiting.popLast() {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: path + folder)) ?? [] {
                found.insert(String((folder + "/" + name).dropFirst()))
                waiting.append(folder + "/" + name)
            }
        }
        return found
    }
}

/// A simulated server with faults, to test updates.
final class FakeServer: AppFetcher {
    struct State {
        var files: [String: [UInt8]] = [:]
        var failures: [String: AppError] = [:]
        /// The number of bytes after which the transfer of a file breaks off.
        var breaks: [String: Int] = [:]
        var asked: [String] = []
    }

    let state = Mutex(State())
    static let base = "https://oa.example/ward/"
    static let info = base + "info.json"

    subscript(_ name: String) -> [UInt8]? {
        get { state.withLock { $0.files[Self.base + name] } }
        set { state.withLock { $0.files[Self.base + name] = newValue } }
    }

    func fetch(
        _ place: String, maximumBytes: Int, into take: ([UInt8]) throws(AppError) -> Void
    ) async throws(AppError) {
        let (bytes, failure, limit) = state.withLock { state in
            state.asked.append(place)
            return (state.files[place], state.failures[place], state.breaks[place])
        }
        if let failure { throw failure }
        guard let bytes else { throw AppError(.unreachable, "\(place) answers 404") }
        guard bytes.count <= maximumBytes else { throw AppError(.tooLarge, "\(place) is too large") }
        try take(Array(bytes.prefix(limit ?? bytes.count)))
        if limit != nil { throw AppError(.unreachable, "\(place) broke off") }
    }

    /// Publishes a version.
    func publish(
        _ version: String, _ package: [UInt8], name: String = "ward", key: SigningKey? = nil,
        change: (inout AppInfo) -> Void = { _ in }
    ) throws {
        var info = AppInfo(
            name: name, version: version, url: "ward-\(version).zip", size: package.count,
            sha256: SHA256.hash(package).hexadecimal)
        if let key { info.signature = key.signature(of: info.signedText).base64EncodedString() }
        change(&info)
        self["ward-\(version).zip"] = package
        self["info.json"] = Array(try JSONEncoder().encode(info))
    }
}

extension AppStore {
    /// Installs a package, whatever version is there.
    @discardableResult func install(
        _ package: AppPackageFile, as name: AppName, version: String?, settings: InstalledApp.Settings
    ) throws(AppError) -> InstalledApp {
        try install(package, as: name, version: version, settings: settings, inPlaceOf: existing(name))
    }
}

/// A publisher's private Ed25519 key.
struct SigningKey {
    private let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max) }

    /// The public key in PEM, as written by `openssl pkey -pubout`.
    var publicPEM: String {
        let head: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        var raw = [UInt8](repeating: 0, count: 32)
        var count = raw.count
        withKey { _ = EVP_PKEY_get_raw_public_key($0, &raw, &count) }
        return "-----BEGIN PUBLIC KEY-----\n\(Data(head + raw).base64EncodedString())\n-----END PUBLIC KEY-----\n"
    }

    func signature(of text: String) -> Data {
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        withKey { key in
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            EVP_DigestSignInit(context, nil, nil, nil, key)
            EVP_DigestSign(context, &signature, &count, Array(text.utf8), text.utf8.count)
        }
        return Data(signature)
    }

    private func withKey(_ body: (OpaquePointer?) -> Void) {
        let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
        defer { EVP_PKEY_free(key) }
        body(key)
    }
}
