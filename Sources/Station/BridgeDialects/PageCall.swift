/// A call of a function in a page: its names from `window` on, and its arguments.
///
/// What was read is among the arguments and nowhere else. Whoever executes the call walks from `window` by the names and
/// calls what is there with the arguments; a page's runtime does so itself, an app's web view by ``functionBody`` or, in
/// an engine that can only evaluate text, by ``script``.
public struct PageCall: Sendable, Hashable, Encodable {
    /// The names from `window` to the function, at least one.
    public var function: [String]
    /// What it is called with.
    public var arguments: [JSON]

    /// A call of `function` with `arguments`.
    public init(function: [String], arguments: [JSON]) {
        self.function = function
        self.arguments = arguments
    }

    /// The call as JSON: `{"arguments": [...], "function": [...]}`.
    public var json: JSON {
        ["function": .array(function.map(JSON.string)), "arguments": .array(arguments)]
    }
}
