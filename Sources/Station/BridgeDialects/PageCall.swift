/// A call of a function in a page: the path of names from `window`, and the arguments.
///
/// The decoded data is in the arguments and nowhere else. To make the call, follow the names from `window` and call
/// the function found there with the arguments. A page's runtime does this itself. An app's web view uses
/// ``functionBody`` or, if its engine can only evaluate text, ``script``.
public struct PageCall: Sendable, Hashable, Encodable {
    /// The path of names from `window` to the function; at least one name.
    public var function: [String]
    /// The arguments.
    public var arguments: [JSON]

    /// Creates a call of `function` with `arguments`.
    public init(function: [String], arguments: [JSON]) {
        self.function = function
        self.arguments = arguments
    }

    /// The call as JSON: `{"arguments": [...], "function": [...]}`.
    public var json: JSON {
        ["function": .array(function.map(JSON.string)), "arguments": .array(arguments)]
    }
}
