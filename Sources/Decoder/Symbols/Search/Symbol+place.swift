internal import BarcodeCore

extension Symbol {
    /// Indicates that two readings are of one symbol: the same message in the same place, or in places that overlap, as
    /// those of two symbols never do.
    func isSameSymbol(as other: Symbol) -> Bool {
        symbology == other.symbology && bytes == other.bytes
            && (isInSamePlace(as: other) || corners.overlaps(other.corners) || other.corners.overlaps(corners))
    }

    /// Whether two readings are different numbers of the EAN and UPC family in one place.
    func contradicts(_ other: Symbol) -> Bool {
        Symbology.retail.contains(symbology) && Symbology.retail.contains(other.symbology) && bytes != other.bytes
            && isInSamePlace(as: other)
    }

    /// Whether two readings are different messages of one symbol of our own linear reader's.
    func isOtherMessage(than other: Symbol) -> Bool {
        symbology == other.symbology && LinearReader.supportedSymbologies.contains(symbology) && bytes != other.bytes
            && isInSamePlace(as: other)
    }

    func isInSamePlace(as other: Symbol) -> Bool { isInSamePlace(as: other.corners) }

    func isInSamePlace(as place: Quadrilateral) -> Bool {
        guard symbology.traits.family == .linear else {
            return corners.boundingBox.contains(place.center) || place.boundingBox.contains(corners.center)
        }
        return corners.isAround(place.center) || place.isAround(corners.center)
    }

    /// Whether bars in a place are those of the symbol, which has error correction and was read: nearly all of the place
    /// lies in it.
    ///
    /// - Parameter margin: pixels by which the place may be larger on each side than what was seen there.
    func explains(_ place: Quadrilateral, margin: Double) -> Bool {
        guard hasErrorCorrection else { return false }
        let own = corners.enlarged(by: margin)
        let points = place.points
        // Looks along both directions of the place, the outermost at its edges.
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

    /// Whether what lies in the corners is known to be the symbol and nothing else.
    private var hasErrorCorrection: Bool { symbology.traits.family == .matrix || symbology == .pdf417 }

    /// The symbol and some of its quiet zone around it; nil for symbols whose place is not known so well.
    ///
    /// Of the quiet zone a module is taken, half of it for what the corners may be off, and two of the four that QR has:
    /// on a sheet that is not flat the sides of a symbol are beyond straight lines between its corners.
    var clearedPlace: Quadrilateral? {
        guard hasErrorCorrection else { return nil }
        let box = corners.boundingBox
        let side = modules.map { Double(max($0.columns, $0.rows)) } ?? Self.usualModules
        return corners.enlarged(by: (symbology == .qrCode ? 2 : 1) * max(box.width, box.height) / max(1, side))
    }

    /// Modules along the longer side of a symbol whose size is not known: a PDF417 of three columns.
    private static let usualModules = 100.0

    /// Whether an Interleaved 2 of 5 was read from a part of another one's bars.
    func isPart(of other: Symbol) -> Bool {
        symbology == .itf && other.symbology == .itf && bytes.count < other.bytes.count && isInSamePlace(as: other)
            && (0...other.bytes.count - bytes.count).contains { other.bytes[$0...].starts(with: bytes) }
    }

    /// Whether the symbol need not be read again.
    ///
    /// An EAN or UPC that zbar's scan lines agree on can be another number, an ITF a part of one: of photos, misreadings
    /// had up to 23 lines and up to a sixth of the rows. With an add-on it was read well, and the add-on would not be
    /// read again.
    /// - Parameter rows: the height of its bars where it was read.
    func isSettled(rows: Double) -> Bool {
        if addOn != nil || !(Symbology.retail.contains(symbology) || symbology == .itf) { return true }
        return weight >= 30 && Double(weight) >= 0.5 * rows
    }
}

extension Quadrilateral {
    /// The same with each corner so many pixels farther from the center.
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

    /// Places across and down a quadrilateral that are looked at.
    private static let looks = 6

    /// Indicates whether a part of the quadrilateral that is not at its edge lies within another.
    fileprivate func overlaps(_ other: Quadrilateral) -> Bool {
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

    /// Sides of the upright rectangle around a slanted symbol that it fills less of; what fills next to nothing is a line
    /// of which only the ends are known.
    private static let slantedShare = 0.02...0.8

    /// Whether a point lies within: within the upright rectangle around all but slanted bars, where the next label on a
    /// sheet may have its middle.
    fileprivate func isAround(_ point: Point) -> Bool {
        let box = boundingBox
        guard box.contains(point) else { return false }
        let (one, two) = (
            Point(x: bottomRight.x - topLeft.x, y: bottomRight.y - topLeft.y),
            Point(x: bottomLeft.x - topRight.x, y: bottomLeft.y - topRight.y)
        )
        let area = abs(one.x * two.y - one.y * two.x) / 2
        return !Self.slantedShare.contains(area / max(1e-9, box.width * box.height)) || contains(point)
    }
}

extension Point {
    /// The point at a share of the way to another.
    func between(_ other: Point, _ share: Double) -> Point {
        Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
    }
}
