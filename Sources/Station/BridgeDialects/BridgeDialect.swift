/// A way in which web pages ask for a scan and are answered: a row of ``all``, or one of your own.
///
/// Whoever reads requests, puts `bridge.js` together or lists what is known asks the rows.
public struct BridgeDialect: Sendable {
    /// Reads a page's message.
    public typealias Parser = @Sendable (BridgeMessage) throws(BridgeError) -> ParsedRequest

    /// The name, as it stands in `/bridge/{name}` and in `data-dialects`: lower-case letters and digits.
    public let name: String
    /// The page's functions that this dialect calls by agreement, such as `receiveScanResult` or `App.Call`.
    ///
    /// No message chooses them, so that a page may also put there what `bind()` or a promise made.
    public let functions: [String]
    /// The dialect's part of `bridge.js`: it calls `dialect(name, {install, ...})`, see `bridge-dialects.js`.
    ///
    /// It stands in a block of its own, and may use what the other parts have.
    public let script: String
    /// Reads a page's message; nil for a dialect that sends none, such as a scan gun.
    let parse: Parser?

    /// A dialect.
    ///
    /// - Parameters:
    ///   - name: lower-case letters and digits.
    ///   - functions: names, joined by dots, of the page's functions that are called by agreement.
    ///   - script: the dialect's part of `bridge.js`; empty where only an app speaks it.
    ///   - parse: reads a page's message; nil for a dialect that sends none.
    public init(name: String, functions: [String] = [], script: String = "", parse: Parser? = nil) {
        precondition(
            !name.isEmpty && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) },
            "the name of a dialect has lower-case letters and digits")
        precondition(functions.allSatisfy(CallbackName.isPath), "a function's name is identifiers joined by dots")
        self.name = name
        self.functions = functions
        self.script = script
        self.parse = parse
    }

    /// Whether pages send requests in this dialect.
    public var takesRequests: Bool { parse != nil }
}

extension BridgeDialect: Hashable {
    /// Dialects of one name are the same.
    public static func == (one: BridgeDialect, other: BridgeDialect) -> Bool { one.name == other.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension BridgeDialect: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
