internal import BarcodeCore
internal import LinearReader

extension Symbol {
    /// Whether two readings are of one symbol: the same message in the same place.
    func isSameSymbol(as other: Symbol) -> Bool {
        symbology == other.symbology && bytes == other.bytes && isInSamePlace(as: other)
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
