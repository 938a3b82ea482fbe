internal import BarcodeCore

/// Joins EAN and UPC symbols to the add-ons that stand beside them.
enum AddOnPairing {
    /// How far to the right of the main symbol's centre an add-on's may stand, in widths of the main symbol.
    ///
    /// An EAN-13 is 95 modules wide, an add-on 20 or 47, and 7 to 12 stand between them (ISO/IEC 15420, 4.5): centre
    /// to centre 65 to 83 modules, or 0.68 to 0.87 widths; for a UPC-E of 51 modules 0.83 to 1.2. zbar's places are
    /// rough, hence the margins; but an add-on that is seen inside the main symbol is none.
    private static let distances = 0.58...1.6

    /// Gives each add-on to the nearest symbol whose right side it stands on.
    ///
    /// - Returns: the add-ons that stand alone.
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

    /// How far to the right of the main symbol the add-on's centre lies, in widths of the main symbol; nil when it
    /// lies elsewhere.
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
