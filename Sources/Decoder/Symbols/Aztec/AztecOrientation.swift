import BarcodeCore

/// The orientation of a symbol in a grid: a rotation by quarter turns, after an optional mirroring.
struct AztecOrientation: Hashable {
    /// The number of quarter turns, clockwise: 0 to 3.
    var quarters: Int
    /// True if columns and rows are exchanged before the rotation.
    var isMirrored: Bool

    static let all: [AztecOrientation] = [false, true].flatMap { isMirrored in
        (0..<4).map { AztecOrientation(quarters: $0, isMirrored: isMirrored) }
    }

    /// Maps a module of the upright symbol to the grid.
    ///
    /// Both coordinates are offsets from the center, in modules.
    func place(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
        let (x, y) = isMirrored ? (y, x) : (x, y)
        switch quarters {
        case 1: return (-y, x)
        case 2: return (-x, -y)
        case 3: return (y, -x)
        default: return (x, y)
        }
    }

    /// Returns the corners of the upright symbol, from the corners of the grid.
    func corners(_ grid: Quadrilateral) -> Quadrilateral {
        let points = grid.points
        func corner(_ index: Int) -> Point { points[((isMirrored ? 4 - index : index) + quarters) % 4] }
        return Quadrilateral(
            topLeft: corner(0), topRight: corner(1), bottomRight: corner(2), bottomLeft: corner(3))
    }
}

extension ModuleGrid {
    /// Returns the grid of the upright symbol, for a symbol in a given orientation in this square grid.
    func upright(_ orientation: AztecOrientation) -> ModuleGrid {
        guard orientation != AztecOrientation(quarters: 0, isMirrored: false) else { return self }
        var result = self
        let middle = size / 2
        for y in 0..<size {
            for x in 0..<size {
                let place = orientation.place(x - middle, y - middle)
                let source = (place.y + middle) * size + place.x + middle
                result.modules[y * size + x] = modules[source]
                if !confidences.isEmpty { result.confidences[y * size + x] = confidences[source] }
            }
        }
        return result
    }
}
