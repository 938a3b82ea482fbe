internal import BarcodeCore
internal import Glibc

/// A field of parallel bars, seen on several scan lines.
public struct BarField: Sendable, Hashable {
    /// The rectangle around the bars.
    public let region: LinearRegion
    /// The number of bars and spaces on the line with the most.
    public let runs: Int
    /// The number of lines on which the field was seen.
    public let lines: Int
    /// True if this is the union of several fields between which there may be quiet zones.
    public let isWhole: Bool

    /// The estimated width in modules: in most symbologies an element is 1.7 modules wide on average.
    public var modules: Double { 1.7 * Double(runs) }
}

/// Finds fields of bars on the rows and columns of a binary image, as a laser scanner does.
///
/// It tells bars from text, frames and package edges before anything is decoded: the same runs recur on line after
/// line.
public struct BarFieldLocator: Sendable {
    /// The fields, by number of bars times number of lines, descending; fields with `isWhole` come last.
    public let fields: [BarField]

    /// Searches every `step`th row and every fourth column of an image; every eighth column if `step` is over 4.
    public init(_ image: BinaryImage, step: Int) {
        var scan = BarFieldScans(step: step)
        RunLines.rows(image, step: step) { scan.rows.examine($0) }
        RunLines.columns(image, isSparse: scan.isSparse) { scan.columns.examine($0) }
        fields = scan.finish()
    }
}

/// The scans of the rows and of the columns of an image, for callers that walk the runs themselves.
struct BarFieldScans {
    /// True if only every eighth column is scanned, not every fourth.
    let isSparse: Bool
    var rows: BarFieldScan
    var columns: BarFieldScan
    private let step: Int

    /// - Parameter step: the distance of the scanned rows, in pixels.
    init(step: Int) {
        self.step = step
        isSparse = step > 4
        rows = BarFieldScan(step: step)
        columns = BarFieldScan(step: isSparse ? 8 : 4)
    }

    /// Ends the scans and returns the fields, in the order of ``BarFieldLocator/fields``.
    mutating func finish() -> [BarField] {
        let (half, columnHalf) = (Double(step) / 2, isSparse ? 4.0 : 2.0)
        return
            (rows.finish().map { Self.field($0, isRow: true, half: half) }
            + columns.finish().map { Self.field($0, isRow: false, half: columnHalf) })
            .sorted {
                $0.isWhole == $1.isWhole ? $0.runs * $0.lines > $1.runs * $1.lines : $1.isWhole
            }
    }

    /// Returns the rectangle around the ends of the lines, rotated as the bars are.
    ///
    /// - Parameter half: half the distance of the lines, in pixels.
    private static func field(_ track: BarFieldScan.Track, isRow: Bool, half: Double) -> BarField {
        let slope = Double(track.slope)
        // Bars run along (slope, 1) if the lines are rows, along (1, slope) if they are columns.
        var angle = isRow ? atan2(-slope, 1) : atan2(1, -slope)
        if angle > .pi / 2 { angle -= .pi }
        var region = LinearRegion(center: Point(x: 0, y: 0), angle: angle, length: 1, height: 1, confidence: 1)
        let (a, b) = (region.across, region.along)
        let points = track.lines.indices.flatMap { index in
            let line = Double(track.lines[index]) + 0.5
            return [Double(track.starts[index]), Double(track.ends[index])].map { place in
                isRow ? Point(x: place, y: line) : Point(x: line, y: place)
            }
        }
        let us = points.map { $0.x * a.x + $0.y * a.y }.sorted()
        // On a few lines a bar may have merged with something beside it: cut off a tenth at either end.
        let cut = track.lines.count / 10
        let (u0, u1) = (us[cut], us[us.count - 1 - cut])
        // The points where the lines leave the bars: if the field is slanted, they lie above or below the ends.
        let vs = points.map { point in
            let excess = point.x * a.x + point.y * a.y
            let move = (min(max(excess, u0), u1) - excess) / (isRow ? a.x : a.y)
            return isRow
                ? (point.x + move) * b.x + point.y * b.y : point.x * b.x + (point.y + move) * b.y
        }.sorted()
        let (v0, v1) = (vs[0] - half, vs[vs.count - 1] + half)
        region.length = max(1, u1 - u0)
        region.height = max(1, v1 - v0)
        let (u, v) = ((u0 + u1) / 2, (v0 + v1) / 2)
        region.center = Point(x: u * a.x + v * b.x, y: u * a.y + v * b.y)
        return BarField(region: region, runs: track.runs, lines: track.lines.count, isWhole: track.isWhole)
    }
}
