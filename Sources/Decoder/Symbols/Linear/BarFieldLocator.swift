internal import BarcodeCore
internal import Glibc

/// A field of parallel bars that was seen on several lines across them.
public struct BarField: Sendable, Hashable {
    /// The rectangle around the bars.
    public let region: LinearRegion
    /// Bars and spaces on the line that shows most.
    public let runs: Int
    /// Lines on which the field was seen.
    public let lines: Int
    /// Indicates whether it was seen as the whole of several fields between which there may be quiet zones.
    public let isWhole: Bool

    /// Modules across the field, by the mean width of an element in most symbologies, 1.7 modules.
    public var modules: Double { 1.7 * Double(runs) }
}

/// Finds fields of bars by the rows and columns of a picture in two tones: the way of a laser scanner.
///
/// It tells bars from text, frames and package edges before anything is read: the same runs recur on line after line.
public struct BarFieldLocator: Sendable {
    /// The fields, first the one with the most bars on the most lines; those that are the whole of several come last.
    public let fields: [BarField]

    /// Searches a picture: every `step`th row and every fourth column.
    public init(_ image: BinaryImage, step: Int) {
        var scan = BarFieldScans(step: step)
        RunLines.rows(image, step: step) { scan.rows.examine($0) }
        RunLines.columns(image, isSparse: scan.isSparse) { scan.columns.examine($0) }
        fields = scan.finish()
    }
}

/// The scan of the rows and that of the columns of a picture, for those who walk them anyway.
struct BarFieldScans {
    /// Indicates that every eighth column is walked, not every fourth.
    let isSparse: Bool
    var rows: BarFieldScan
    var columns: BarFieldScan
    private let step: Int

    /// - Parameter step: pixels from one row to the next.
    init(step: Int) {
        self.step = step
        isSparse = step > 4
        rows = BarFieldScan(step: step)
        columns = BarFieldScan(step: isSparse ? 8 : 4)
    }

    /// Ends the scans, and returns the fields as ``BarFieldLocator/fields`` has them.
    mutating func finish() -> [BarField] {
        let (half, columnHalf) = (Double(step) / 2, isSparse ? 4.0 : 2.0)
        return
            (rows.finish().map { Self.field($0, isRow: true, half: half) }
            + columns.finish().map { Self.field($0, isRow: false, half: columnHalf) })
            .sorted {
                $0.isWhole == $1.isWhole ? $0.runs * $0.lines > $1.runs * $1.lines : $1.isWhole
            }
    }

    /// The rectangle around the ends of the lines, turned as the bars are.
    ///
    /// - Parameter half: half of the pixels from one line to the next.
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
        // The bars of few lines may be longer, where one met something beside them.
        let cut = track.lines.count / 10
        let (u0, u1) = (us[cut], us[us.count - 1 - cut])
        // Where these lines leave the bars, which at a slant is above or below their ends.
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
