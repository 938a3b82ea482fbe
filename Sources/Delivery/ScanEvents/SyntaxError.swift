/// An error in a template or a pattern: a clause for the person who wrote it.
public struct SyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem with the text.
    public let description: String

    /// Creates an error with a description of the problem.
    public init(_ description: String) {
        self.description = description
    }
}
