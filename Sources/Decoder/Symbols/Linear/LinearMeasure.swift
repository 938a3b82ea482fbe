internal import BarcodeCore
internal import Glibc

/// Measures the exact ends of the bars of a symbol that zbar has decoded: zbar reports only the ends of its scan
/// lines.
enum LinearMeasure {
    /// The largest difference of length between the bars found and zbar's scan lines, as a share.
    ///
    /// The scan lines end within two modules of the bars. If the difference is larger, the bars include those of
    /// another object.
    private static let largestDifference = 0.15

    /// The smallest share of zbar's bounding box that must lie within the measured one.
    ///
    /// If a symbol is slanted, few of zbar's scan lines cross all bars. Its box is then flat, but not beside the
    /// bars.
    private static let smallestShare = 0.8

    /// Indicates whether the bounding box of zbar's scan lines lies within the measured bars, except for its ends.
    static func agrees(_ corners: Quadrilateral, with symbol: Symbol) -> Bool {
        let (measured, lines) = (corners.boundingBox, symbol.corners.boundingBox)
        let across = min(measured.x + measured.width, lines.x + lines.width) - max(measured.x, lines.x)
        let down = min(measured.y + measured.height, lines.y + lines.height) - max(measured.y, lines.y)
        guard across > 0, down > 0 else { return false }
        return across * down >= smallestShare * lines.width * lines.height
    }

    /// Indicates whether the bars of a symbol form a single row; a stacked DataBar has several regions.
    static func canMeasure(_ symbol: Symbol) -> Bool {
        symbol.symbology.traits.family == .linear && symbol.addOn == nil
    }

    /// Returns the corners of a known symbol in a strip; `nil` if its bars cannot be separated from others.
    ///
    /// - Parameter scale: the pixels of the full image for each pixel of the image from which the strip was made.
    static func corners(of symbol: Symbol, in strip: LinearStrip, scale: Double) -> Quadrilateral? {
        let whole = strip.profile(from: 0, to: 1)
        let layout = symbol.symbology.traits.retailBars?.symbology
        // The rotation of the symbol relative to the strip determines its left end.
        let turned = (symbol.orientation ?? 0) * .pi / 180 - strip.region.angle
        let isReversed = cos(turned) < 0
        let range =
            layout.flatMap { EANReader().place(in: whole.values, layout: $0, isReversed: isReversed) }
            ?? whole.barRange
        guard let range else { return nil }
        let corners = strip.corners(range, isReversed: isReversed).scaled(by: scale)
        // zbar's box is axis-aligned: compare along the longer side.
        let (one, two) = (corners.boundingBox, symbol.corners.boundingBox)
        let isWide = one.width >= one.height
        let (length, known) = isWide ? (one.width, two.width) : (one.height, two.height)
        let (middle, knownMiddle) =
            isWide
            ? (one.x + one.width / 2, two.x + two.width / 2) : (one.y + one.height / 2, two.y + two.height / 2)
        guard abs(middle - knownMiddle) < length / 2, known < length * (1 + largestDifference) else { return nil }
        return corners
    }
}
