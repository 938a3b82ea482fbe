internal import BarcodeCore

/// A symbol decoded from a single scan line.
struct LineReading {
    var symbology: Symbology
    /// The message; characters beyond ASCII are those of ISO 8859-1.
    var bytes: [UInt8]
    /// The range of the symbol in the profile, in samples.
    var range: Range<Double>
    /// True if the symbol runs from the end of the profile to its beginning.
    var isReversed: Bool
    /// The narrower of the two quiet zones, in narrow elements; infinite if the symbology has a check character or
    /// always requires the whole quiet zone.
    var quiet = Float.infinity
    var isGS1 = false
    var isAIM = false
    /// True if the symbol sets up the reader.
    var isReaderProgramming = false
    /// The modifier of the symbology identifier; `nil` if the symbology has only one.
    var modifier: Int?
    /// The composite component that the symbol announces; `nil` if its symbology cannot announce one.
    var linkage: CompositeLinkage?
    /// The width of the symbol in modules, of those with two widths in narrow elements; `nil` if it is unknown.
    var modules: Int?
}

extension LineReading {
    /// Indicates whether the symbol fills more than half of the line from its first bar to its last.
    func fillsMost(of line: BarElements) -> Bool {
        2 * (range.upperBound - range.lowerBound) > Double(line.width(0..<line.widths.count))
    }
}
