public import BarcodeCore

/// Splits a strip that contains several symbols: a region covers a whole page of labels if the paper between them is
/// narrower than the blocks of which regions are made.
extension LinearStrip {
    /// The smallest number of rows of a part, and its smallest share of the highest part: lower parts are text or
    /// edges.
    private static let fewestRows = 8
    private static let smallestShare = 0.5
    /// The largest brightness change in a row of paper, as a share of that in a row of bars.
    private static let calm: Float = 0.3
    /// The smallest number of rows of paper between two parts.
    private static let fewestCalmRows = 2
    /// The distance in pixels of two rows up to which no paper between parts is missed.
    private static let finestStep = 1.5
    /// The largest slant of a row from end to end, in pixels, at which it can still be told from paper.
    private static let largestSlant = 8.0
    /// The area in pixels from which on a region may be a page of symbols.
    private static let pagePixels = 100_000.0
    /// The length in pixels up to which a region is sampled completely.
    private static let shortLength = 200.0
    /// The largest number of rows that are sampled.
    private static let mostRows = 4096

    /// Returns the parts of the strip that lie above each other with paper between them, as regions of `image`;
    /// empty if there is only one.
    ///
    /// - Parameters:
    ///   - image: the image from which the strip was made.
    ///   - budget: the number of pixels that may be sampled again, for high strips whose rows are far apart; reduced
    ///     by the number used.
    public func rowParts(_ image: LumaImage, budget: inout Int) -> [LinearRegion] {
        var region = region
        var (unrest, step) = (unrest(), rowStep)
        // On a page, the bars of several symbols may make the rows sharpest in a wrong direction.
        let isTurned =
            region.length * region.height > Self.pagePixels
            && abs(region.angle - locatedAngle) * region.length > Self.largestSlant
        if isTurned {
            region.angle = locatedAngle
            unrest = Self.unrest(image, region, rows: rows)
        }
        guard Self.parts(of: unrest, rowStep: step).count > 1 || rowStep > Self.finestStep && isRestless(unrest) else {
            return []
        }
        if rowStep > Self.finestStep {
            let rows = min(Self.mostRows, Int(region.height))
            let pixels = rows * Self.looks(at: region)
            guard pixels <= budget else { return [] }
            budget -= pixels
            step = region.height / Double(rows)
            unrest = Self.unrest(image, region, rows: rows)
        }
        let parts = Self.parts(of: unrest, rowStep: step)
        guard parts.count > 1 else { return [] }
        let middle = Double(unrest.count) / 2
        return parts.map { rows in
            var part = region
            part.height = Double(rows.count) * step
            part.center = region.point(0, (Double(rows.lowerBound + rows.upperBound) / 2 - middle) * step)
            return part
        }
    }

    /// Returns the parts of the strip that lie side by side with a quiet zone between them; empty if there is only
    /// one.
    ///
    /// - Parameter profile: the mean of the rows.
    public func columnParts(_ profile: LinearProfile) -> [LinearRegion] {
        let ranges = profile.barRanges(edges: Self.fewestEdges)
        guard ranges.count > 1 else { return [] }
        return ranges.map { range in
            var part = region
            part.length = (range.upperBound - range.lowerBound) / Double(density)
            let middle = (range.lowerBound + range.upperBound) / 2
            part.center = region.point((middle - Double(columns) / 2) / Double(density), 0)
            return part
        }
    }

    /// The number of edges of the shortest symbols: Interleaved 2 of 5 of two digits has 18, an add-on of two digits
    /// 14.
    private static let fewestEdges = 16

    /// Indicates whether some row changes so much less than others that there may be paper between two rows.
    private func isRestless(_ unrest: [Float]) -> Bool {
        let sorted = unrest.sorted()
        return sorted[sorted.count / 16] < Self.calm * sorted[sorted.count * 7 / 8]
    }

    /// Returns the mean brightness change from column to column in each row, without the margins.
    private func unrest() -> [Float] {
        let margin = min(columns / 4, max(0, (columns - Int(region.length) * density) / 2))
        return Self.unrest(values, columns: columns, from: margin, to: columns - margin)
    }

    /// Returns the number of columns that suffice to tell bars from paper: the middle quarter, more of a short
    /// region.
    private static func looks(at region: LinearRegion) -> Int {
        Int(max(min(region.length, shortLength), region.length / 4))
    }

    private static func unrest(_ image: LumaImage, _ region: LinearRegion, rows: Int) -> [Float] {
        let columns = looks(at: region)
        let values = sample(image, region, columns: columns, rows: rows, rowStep: region.height / Double(rows))
        return unrest(values, columns: columns, from: 0, to: columns)
    }

    private static func unrest(_ values: [Float], columns: Int, from: Int, to: Int) -> [Float] {
        guard columns > 0, from + 1 < to else { return [] }
        let rows = values.count / columns
        return values.withUnsafeBytes { values in
            (0..<rows).map { row in
                let first = row * columns + from
                let last = row * columns + to - 1
                let size = MemoryLayout<Float>.stride
                func eight(_ place: Int) -> SIMD8<Float> {
                    values.loadUnaligned(fromByteOffset: place * size, as: SIMD8<Float>.self)
                }
                var sums = SIMD8<Float>()
                var place = first
                while place + 8 <= last {
                    let change = eight(place + 1) - eight(place)
                    sums += change.replacing(with: -change, where: change .< 0)
                    place += 8
                }
                return sums.sum() / Float(max(1, place - first))
            }
        }
    }

    /// Returns the ranges of rows of bars that are separated by rows of paper.
    private static func parts(of unrest: [Float], rowStep: Double) -> [Range<Int>] {
        guard unrest.count >= 2 * fewestRows else { return [] }
        let limit = calm * unrest.sorted()[unrest.count * 19 / 20]
        let calmRows = rowStep > finestStep ? 1 : max(1, Int(Double(fewestCalmRows) / rowStep))
        var parts: [Range<Int>] = []
        for (row, value) in unrest.enumerated() where value >= limit {
            if let last = parts.last, row - last.upperBound < calmRows {
                parts[parts.count - 1] = last.lowerBound..<row + 1
            } else {
                parts.append(row..<row + 1)
            }
        }
        let highest = Double(parts.map(\.count).max() ?? 0)
        return parts.filter {
            Double($0.count) * rowStep >= Double(fewestRows) && Double($0.count) >= smallestShare * highest
        }
    }
}
