extension PageCall {
    /// The body of a function that makes the call, for `WKWebView.callAsyncJavaScript(_:arguments:in:in:)` and
    /// WebKitGTK's `webkit_web_view_call_async_javascript_function`; always the same text.
    ///
    /// Its only argument is ``functionArguments``. It returns true if there was a function to call: one that the page
    /// defined, not one of the browser; see docs/reference/bridge.md.
    public static let functionBody = walk(json: "call") + ";return done"

    /// The argument of ``functionBody``: `call`, the call as JSON.
    ///
    /// It is a string, because every engine accepts strings.
    public var functionArguments: [String: String] { ["call": json.text] }

    /// The call as a script, for engines that only have `evaluateJavaScript`.
    ///
    /// The script is ASCII. It holds the call as one string literal for `JSON.parse`, in which everything but
    /// letters, digits, the space and `,.:[]{}_-` is written as `\uXXXX`. Nothing in it can end the literal, the line
    /// or a `<script>`. The script's value is true if there was a function to call.
    public var script: String {
        var bytes = Array("(function(call){\(Self.walk(json: "call"));return done})(".utf8)
        bytes.append(UInt8(ascii: "\""))
        for byte in json.text.utf8 {
            if Self.isPlain(byte) { bytes.append(byte) } else { UInt16(byte).writeEscape(to: &bytes) }
        }
        bytes += "\")".utf8
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The code that follows the path of names and makes the call.
    ///
    /// It has no quotes and no `<`, so that the only quotes in ``script`` are those of its literal.
    ///
    /// Like `bridge.js`, it reads no getters, only own properties of the window, and nothing of the browser's
    /// objects. It calls no function whose source is the browser's, except for the results of `bind()` or of a
    /// promise under the names of the dialects' functions.
    private static func walk(json name: String) -> String {
        """
        var c=JSON.parse(\(name)),k=c.function,o=null,f=window,done=false,\
        source=Function.prototype.toString,own=Object.getOwnPropertyDescriptor,\
        native=function(v){return /\\{\\s*\\[native code\\]\\s*\\}\\s*$/.test(source.call(v))},\
        find=function(v,n){for(var h=v;h!==null;h=Object.getPrototypeOf(h)){var d=own(h,n);\
        if(d){var m=h.constructor;return d.get||d.set||typeof m===typeof find&&own(h,/constructor/.source)\
        &&native(m)&&m.prototype===h?null:d}if(v===window)return null}return null};\
        try{for(var i=0;i!==k.length;i++){var d=Object(f)===f&&(i===0||f!==window)?find(f,k[i]):null;\
        o=f;f=d===null?null:d.value}\
        done=typeof f===typeof find&&(!native(f)||/^(bound .*)?$/.test(f.name)\
        &&/^(\(agreedNames))$/.test(k.join(/./.source)))}catch(e){}\
        if(done)f.apply(o,c.arguments)
        """
    }

    /// The names of the dialects' functions, as the alternatives of a regular expression without a backslash.
    private static let agreedNames = BridgeDialect.all.flatMap(\.functions).unique
        .map { $0.split(separator: ".").joined(separator: "[.]").split(separator: "$").joined(separator: "[$]") }
        .joined(separator: "|")

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: " ,.:[]{}_-".utf8.contains(byte)
        }
    }
}
