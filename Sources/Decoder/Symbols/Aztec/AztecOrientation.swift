import BarcodeCore

/// How a symbol lies in a grid: turned by quarters and, maybe, mirrored before.
struct AztecOrientation: Hashable {
    /// Quarters of a turn, clockwise: 0 to 3.
    var quarters: Int
    /// Whether columns and rows are exchanged before the turn.
    var isMirrored: Bool

    static let all: [AztecOrientation] = [false, true].flatMap { isMirrored in
        (0..<4).map { AztecOrientation(quarters: $0, isMirrored: isMirrored) }
    }

    /// Where a module of the upright symbol stands, both as distances from the centre.
    func place(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
        let (x, y) = isMirrored ? (y, x) : (x, y)
        switch quarters {
        case 1: return (-y, x)
        case 2: return (-x, -y)
        case 3: return (y, -x)
        default: return (x, y)
        }
    }

    /// The corners of the upright symbol, from those of the grid.
    func corners(_ grid: Quadrilateral) -> Quadrilateral {
        let points = grid.points
        func corner(_ index: Int) -> Point { points[((isMirrored ? 4 - index : index) + quarters) % 4] }
        return Quadrilateral(
            topLeft: corner(0), topRight: corner(1), bottomRight: corner(2), bottomLeft: corner(3))
    }
}

extension ModuleGrid {
    /// The square grid as the upright symbol has it that lies in it so.
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
