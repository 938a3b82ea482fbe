internal import CEmbeddedFiles

extension BridgeDialect {
    /// All known dialects, in the order of lists and of `bridge.js`.
    public static let all: [BridgeDialect] = [
        .hospital, .promise, .wechat, .detector, .herald, .recordapp, .gun,
    ]

    /// Creates a dialect whose part of `bridge.js` is the embedded file `file` of `Scripts/`.
    init(name: String, functions: [String] = [], file: String, parse: Parser? = nil) {
        self.init(name: name, functions: functions, script: String(cString: qz_embedded_file(file)), parse: parse)
    }
}
