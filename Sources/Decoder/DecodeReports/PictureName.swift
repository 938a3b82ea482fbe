/// The name of an image: the path of a file, byte for byte.
///
/// A path on Linux is any sequence of bytes except NUL. It need not be UTF-8, so a `String` might not open the same
/// file again.
public struct PictureName: Sendable, Hashable {
    /// The bytes, without a NUL at the end.
    public let bytes: [UInt8]

    /// Creates a name from bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a name from a text in UTF-8.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Indicates whether the bytes are valid UTF-8.
    public var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// The name for people and JSON; invalid UTF-8 is replaced by U+FFFD.
    public var display: String { String(decoding: bytes, as: UTF8.self) }
}
