internal import BarcodeCore

/// The change of the module size across a symbol of which both sides are known.
///
/// In a plane that is seen at an angle, t modules from a side are a t / (1 + g t) pixels away, so modules there have
/// a / (1 + g t)² pixels.
struct PDF417Foreshortening {
    /// The module size at the side, `a`, in pixels, and the change from module to module, `g`.
    private let module, growth: Double

    /// Half the width of a start or stop pattern in modules: the distance of its edge from the place at which its module
    /// size was measured.
    private static let halfPattern = 8.75
    private static let iterations = 8
    /// The ratios of the module sizes of a symbol that was measured and not mistaken.
    private static let ratios = 0.25...4

    /// Estimates the change between a side and the opposite one.
    init(from side: PDF417Side, to other: PDF417Side) {
        let ratio = side.module / other.module
        let root = min(max(ratio, Self.ratios.lowerBound), Self.ratios.upperBound).squareRoot()
        let distance = side.center.distance(to: other.center)
        let half = Self.halfPattern
        var (module, growth) = (side.module, 0.0)
        // The number of modules between the sides is unknown too.
        for _ in 0..<Self.iterations {
            module = side.module * (1 - half * growth) * (1 - half * growth)
            let modules = distance * (root - growth * half * (root + 1)) / module
            growth = (root - 1) / (max(modules, 0) + half * (root + 1))
        }
        (self.module, self.growth) = (module, growth)
    }

    /// Returns the distance from the side in pixels of a place that is some modules away from it.
    func distance(ofModules modules: Double) -> Double { module * modules / (1 + growth * modules) }
}
