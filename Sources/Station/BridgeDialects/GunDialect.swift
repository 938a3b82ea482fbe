extension BridgeDialect {
    /// A scan gun, which is a keyboard: no page asks for it, and `receiveScanResult2(text)` hears of it.
    public static let gun = BridgeDialect(
        name: "gun", functions: ["receiveScanResult2"], file: "gun.js")
}

extension PageCall {
    /// What a scan gun says to the page: `receiveScanResult2(text)`, which no page asks for.
    public static func scanGun(_ symbol: BridgeSymbol) -> PageCall {
        PageCall(function: ["receiveScanResult2"], arguments: [.string(symbol.text)])
    }
}
