internal import BarcodeCore

/// A spatial index of components, by cells of the image.
struct ComponentIndex {
    /// The side of a cell, in pixels.
    private static let cell = 16.0

    private var cells: [Int64: [Int]] = [:]

    init(_ components: [ConnectedComponents.Component]) {
        for (index, component) in components.enumerated() {
            cells[Self.key(Int(component.center.x / Self.cell), Int(component.center.y / Self.cell)), default: []]
                .append(index)
        }
    }

    private static func key(_ x: Int, _ y: Int) -> Int64 { Int64(y) << 32 | Int64(x) }

    /// The indices of all components within a distance of a point, and of some farther ones.
    func near(_ point: Point, reach: Double) -> [Int] {
        func cells(around value: Double) -> ClosedRange<Int> {
            let low = Int(min(max(0, (value - reach) / Self.cell), 1e6))
            return low...max(low, Int(min(max(0, (value + reach) / Self.cell), 1e6)))
        }
        guard point.x.isFinite, point.y.isFinite else { return [] }
        var found: [Int] = []
        for y in cells(around: point.y) {
            for x in cells(around: point.x) { found += self.cells[Self.key(x, y)] ?? [] }
        }
        return found
    }
}
