import BarcodeCore

extension CompositeRegion {
    /// The distance in modules between lines searched for patterns: three lines to a row of minimum height.
    private static let lineSpacing = 2.0 / 3
    private static let linesPerRow = 3
    /// The number of positions per module on a line at which a pattern may begin, their distance, and the tolerance,
    /// in modules.
    private static let placesPerModule = 3
    private static let offsetStep = 1 / Double(placesPerModule)
    private static let tolerance = 3.5
    /// The number of positions to both sides at which the same pattern may be found.
    private static let reach = 3
    /// The height of the tallest component, and its maximum lean to a side, in modules.
    private static let greatestHeight = 100.0
    private static let greatestLean = 6.0
    /// The minimum difference between bars and the space between them, in gray levels.
    private static let leastContrast: Float = 8
    /// The margin beyond the lines found, in modules.
    private static let margin = 3.0
    /// The minimum correlation of a pattern.
    private static let minimumScore: Float = 0.75
    /// The minimum number of lines with a pattern whose successor or predecessor is one row away, and the cost of
    /// others.
    private static let minimumLines: Float = 5
    private static let gapCost: Float = 0.4
    private static let maximumCells = 120_000

    /// Returns the sides of the components found, with the possible sizes of each.
    func sides(
        _ pixels: PixelSampler, _ carrier: CompositeCarrier
    ) -> [(side: PDF417Side, candidates: [MicroPDF417Size])] {
        carrier.layouts.compactMap { layout -> (side: PDF417Side, candidates: [MicroPDF417Size])? in
            guard let patterns = layout.candidates.first?.patterns else { return nil }
            let isOpen = layout.before > 0
            let range =
                layout.start.map { $0 - Self.tolerance...$0 + Self.tolerance }
                ?? -Self.margin...max(0, frame.length - Double(layout.width) + 12)
            // The lower rows determine if there is a component; then it is followed to its top.
            let lowest = heights.lowerBound - Self.margin
            guard
                let first = chain(pixels, patterns, isOpen, lowest...heights.upperBound + Self.margin, range),
                let left = first.map(\.offset).min(), let right = first.map(\.offset).max(),
                let whole = chain(
                    pixels, patterns, isOpen, lowest...heights.upperBound + Self.greatestHeight,
                    left - Self.greatestLean...right + Self.greatestLean),
                let side = side(whole)
            else { return nil }
            return (side, layout.candidates)
        }
    }

    /// A detected pattern: its height above the lower edge, and the offset of its start, in modules.
    private struct PatternLocation {
        var height: Double
        var offset: Double
    }

    /// The minimum height in modules of a side whose own direction is used unchanged.
    ///
    /// Below it, the linear symbol's direction is more accurate: patterns are located to a third of a module, and
    /// components are up to 17 times as wide as high.
    private static let steadyHeight = 24.0
    /// The length in modules at which a side's own direction has the same weight as the linear symbol's.
    private static let steadiness = 8.0

    private func side(_ locations: [PatternLocation]) -> PDF417Side? {
        let width = Double(RowAddressPatterns.width)
        guard let top = locations.first?.height, let bottom = locations.last?.height else { return nil }
        var chain = locations
        if top - bottom < Self.steadyHeight {
            let count = Double(locations.count)
            let height = locations.reduce(0) { $0 + $1.height } / count
            let offset = locations.reduce(0) { $0 + $1.offset } / count
            let spread = locations.reduce(0) { $0 + ($1.height - height) * ($1.height - height) }
            let lean = locations.reduce(0) { $0 + ($1.height - height) * ($1.offset - offset) }
            let slope = lean / (spread + count * Self.steadiness * Self.steadiness)
            for index in chain.indices { chain[index].offset = offset + slope * (chain[index].height - height) }
        }
        return PDF417Side(
            .rowAddress, inner: chain.map { frame.point($0.offset + width, $0.height) },
            outer: chain.map { frame.point($0.offset, $0.height) }, isInverted: false)
    }

