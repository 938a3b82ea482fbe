internal import BarcodeCore

/// Pairs EAN and UPC symbols with the add-ons beside them.
enum AddOnPairing {
    /// The distance from the main symbol's center to that of an add-on on its right, in widths of the main symbol.
    ///
    /// An EAN-13 is 95 modules wide, an add-on 20 or 47, with 7 to 12 between them (ISO/IEC 15420, 4.5). The
    /// centers are 65 to 83 modules apart, or 0.68 to 0.87 widths; for a UPC-E of 51 modules, 0.83 to 1.2. The
    /// range has a margin, because zbar's locations are rough; but a result inside the main symbol is not an
    /// add-on.
    private static let distances = 0.58...1.6

    /// Assigns each add-on to the nearest symbol on its left.
    ///
    /// - Returns: the add-ons without a symbol.
    static func join(_ addOns: [Reading], to symbols: inout [Reading]) -> [Reading] {
        var lonely: [Reading] = []
        for addOn in addOns {
            let candidates = symbols.indices.compactMap { index -> (index: Int, distance: Double)? in
                guard Symbology.retail.contains(symbols[index].symbology), symbols[index].addOn == nil,
                    let distance = distance(of: addOn, rightOf: symbols[index].corners)
                else { return nil }
                return (index, distance)
            }
            if let nearest = candidates.min(by: { $0.distance < $1.distance }) {
                symbols[nearest.index].addOn = addOn.bytes
            } else {
                lonely.append(addOn)
            }
        }
        return lonely
    }

    /// Returns the distance of the add-on's center to the right of the main symbol's, in widths of the main symbol;
    /// `nil` if it is elsewhere.
    private static func distance(of addOn: Reading, rightOf main: Quadrilateral) -> Double? {
        let across = Point(x: main.topRight.x - main.topLeft.x, y: main.topRight.y - main.topLeft.y)
        let down = Point(x: main.bottomLeft.x - main.topLeft.x, y: main.bottomLeft.y - main.topLeft.y)
        let width = (across.x * across.x + across.y * across.y).squareRoot()
        let height = (down.x * down.x + down.y * down.y).squareRoot()
        guard width > 0, height > 0 else { return nil }
        let offset = Point(x: addOn.corners.center.x - main.center.x, y: addOn.corners.center.y - main.center.y)
        let right = (offset.x * across.x + offset.y * across.y) / width
        let below = (offset.x * down.x + offset.y * down.y) / height
        guard distances.contains(right / width), abs(below) < max(height, width / 2) else { return nil }
        return right / width
    }
}
