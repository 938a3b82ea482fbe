internal import BarcodeCore

/// An unread symbol as in JSON.
struct UnreadRecord: Codable {
    var kind: String
    var cornerPoints: [SymbolRecord.Corner]
    var moduleSize: Double
    var reason: String

    init(_ symbol: UnreadSymbol) {
        kind = symbol.kind.rawValue
        cornerPoints = symbol.corners.points.map(SymbolRecord.Corner.init)
        moduleSize = symbol.moduleSize.hundredths
        reason = symbol.reason.rawValue
    }

    /// The unread symbol of the record; missing corners are at the origin.
    var symbol: UnreadSymbol {
        UnreadSymbol(
            kind: UnreadSymbol.Kind(rawValue: kind), corners: Quadrilateral(cornerPoints), moduleSize: moduleSize,
            reason: UnreadSymbol.Reason(rawValue: reason))
    }
}
