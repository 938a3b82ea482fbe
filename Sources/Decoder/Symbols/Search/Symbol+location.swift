internal import BarcodeCore

extension Symbol {
    /// Indicates whether two readings are of one symbol: the same message at the same location, or with overlapping
    /// outlines, since two symbols never overlap.
    func isSameSymbol(as other: Symbol) -> Bool {
        symbology == other.symbology && bytes == other.bytes
            && (isAtSameLocation(as: other) || corners.overlaps(other.corners) || other.corners.overlaps(corners))
    }

    /// Indicates whether two readings are different EAN or UPC numbers at one location.
    func contradicts(_ other: Symbol) -> Bool {
        Symbology.retail.contains(symbology) && Symbology.retail.contains(other.symbology) && bytes != other.bytes
            && isAtSameLocation(as: other)
    }

    /// Indicates whether two readings of the built-in linear reader are different messages of one symbol.
    func isOtherMessage(than other: Symbol) -> Bool {
        symbology == other.symbology && LinearReader.supportedSymbologies.contains(symbology) && bytes != other.bytes
            && isAtSameLocation(as: other)
    }

    func isAtSameLocation(as other: Symbol) -> Bool { isAtSameLocation(as: other.corners) }

    func isAtSameLocation(as other: Quadrilateral) -> Bool {
        guard symbology.traits.family == .linear else {
            return corners.boundingBox.contains(other.center) || other.boundingBox.contains(corners.center)
        }
        return corners.isAround(other.center) || other.isAround(corners.center)
    }

    /// Indicates whether bars belong to this symbol, which has error correction: nearly all of their outline lies in
    /// it.
    ///
    /// - Parameter margin: the distance in pixels by which the outline may exceed the bars on each side.
    func explains(_ place: Quadrilateral, margin: Double) -> Bool {
        guard hasErrorCorrection else { return false }
        let own = corners.enlarged(by: margin)
        let points = place.points
        // Samples along both directions of the outline, the outermost on its edges.
        let looks = 6
        var inside = 0
        for row in 0...looks {
            let down = Double(row) / Double(looks)
            let left = points[0].between(points[3], down)
            let right = points[1].between(points[2], down)
            for column in 0...looks where own.contains(left.between(right, Double(column) / Double(looks))) {
                inside += 1
            }
        }
        return inside * 10 >= (looks + 1) * (looks + 1) * 9
    }

    /// True if the area between the corners certainly belongs to the symbol.
    private var hasErrorCorrection: Bool { symbology.traits.family == .matrix || symbology == .pdf417 }

    /// The outline of the symbol with part of its quiet zone; `nil` if its outline is not known well enough.
    ///
    /// The margin is one module, half of it for the error of the corners. For QR Code it is two of the four modules,
    /// because on a bent sheet the sides of a symbol exceed the straight lines between its corners.
    var clearedOutline: Quadrilateral? {
        guard hasErrorCorrection else { return nil }
        let box = corners.boundingBox
        let side = modules.map { Double(max($0.columns, $0.rows)) } ?? Self.usualModules
        return corners.enlarged(by: (symbology == .qrCode ? 2 : 1) * max(box.width, box.height) / max(1, side))
    }

    /// The assumed number of modules along the longer side if it is unknown: a PDF417 of three columns.
    private static let usualModules = 100.0

    /// Indicates whether an Interleaved 2 of 5 was read from part of another one's bars.
    func isPart(of other: Symbol) -> Bool {
        symbology == .itf && other.symbology == .itf && bytes.count < other.bytes.count && isAtSameLocation(as: other)
            && (0...other.bytes.count - bytes.count).contains { other.bytes[$0...].starts(with: bytes) }
    }

    /// Indicates whether the symbol need not be read again.
    ///
    /// An EAN or UPC on which zbar's scan lines agree can be wrong, and an ITF can be part of another. In photos,
    /// misreadings had up to 23 lines and up to a sixth of the rows. A symbol with an add-on is reliable, and
    /// reading it again would lose the add-on.
    ///
    /// - Parameter rows: the height of its bars, in pixels of the image from which it was read.
    func isSettled(rows: Double) -> Bool {
        if addOn != nil || !(Symbology.retail.contains(symbology) || symbology == .itf) { return true }
        return weight >= 30 && Double(weight) >= 0.5 * rows
    }
}

extension Quadrilateral {
    /// Returns the outline with each corner moved `margin` pixels away from the center.
    func enlarged(by margin: Double) -> Quadrilateral {
        let center = center
        func move(_ corner: Point) -> Point {
            let (x, y) = (corner.x - center.x, corner.y - center.y)
            let length = (x * x + y * y).squareRoot()
            guard length > 0 else { return corner }
            return Point(x: corner.x + x / length * margin, y: corner.y + y / length * margin)
        }
        return Quadrilateral(
            topLeft: move(topLeft), topRight: move(topRight), bottomRight: move(bottomRight),
            bottomLeft: move(bottomLeft))
    }

    /// The number of samples across and down a quadrilateral.
    private static let looks = 6

    /// Indicates whether a part of the quadrilateral, not at its edge, lies within another.
    func overlaps(_ other: Quadrilateral) -> Bool {
        let (one, two) = (boundingBox, other.boundingBox)
        guard one.x < two.x + two.width, two.x < one.x + one.width, one.y < two.y + two.height,
            two.y < one.y + one.height
        else { return false }
        return (0..<Self.looks * Self.looks).contains { look in
            let (column, row) = (Double(look % Self.looks) + 0.5, Double(look / Self.looks) + 0.5)
            let (across, down) = (column / Double(Self.looks), row / Double(Self.looks))
            let (upper, lower) = (topLeft.between(topRight, across), bottomLeft.between(bottomRight, across))
            return other.contains(upper.between(lower, down))
        }
    }

    /// The share of its bounding box that a slanted symbol fills; with less, it is a line of which only the ends are
    /// known.
    private static let slantedShare = 0.02...0.8

    /// Indicates whether a point lies in the bounding box or, for slanted bars, in the outline: the bounding box may
    /// contain the center of the next label on a sheet.
    fileprivate func isAround(_ point: Point) -> Bool {
        let box = boundingBox
        guard box.contains(point) else { return false }
        let (one, two) = (
            Point(x: bottomRight.x - topLeft.x, y: bottomRight.y - topLeft.y),
            Point(x: bottomLeft.x - topRight.x, y: bottomLeft.y - topRight.y)
        )
        let area = abs(one.cross(two)) / 2
        return !Self.slantedShare.contains(area / max(1e-9, box.width * box.height)) || contains(point)
    }
}

extension Point {
    /// Returns the point at a share of the way to another.
    func between(_ other: Point, _ share: Double) -> Point {
        Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
    }
}
