public import BarcodeCore

extension Symbology {
    /// The W3C's names of the supported symbologies, in the order of ``Symbology/all``; the result of
    /// `getSupportedFormats()`.
    ///
    /// Source: Accelerated Shape Detection in Images, "BarcodeFormat".
    public static let webNames: [String] = all.map(\.webName).filter { $0 != unknownWebName }.unique

    /// The W3C's name: the same as ours if both have one, `ean_13` for an ISBN of 13 digits, and `unknown` if the W3C
    /// has no name, as for DataBar.
    public var webName: String { traits.webName ?? Self.unknownWebName }

    /// Creates the symbology of a W3C name; `nil` if it is not supported, such as `rm4scc`.
    public init?(webName: String) {
        guard Self.webNames.contains(webName) else { return nil }
        self.init(rawValue: webName)
    }

    /// The W3C's name for a symbology without a name.
    public static let unknownWebName = "unknown"

    /// Indicates whether the symbology is not a matrix of modules.
    ///
    /// It is also true if the family is unknown, as for scans of a gun.
    var isLinear: Bool { traits.family != .matrix }
}

extension [String] {
    /// The distinct elements, in the order of their first occurrence.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