    /// Returns a chain of consecutive patterns within ranges of heights and of starts, from the top; `nil` if there
    /// is none.
    private func chain(
        _ pixels: PixelSampler, _ patterns: RowAddressPatterns, _ isOpen: Bool, _ heights: ClosedRange<Double>,
        _ range: ClosedRange<Double>
    ) -> [PatternLocation]? {
        let count = Int((heights.upperBound - heights.lowerBound) / Self.lineSpacing)
        let places = Int((range.upperBound - range.lowerBound) / Self.offsetStep) + 1
        guard count > Self.linesPerRow, places > 2, count * places < Self.maximumCells else { return nil }
        // From the first row downward, in the order of the pattern numbers.
        func height(_ line: Int) -> Double { heights.upperBound - (Double(line) + 0.5) * Self.lineSpacing }
        func offset(_ place: Int) -> Double { range.lowerBound + Double(place) * Self.offsetStep }
        var numbers = [UInt8](repeating: 0, count: count * places)
        var levels = [Float](repeating: 0, count: RowAddressPatterns.window)
        var darkness = [Float](repeating: 0, count: places + Self.placesPerModule * RowAddressPatterns.window)
        for line in 0..<count {
            for place in darkness.indices {
                darkness[place] = 255 - pixels.brightness(frame.point(offset(place) + 0.5, height(line)))
            }
            for place in 0..<places {
                // Each pattern begins with a bar, of at least two modules at the sides and of one between columns,
                // and ends with a space; a bar follows.
                let (begin, second) = (darkness[place], darkness[place + Self.placesPerModule])
                let end = darkness[place + 9 * Self.placesPerModule]
                let next = darkness[place + 10 * Self.placesPerModule]
                guard min(begin, next) > end + Self.leastContrast, isOpen == (second < (begin + end) / 2) else {
                    continue
                }
                for module in levels.indices { levels[module] = darkness[place + module * Self.placesPerModule] }
                let match = patterns.match(levels)
                if match.score > Self.minimumScore {
                    numbers[line * places + place] = UInt8(truncatingIfNeeded: match.number)
                }
            }
        }
        return Self.chain(numbers, count, places)?.map { line, place in
            // Several adjacent positions show a pattern; the middle one is its location.
            let row = line * places
            let number = numbers[row + place]
            let before = (max(0, place - Self.reach)..<place).reversed().prefix { numbers[row + $0] == number }.count
            let behind = (place + 1..<min(places, place + 1 + Self.reach)).prefix { numbers[row + $0] == number }.count
            return PatternLocation(
                height: height(line), offset: offset(place) + Self.offsetStep * Double(behind - before) / 2)
        }
    }

    /// Returns the lines and positions of the best chain of consecutive patterns; `nil` if it is too short.
    ///
    /// Bars that are the same along their whole height do not count: a pattern counts only if its successor is one
    /// row below, or its predecessor one row above.
    private static func chain(_ numbers: [UInt8], _ count: Int, _ places: Int) -> [(line: Int, place: Int)]? {
        var isPaired = [Bool](repeating: false, count: numbers.count)
        for line in 0..<(count - linesPerRow) {
            for place in 0..<places where numbers[line * places + place] > 0 {
                let next = Int(numbers[line * places + place]) % RowAddressPatterns.count + 1
                for other in max(0, place - 1)...min(places - 1, place + 1) {
                    let index = (line + linesPerRow) * places + other
                    guard Int(numbers[index]) == next else { continue }
                    isPaired[line * places + place] = true
                    isPaired[index] = true
                }
            }
        }
        var scores = [Float](repeating: 0, count: numbers.count)
        var previous = [Int32](repeating: -1, count: numbers.count)
        var best = 0
        for line in 0..<count {
            for place in 0..<places {
                let index = line * places + place
                var (score, from): (Float, Int32) = (0, -1)
                if line > 0 {
                    for other in max(0, place - 1)...min(places - 1, place + 1) {
                        let before = (line - 1) * places + other
                        // Prefer straight on unless another position scores higher.
                        let value = scores[before] - (other == place ? 0 : 0.05)
                        if value > score { (score, from) = (value, Int32(truncatingIfNeeded: before)) }
                    }
                }
                score += isPaired[index] ? 1 : -gapCost
                if score <= 0 { (score, from) = (0, -1) }
                scores[index] = score
                previous[index] = from
                if score > scores[best] { best = index }
            }
        }
        guard let last = scores.indices.contains(best) ? best : nil, scores[last] >= minimumLines else { return nil }
        var chain: [(line: Int, place: Int)] = []
        var index = last
        while index >= 0 {
            if isPaired[index] { chain.append((index / places, index % places)) }
            index = Int(previous[index])
        }
        return chain.reversed()
    }
}
