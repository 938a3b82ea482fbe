extension PageCall {
    /// The body of a function that makes the call, for `WKWebView.callAsyncJavaScript(_:arguments:in:in:)` and WebKitGTK's
    /// `webkit_web_view_call_async_javascript_function`; always the same text.
    ///
    /// Its only argument is ``functionArguments``. The result is whether there was a function to call.
    public static let functionBody = walk(json: "call") + ";return done"

    /// The argument of ``functionBody``: `call`, the call as JSON.
    ///
    /// A string, because that is what every engine takes.
    public var functionArguments: [String: String] { ["call": json.text] }

    /// The call as a script, for engines that have nothing but `evaluateJavaScript`.
    ///
    /// It is ASCII. The call stands in it as one string literal, handed to `JSON.parse`, in which everything but letters,
    /// digits, the space and `,.:[]{}_-` is written as `\uXXXX`: nothing in it can end the literal, the line or a
    /// `<script>`. Its value is whether there was a function to call.
    public var script: String {
        var bytes = Array("(function(call){\(Self.walk(json: "call"));return done})(".utf8)
        bytes.append(UInt8(ascii: "\""))
        for byte in json.text.utf8 {
            if Self.isPlain(byte) { bytes.append(byte) } else { UInt16(byte).writeEscape(to: &bytes) }
        }
        bytes += "\")".utf8
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Goes by the names and calls; free of quotes and of `<`, so that ``script`` has those of its literal alone.
    private static func walk(json name: String) -> String {
        "var c=JSON.parse(\(name)),n=c.function.pop(),"
            + "o=c.function.reduce(function(o,k){return o==null?o:o[k]},window),"
            + "f=o==null?o:o[n],done=!!(f&&f.apply);if(done)f.apply(o,c.arguments)"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: " ,.:[]{}_-".utf8.contains(byte)
        }
    }
}
