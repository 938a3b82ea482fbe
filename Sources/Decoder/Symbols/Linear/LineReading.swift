internal import BarcodeCore

/// What one line across a symbol says.
struct LineReading {
    var symbology: Symbology
    /// The message; characters beyond ASCII are those of ISO 8859-1.
    var bytes: [UInt8]
    /// Where the symbol begins and ends in the profile.
    var range: Range<Double>
    /// Whether the symbol runs from the end of the profile to its beginning.
    var isReversed: Bool
    /// The narrower of the two quiet zones, in narrow elements; infinite if its symbology has a check character or always
    /// asks for the whole zone.
    var quiet = Float.infinity
    var isGS1 = false
    var isAIM = false
    /// The modifier of the symbology identifier, of a symbology that has several.
    var modifier: Int?
    /// What the symbol says of a composite component; nil where its symbology has no way to.
    var linkage: CompositeLinkage?
}

extension LineReading {
    /// Indicates whether the symbol fills more than half of the line from its first bar to its last.
    func fillsMost(of line: BarElements) -> Bool {
        2 * (range.upperBound - range.lowerBound) > Double(line.width(0..<line.widths.count))
    }
}
