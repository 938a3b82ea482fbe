internal import BarcodeCore

/// A path below a folder, byte for byte: components separated by slashes, without leading or trailing slashes.
struct RelativePath: Sendable, Hashable {
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The folder itself.
    static let root = RelativePath([])
    /// The path of a deleted file, which matches no file.
    static let deleted = root

    /// The path of an entry of this folder.
    func appending(_ name: [UInt8]) -> RelativePath {
        RelativePath(bytes.isEmpty ? name : bytes + [0x2F] + name)
    }

    var components: [[UInt8]] { bytes.split(separator: 0x2F).map(Array.init) }

    /// The last component.
    var name: [UInt8] { bytes.lastIndex(of: 0x2F).map { Array(bytes[($0 + 1)...]) } ?? bytes }

    /// The path without its last component.
    var folder: RelativePath { bytes.lastIndex(of: 0x2F).map { RelativePath(Array(bytes[..<$0])) } ?? .root }

    /// Indicates whether this is the folder or below it.
    func isWithin(_ folder: RelativePath) -> Bool {
        if folder.bytes.isEmpty { return true }
        guard bytes.starts(with: folder.bytes) else { return false }
        return bytes.count == folder.bytes.count || bytes[folder.bytes.count] == 0x2F
    }

    /// The path for people and logs.
    ///
    /// Invalid UTF-8 becomes U+FFFD, and invisible characters are escaped as `\u{1b}`.
    var display: String { String(decoding: bytes, as: UTF8.self).printable }
}
