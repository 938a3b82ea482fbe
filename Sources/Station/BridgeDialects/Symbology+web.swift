public import BarcodeCore

extension Symbology {
    /// The W3C's names for what can be read, in the order of ``Symbology/all``: what `getSupportedFormats()` says.
    ///
    /// Source: Accelerated Shape Detection in Images, "BarcodeFormat".
    public static let webNames: [String] = all.map(\.webName).filter { $0 != unknownWebName }.unique

    /// The W3C's name: the same as ours where both have one, `ean_13` for an ISBN of 13 digits, `unknown` for what the
    /// W3C has no name for, such as DataBar.
    public var webName: String { traits.webName ?? Self.unknownWebName }

    /// The symbology of one of the W3C's names; nil for those that cannot be read, such as `rm4scc`.
    public init?(webName: String) {
        guard Self.webNames.contains(webName) else { return nil }
        self.init(rawValue: webName)
    }

    /// The W3C's name for a symbol whose kind has no name.
    public static let unknownWebName = "unknown"

    /// Bars, and not a field of modules; of what a scan gun typed nobody knows.
    var isLinear: Bool { traits.family != .matrix }
}

extension [String] {
    /// Each element once, in the order of the first.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
