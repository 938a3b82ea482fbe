extension BridgeDialect {
    /// All dialects that are known, in the order in which lists name them and `bridge.js` has them.
    public static let all: [BridgeDialect] = [
        .hospital, .promise, .wechat, .detector, .herald, .recordapp, .gun,
    ]

    /// The part of `bridge.js` that a file of `Scripts/` holds.
    init(name: String, functions: [String] = [], file: [UInt8], parse: Parser? = nil) {
        self.init(name: name, functions: functions, script: String(decoding: file, as: UTF8.self), parse: parse)
    }
}
