/// A configuration that cannot be used: a sentence for whoever wrote it.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, with the file and the line where that is known.
    public let description: String

    /// The configuration is wrong in this way.
    public init(_ description: String) {
        self.description = description
    }
}
