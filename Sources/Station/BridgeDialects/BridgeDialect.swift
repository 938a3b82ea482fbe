/// A protocol in which web pages request a scan and get the answer: a row of ``all``, or one of your own.
///
/// The request parser, the assembly of `bridge.js` and the lists of dialects all read these rows.
public struct BridgeDialect: Sendable {
    /// Parses a page's message.
    public typealias Parser = @Sendable (BridgeMessage) throws(BridgeError) -> ParsedRequest

    /// The name, as in `/bridge/{name}` and `data-dialects`: lower-case letters and digits.
    public let name: String
    /// The page's functions that this dialect calls by convention, such as `receiveScanResult` or `App.Call`.
    ///
    /// The page's message does not choose them, so a page may also define them with `bind()` or a promise.
    public let functions: [String]
    /// The dialect's part of `bridge.js`: it calls `dialect(name, {install, ...})`, see `bridge-dialects.js`.
    ///
    /// It has a block scope of its own and may use the definitions of the other parts.
    public let script: String
    /// Parses a page's message; `nil` for a dialect without requests, such as a scan gun.
    let parse: Parser?

    /// Creates a dialect.
    ///
    /// - Parameters:
    ///   - name: lower-case letters and digits.
    ///   - functions: the page's functions that are called by convention, as names joined by dots.
    ///   - script: the dialect's part of `bridge.js`; empty if only an app speaks the dialect.
    ///   - parse: parses a page's message; `nil` for a dialect without requests.
    public init(name: String, functions: [String] = [], script: String = "", parse: Parser? = nil) {
        precondition(
            !name.isEmpty && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) },
            "the name of a dialect consists of lower-case letters and digits")
        precondition(
            functions.allSatisfy(CallbackName.isPath), "the name of a function consists of identifiers joined by dots")
        self.name = name
        self.functions = functions
        self.script = script
        self.parse = parse
    }

    /// Indicates whether pages send requests in this dialect.
    public var takesRequests: Bool { parse != nil }
}

extension BridgeDialect: Hashable {
    /// Compares the names only.
    public static func == (one: BridgeDialect, other: BridgeDialect) -> Bool { one.name == other.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension BridgeDialect: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
