internal import CEmbeddedFiles

extension BridgeDialect {
    /// All dialects that are known, in the order in which lists name them and `bridge.js` has them.
    public static let all: [BridgeDialect] = [
        .hospital, .promise, .wechat, .detector, .herald, .recordapp, .gun,
    ]

    /// The part of `bridge.js` that a file of `Scripts/` holds.
    init(name: String, functions: [String] = [], file: String, parse: Parser? = nil) {
        self.init(name: name, functions: functions, script: String(cString: qz_embedded_file(file)), parse: parse)
    }
}
