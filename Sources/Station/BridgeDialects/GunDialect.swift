extension BridgeDialect {
    /// A scan gun in keyboard mode: pages send no request, and `receiveScanResult2(text)` gets each scan.
    public static let gun = BridgeDialect(
        name: "gun", functions: ["receiveScanResult2"], file: "gun.js")
}

extension PageCall {
    /// Returns the call for a scan of a gun, which no page requests: `receiveScanResult2(text)`.
    public static func scanGun(_ symbol: BridgeSymbol) -> PageCall {
        PageCall(function: ["receiveScanResult2"], arguments: [.string(symbol.text)])
    }
}
