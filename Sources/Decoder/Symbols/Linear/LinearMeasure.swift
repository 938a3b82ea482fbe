internal import BarcodeCore
internal import Glibc

/// Where the bars of a symbol begin and end that zbar has read: zbar notes only where its scan lines ended.
enum LinearMeasure {
    /// The share by which the bars found may be longer or shorter than what zbar's lines cover.
    ///
    /// zbar's lines end within two modules of the bars; what differs more is the bars of something else too.
    private static let largestDifference = 0.15

    /// How much of the place that zbar names must lie within the measured one.
    ///
    /// Of a slanted symbol zbar's lines that cross all bars are few, so that its box is flat, but not beside the bars.
    private static let smallestShare = 0.8

    /// Whether the box of the scan lines that were read lies within the measured bars, but for its ends.
    static func agrees(_ corners: Quadrilateral, with symbol: Symbol) -> Bool {
        let (measured, lines) = (corners.boundingBox, symbol.corners.boundingBox)
        let across = min(measured.x + measured.width, lines.x + lines.width) - max(measured.x, lines.x)
        let down = min(measured.y + measured.height, lines.y + lines.height) - max(measured.y, lines.y)
        guard across > 0, down > 0 else { return false }
        return across * down >= smallestShare * lines.width * lines.height
    }

    /// Whether the bars of a symbol are one row, from end to end; the rows of a stacked DataBar are several regions.
    static func canMeasure(_ symbol: Symbol) -> Bool {
        symbol.symbology.traits.family == .linear && symbol.addOn == nil
    }

    /// The corners of a known symbol that lies in a strip; nil where its bars cannot be told from others.
    ///
    /// - Parameter scale: pixels of the full picture for each of the picture that the strip was made of.
    static func corners(of symbol: Symbol, in strip: LinearStrip, scale: Double) -> Quadrilateral? {
        let whole = strip.profile(from: 0, to: 1)
        let layout = symbol.symbology.traits.retailBars?.symbology
        // How far the symbol is turned against the strip decides which of its ends is the left one.
        let turned = (symbol.orientation ?? 0) * .pi / 180 - strip.region.angle
        let isReversed = cos(turned) < 0
        let range =
            layout.flatMap { EANReader().place(in: whole.values, layout: $0, isReversed: isReversed) }
            ?? whole.barRange
        guard let range else { return nil }
        let corners = strip.corners(range, isReversed: isReversed).scaled(by: scale)
        // zbar's rectangle is upright: seen across the bars it is as long as the longer of its sides says.
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
