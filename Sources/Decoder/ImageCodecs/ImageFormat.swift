/// A format of pictures that can be read.
public struct ImageFormat: RawRepresentable, Sendable, Hashable {
    /// A short name in lower case, such as `jpeg`.
    public let rawValue: String

    /// The format of that name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension ImageFormat: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
