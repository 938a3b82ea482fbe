extension BridgeDialect {
    /// `webkit.messageHandlers.heraldAppBridge.postMessage({name, ...})`.
    public static let herald = BridgeDialect(
        name: "herald", functions: ["receiveScanResult"], file: "herald.js", parse: HeraldDialect.parse)
}

/// The dialect of the Herald app: `webkit.messageHandlers.heraldAppBridge.postMessage({name, ...})`.
///
/// The app's own pages put what they want into `name` or `action` (`navigate`, `logout` and others) and are answered by
/// a script that the app runs in the page. It has no scan of its own; here `scan`, `scanCode` and `scanQRCode` ask for
/// one, and the script calls `callback` or `receiveScanResult`, with the fields and the arguments of the hospital's app.
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
