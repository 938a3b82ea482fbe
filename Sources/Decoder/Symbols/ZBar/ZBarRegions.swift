internal import BarcodeCore
internal import Glibc

/// zbar in known regions: its time is proportional to its scan lines, of which a region needs few.
extension SearchStrategy.Method {
    /// Runs zbar in regions of bars that were not decoded, as a second opinion.
    static let zbarBars = bars(
        "zbarBars", "zbar, in regions of bars that were not read", isInverted: false, maximumLines: 128)
    static let zbarBarsInverted = bars(
        "zbarBarsInverted", "zbar, in regions of bars that were not read, inverted", isInverted: true,
        maximumLines: 32)

    /// - Parameter maximumLines: the approximate number of scan lines across the bars, which determines zbar's time.
    ///   With bars ten times as high, each line is as conclusive as ten.
    private static func bars(_ name: String, _ title: String, isInverted: Bool, maximumLines: Int) -> Self {
        Self(name: name, title: title, symbologies: ZBarSearch.linearSymbologies) {
            (state, level) throws(DecodeError) in
            let isLastResort = state.found.count == 0
            for place in state.unreadBars[level] ?? []
            where isInverted ? place.mayBeInverted : place.looksLikeSymbol && (isLastResort || place.hasBars) {
                let region = place.region
                let image = state.image(atLevel: level)
                let box = region.corners.boundingBox
                // Paper beside the bars: the quiet zones are a tenth of the symbol.
                let margin = 16 + 0.1 * region.length
                let (a, b) = (abs(cos(region.angle)), abs(sin(region.angle)))
                let readings = try ZBarSearch.place(
                    image, x: range(box.x - margin, box.x + box.width + margin, limit: image.width),
                    y: range(box.y - margin, box.y + box.height + margin, limit: image.height),
                    rows: a > 0.5 * b, columns: b > 0.5 * a, density: max(1, Int(region.height) / maximumLines),
                    isInverted: isInverted, symbologies: state.symbologies)
                let whole = readings.filter {
                    place.isWhole($0, isInverted: isInverted) && Plausibility.hasNoRival($0, among: readings)
                        && isReadBothWays($0, region)
                        && (isInverted || !contradicts($0, region, &state, level))
                }
                add(whole, image, to: &state, level, isInverted: isInverted)
            }
        }
    }

    /// Indicates whether the gray levels of a region contradict zbar's number: zbar may mistake letters over hidden
    /// bars, or the edge of a tear, for the bars that it expects.
    private static func contradicts(
        _ reading: Reading, _ region: LinearRegion, _ state: inout SearchState, _ level: Int
    ) -> Bool {
        guard Symbology.retail.contains(reading.symbology),
            let place = LinearSearch(symbologies: state.symbologies).sampledRegion(region, level: level, &state)
        else { return false }
        return EANStripReader.contradicts(reading, [place.whole] + place.bands) { place.rows }
    }

    /// The smallest share of a region between the ends of zbar's lines, for a message read in both directions.
    private static let leastSpan = 0.5

    /// Indicates whether zbar, which reads every other line backward, read an ITF in both directions.
    ///
    /// Something that covers a part of an ITF leaves a valid ITF that zbar reads in one direction alone, toward the
    /// cover. All its points are then at that end.
    private static func isReadBothWays(_ reading: Reading, _ region: LinearRegion) -> Bool {
        guard reading.symbology == .itf else { return true }
        let box = reading.corners.boundingBox
        let (a, b) = (abs(cos(region.angle)), abs(sin(region.angle)))
        return (a >= b ? box.width : box.height) >= leastSpan * region.length * max(a, b)
    }

    /// Returns a range of pixels, clamped to the image.
    private static func range(_ first: Double, _ last: Double, limit: Int) -> Range<Int> {
        let start = min(max(first, 0), Double(limit))
        return Int(start)..<Int(min(max(last, start), Double(limit)))
    }
}
