extension BridgeDialect {
    /// `webkit.messageHandlers.heraldAppBridge.postMessage({name, ...})`.
    public static let herald = BridgeDialect(
        name: "herald", functions: ["receiveScanResult"], file: "herald.js", parse: HeraldDialect.parse)
}

/// The dialect of the Herald app: `webkit.messageHandlers.heraldAppBridge.postMessage({name, ...})`.
///
/// The app's own pages put a command into `name` or `action` (`navigate`, `logout` and others), and the app answers
/// with a script that it runs in the page. The app has no scan command. Here `scan`, `scanCode` and `scanQRCode`
/// request one, and the script calls `callback` or `receiveScanResult`, with the fields and arguments of the hospital
/// dialect.
enum HeraldDialect {
    private static let names: Set<String> = ["scan", "scancode", "scanqrcode"]

    static func parse(_ message: BridgeMessage) throws(BridgeError) -> ParsedRequest {
        let (action, name) = (try message.text("action"), try message.text("name"))
        guard names.contains((action ?? name ?? "").lowercased()) else {
            throw BridgeError(
                .unknownMessage, "Unknown name; heraldAppBridge supports scan, scanCode and scanQRCode.")
        }
        return try ParsedRequest(message, reply: HospitalDialect.function(message))
    }
}
