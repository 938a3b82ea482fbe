internal import BarcodeCore

/// A path below a folder, byte for byte: components with a slash between two, none at the ends.
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
    /// The place of a file that was deleted: one that looks like it is another file.
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

    /// Whether this is the folder, or something below it.
    func isWithin(_ folder: RelativePath) -> Bool {
        if folder.bytes.isEmpty { return true }
        guard bytes.starts(with: folder.bytes) else { return false }
        return bytes.count == folder.bytes.count || bytes[folder.bytes.count] == 0x2F
    }

    /// The path for people and logs: bytes that are no UTF-8 stand as U+FFFD, what is hidden as `\u{1b}`.
    var display: String { String(decoding: bytes, as: UTF8.self).printable }
}
