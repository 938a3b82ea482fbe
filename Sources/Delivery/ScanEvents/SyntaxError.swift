/// A template or a pattern that cannot be used: a clause for whoever wrote it.
public struct SyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with the text.
    public let description: String

    /// The text is wrong in this way.
    public init(_ description: String) {
        self.description = description
    }
}
