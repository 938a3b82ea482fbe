/// An error in a configuration, in words for the person who wrote it.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, with the file and the line if they are known.
    public let description: String

    /// Creates an error with a description of the problem.
    public init(_ description: String) {
        self.description = description
    }
}
