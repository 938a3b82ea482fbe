internal import BarcodeCore

extension Symbol {
    /// Whether two readings are of one symbol: the same message in the same place.
    func isSameSymbol(as other: Symbol) -> Bool {
        format == other.format && bytes == other.bytes && isInSamePlace(as: other)
    }

    /// Whether two readings are different numbers of the EAN and UPC family in one place.
    func contradicts(_ other: Symbol) -> Bool {
        Symbology.retail.contains(format) && Symbology.retail.contains(other.format) && bytes != other.bytes
            && isInSamePlace(as: other)
    }

    func isInSamePlace(as other: Symbol) -> Bool { isInSamePlace(as: other.corners) }

    func isInSamePlace(as place: Quadrilateral) -> Bool {
        corners.boundingBox.contains(place.centre) || place.boundingBox.contains(corners.centre)
    }

    /// Whether the symbol need not be read again: an EAN or UPC that few scan lines agree on can be another number.
    ///
    /// zbar counts each line across the symbol, in both directions of bars; of blurred photos, misreadings had up to
    /// ten lines.
    var isSettled: Bool { !Symbology.retail.contains(format) || quality >= 20 }
}
