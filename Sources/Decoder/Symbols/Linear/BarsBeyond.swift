internal import BarcodeCore
internal import Glibc

/// Looks for bars in line with a symbol and beyond its quiet zones.
///
/// An object that covers the middle of an ITF leaves two parts, and each may be a valid ITF with paper at both ends.
enum BarsBeyond {
    /// The bands of the height in which bars are looked for, and the number of them that must show each bar: text and
    /// pictures differ from band to band.
    private static let bands = 8
    private static let fewestBands = 7
    /// The number of rows of a band: in a symbol of fewer rows, letters beside it look like bars.
    private static let rowsOfBand = 2
    /// The share of the height left out at either end, where bars may be ragged or slightly turned.
    private static let margin = 0.12
    /// The distance from the symbol, as a share of its height, at which its bars have ended, but not the edge of a
    /// sheet or the line of a frame.
    private static let outside = 0.2
    /// The smallest and largest brightness of a dark and a light column, as shares of the symbol's contrast.
    private static let dark: Float = 0.4
    private static let light: Float = 0.6
    /// The distance from the symbol's end in narrow elements at which the search begins, inside the quiet zone, and
    /// the distance at which it ends, as a share of the symbol.
    private static let start = 4.0
    private static let reach = 1.5
    /// The narrowest and widest bar, and the widest space between two of them, in narrow elements.
    ///
    /// A wide element is at most three, and ink spreads. The frame around an ITF-14 has wider bars.
    private static let narrowestBar = 0.4
    private static let widestBar = 4.0
    private static let widestSpace = 4.5
    /// The widest place of neither color between two bars, in narrow elements: an edge that is slightly slanted.
    private static let widestEdge = 1.0
    /// The share of the symbol whose tones decide what is dark: the light may come from one side.
    private static let nearEnd = 0.25
    /// The size of a narrow element in pixels below which two columns are sampled for each pixel.
    private static let fineElement = 2.0
    /// The size of a narrow element in pixels below which an outline is not that of a readable symbol: zbar may report
    /// the ends of a few lines alone.
    private static let smallestElement = 0.5
    /// The places along two bars at which another symbol may explain them, as shares of their length from the middle:
    /// next to a high symbol there may be several low ones.
    private static let looks = [-0.5, -0.25, 0, 0.25, 0.5]

    /// Returns points between the first two bars beyond each end of a symbol that has such bars, along these bars, in
    /// pixels of the image.
    ///
    /// - Parameters:
    ///   - corners: the corners of the symbol.
    ///   - narrow: the width of a narrow element, in pixels.
    ///   - isInverted: true if the bars are light.
    static func places(_ corners: Quadrilateral, narrow: Double, isInverted: Bool, in image: LumaImage) -> [[Point]] {
        guard let region = region(corners), narrow > smallestElement, Int(region.height) >= bands * rowsOfBand else {
            return []
        }
        let density = narrow < fineElement ? 2 : 1
        let length = Int(region.length) * density
        let columns = length + 2 * Int(reach * Double(length))
        let rows = bands * rowsOfBand
        func sample(rows: Int, rowStep: Double, at place: Double = 0) -> [Float] {
            LinearStrip.sample(
                image, region, columns: columns, rows: rows, rowStep: rowStep, density: density, at: place
            ).map { isInverted ? -$0 : $0 }
        }
        let values = sample(rows: rows, rowStep: region.height / Double(rows))
        let profiles = (0..<bands).map { band in
            let first = band * rowsOfBand * columns
            return (0..<columns).map { column in
                var sum: Float = 0
                for row in 0..<rowsOfBand { sum += values[first + row * columns + column] }
                return sum / Float(rowsOfBand)
            }
        }
        let distance = (0.5 / (1 - 2 * margin)) * (1 + 2 * outside) * region.height
        // Only rows inside the image: a picture of bars alone has no others.
        let around = [-distance, distance].filter {
            let middle = region.point(0, $0)
            return (0..<Double(image.width)).contains(middle.x) && (0..<Double(image.height)).contains(middle.y)
        }.map { sample(rows: 1, rowStep: 1, at: $0) }
        let ends = [(columns - length) / 2, (columns + length) / 2]
        return zip(ends, [-1, 1]).compactMap { end, step in
            place(profiles, around: around, end: end, step: step, length: length, narrow: narrow * Double(density))
        }.map { column in
            let u = (Double(column) + 0.5 - Double(columns) / 2) / Double(density)
            return looks.map { region.point(u, $0 * region.height) }
        }
    }

