/// The path of names to a page's own function: `receiveScanResult` or `app.scan.done`.
enum CallbackName {
    /// The maximum length of a path, in bytes of UTF-8.
    static let maximumLength = 128

    /// Names that lead out of the page's own objects, refused anywhere in a path.
    private static let refusedAnywhere: Set<String> = ["constructor", "prototype"]
    /// The browser's own objects, including other names of the window, refused at the start of a path.
    ///
    /// The list is not complete, because only a page knows what its browser has. The code that makes the call
    /// restricts it to functions of the page, see ``PageCall/functionBody``; this check finds a mistake before
    /// anybody has scanned.
    private static let refusedFirst: Set<String> = [
        "window", "self", "globalThis", "frames", "top", "parent", "opener", "document", "location", "navigation",
        "navigator", "history", "console", "screen", "external", "chrome", "customElements", "localStorage",
        "sessionStorage", "indexedDB", "caches", "crypto", "performance", "trustedTypes", "open", "close", "alert",
        "confirm", "prompt", "print", "postMessage", "fetch", "Object", "Reflect", "Promise", "JSON", "quietzone",
    ]
    /// Functions that execute their argument or write it into the page, so that a code's content would become more
    /// than data.
    private static let refusedLast: Set<String> = [
        "eval", "Function", "execScript", "importScripts", "setTimeout", "setInterval", "setImmediate", "write",
        "writeln",
    ]

    /// Splits a path into its names.
    ///
    /// - Throws: ``BridgeError`` with the code `bad_callback` if the path is not identifiers of ASCII letters,
    ///   digits, `_` and `$` joined by dots, is too long, or has a refused name.
    static func path(_ text: String) throws(BridgeError) -> [String] {
        guard text.utf8.count <= maximumLength else {
            throw BridgeError(.badCallback, "The name of the callback is longer than \(maximumLength) characters.")
        }
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy(isIdentifier) else {
            throw BridgeError(
                .badCallback,
                "The callback must be a name such as receiveScanResult, or several joined by dots, without brackets.")
        }
        for name in names where refusedAnywhere.contains(name) || name.hasPrefix("__") {
            throw BridgeError(.badCallback, "The callback's path must not contain \(name).")
        }
        if let first = names.first, refusedFirst.contains(first) {
            throw BridgeError(
                .badCallback,
                "The callback must be a function that the page defines, but \(first) belongs to the browser.")
        }
        if let last = names.last, refusedLast.contains(last) {
            throw BridgeError(
                .badCallback, "The callback must not be \(last), which would run or write the scanned text.")
        }
        return names
    }

    /// Indicates whether a text is identifiers joined by dots.
    static func isPath(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isIdentifier(String($0)) }
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
                true
            default: false
            }
        }
    }
}
