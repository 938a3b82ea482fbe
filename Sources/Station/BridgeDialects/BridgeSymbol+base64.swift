internal import FoundationEssentials

extension BridgeSymbol {
    /// ``bytes`` as base64.
    var base64: String { Data(bytes).base64EncodedString() }
}