    /// Returns the part of a symbol's height in which bars are looked for, as a region; `nil` if its outline is not a
    /// rectangle or parallelogram of a possible size.
    private static func region(_ corners: Quadrilateral) -> LinearRegion? {
        let across = (corners.topRight - corners.topLeft + (corners.bottomRight - corners.bottomLeft)) * 0.5
        let along = (corners.bottomLeft - corners.topLeft + (corners.bottomRight - corners.topRight)) * 0.5
        let height = (along.x * along.x + along.y * along.y).squareRoot()
        guard height >= 1 else { return nil }
        let angle = atan2(along.y, along.x) - .pi / 2
        var region = LinearRegion(
            center: corners.center, angle: angle, length: 1, height: height * (1 - 2 * margin), confidence: 1)
        let (a, b) = (region.across, region.along)
        region.length = abs(across.x * a.x + across.y * a.y)
        guard region.length >= Double(bands), max(region.length, height) <= LinearStrip.largestSide else { return nil }
        region.shear = (across.x * b.x + across.y * b.y) / (across.x * a.x + across.y * a.y)
        return region
    }

    /// Returns the column between the first two bars beyond an end; `nil` if there are none.
    private static func place(
        _ profiles: [[Float]], around: [[Float]], end: Int, step: Int, length: Int, narrow: Double
    ) -> Int? {
        let near = Int(nearEnd * Double(length))
        let columns = (0..<near).map { end - step * ($0 + (step > 0 ? 1 : 0)) }
        let tones = columns.map { column in profiles.reduce(0) { $0 + $1[column] } / Float(bands) }.sorted()
        guard let first = tones.first, let last = tones.last, first < last else { return nil }
        let (least, most) = (tones[near / 10], tones[near * 9 / 10])
        let limits = (dark: least + dark * (most - least), light: least + light * (most - least))
        var bars: [Int] = []
        // Both bars begin at paper: noise divides an even gray into runs that are dark or mixed.
        var isPaper = false
        for run in runs(profiles, limits, from: end + step * Int(start * narrow), step: step) {
            let width = Double(run.count) / narrow
            let middle = run.column + step * (run.count / 2)
            let endsWithSymbol = around.isEmpty || around.contains { $0[middle] >= limits.dark }
            switch run.tone {
            case .dark where isPaper && width >= narrowestBar && width <= widestBar && endsWithSymbol:
                bars.append(middle)
                isPaper = false
            case .light:
                if width > widestSpace { bars = [] }
                isPaper = true
            case .mixed where width <= widestEdge: break
            default: (bars, isPaper) = ([], false)
            }
            if bars.count == 2 { return (bars[0] + bars[1]) / 2 }
        }
        return nil
    }

    private enum Tone { case dark, light, mixed }

    /// Returns the runs of columns with one tone in nearly all bands, away from the symbol.
    private static func runs(
        _ profiles: [[Float]], _ limits: (dark: Float, light: Float), from: Int, step: Int
    ) -> ArraySlice<(tone: Tone, count: Int, column: Int)> {
        var runs: [(tone: Tone, count: Int, column: Int)] = []
        for column in stride(from: from, to: step > 0 ? profiles[0].count : -1, by: step) {
            let tone: Tone =
                profiles.count { $0[column] <= limits.dark } >= fewestBands
                ? .dark : profiles.count { $0[column] >= limits.light } >= fewestBands ? .light : .mixed
            if let last = runs.last, last.tone == tone {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((tone, 1, column))
            }
        }
        // The last one may go on outside.
        return runs.dropLast()
    }
}
