/// A supported image format.
public struct ImageFormat: RawRepresentable, Sendable, Hashable {
    /// A short name in lower case, such as `jpeg`.
    public let rawValue: String

    /// Creates a format with a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension ImageFormat: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
