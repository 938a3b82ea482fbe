/// The name of a picture: the path of a file, byte for byte.
///
/// A path on Linux is any bytes but NUL. It need not be UTF-8, and a name that is kept as a `String` would not open
/// the same file again.
public struct PictureName: Sendable, Hashable {
    /// The bytes, without a NUL at the end.
    public let bytes: [UInt8]

    /// The name made of `bytes`.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The name made of the UTF-8 of a text.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Whether the bytes are UTF-8.
    public var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// The name for people and JSON; bytes that are no UTF-8 stand as U+FFFD.
    public var display: String { String(decoding: bytes, as: UTF8.self) }
}
