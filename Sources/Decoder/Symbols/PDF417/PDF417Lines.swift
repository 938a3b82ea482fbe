import BarcodeCore
internal import Glibc

/// The gray levels along lines across a symbol, from one side of it to the other.
///
/// Offsets on a line are in pixels from its origin, which lies on the known side, or on the start pattern if both
/// sides are known.
struct PDF417Lines {
    /// A line, with the offsets at which the codewords begin and end, if known.
    struct Line {
        var origin: Point
        var direction: Point
        var start: Double?
        var stop: Double?
    }

    let lines: [Line]
    /// The mean module size, in pixels.
    let module: Double
    /// The module sizes beside the start and the stop pattern, along the lines, in pixels.
    let startModule: Double
    let stopModule: Double
    private let levels: [Float]
    private let count: Int
    private let from: Double
    private let step: Double

    /// The number of samples per module along a line.
    private static let samplesPerModule = 4.0
    /// The largest number of samples on all lines.
    private static let maximumSamples = 6_000_000

    /// Samples the lines over a range of offsets; `nil` if the range is too short or has too many samples.
    init?(
        _ pixels: PixelSampler, _ lines: [Line], range: ClosedRange<Double>, module: Double,
        startModule: Double? = nil, stopModule: Double? = nil, isInverted: Bool
    ) {
        self.lines = lines
        self.module = module
        self.startModule = startModule ?? module
        self.stopModule = stopModule ?? module
        step = module / Self.samplesPerModule
        from = range.lowerBound
        let length = (range.upperBound - range.lowerBound) / step
        guard length.isFinite, length >= 8, length * Double(lines.count) < Double(Self.maximumSamples) else {
            return nil
        }
        count = Int(length) + 1
        var levels: [Float] = []
        levels.reserveCapacity(count * lines.count)
        for line in lines {
            for index in 0..<count {
                let place = from + Double(index) * step
                let level = pixels.brightness(
                    Point(x: line.origin.x + place * line.direction.x, y: line.origin.y + place * line.direction.y))
                levels.append(isInverted ? level : 255 - level)
            }
        }
        self.levels = levels
    }

    /// Returns the darkness at an offset of a line, clamped to its ends.
    @inline(__always)
    private func level(_ line: Int, _ place: Double) -> Float {
        let exact = min(max((place - from) / step, 0), Double(count - 2))
        let index = Int(exact)
        let fraction = Float(exact - Double(index))
        let base = line * count + index
        return levels[base] + (levels[base + 1] - levels[base]) * fraction
    }

    /// Samples the darkness of the modules between two offsets of a line, one sample for each element of `samples`.
    ///
    /// - Parameter lean: the slant of the row against the lines, in lines from its beginning to its end.
    func codeword(_ line: Int, from first: Double, to last: Double, lean: Double, into samples: inout [Float]) {
        let width = (last - first) / Double(max(1, samples.count))
        guard width.isFinite, lean.isFinite, abs(lean) < Double(lines.count), lines.indices.contains(line)
        else { return }
        for index in samples.indices {
            let part = (Double(index) + 0.5) / Double(samples.count)
            let center = first + part * (last - first)
            let other = min(lines.count - 1, max(0, line + Int((lean * (part - 0.5)).rounded())))
            samples[index] = (level(other, center - 0.2 * width) + level(other, center + 0.2 * width)) / 2
        }
    }

    /// The search range for an edge in steps, and the number of steps in a module.
    private static let reach = 8
    private static let stepsPerModule = 8.0

    /// Returns the transitions from light to dark near the given offsets, as at the beginning of a codeword.
    ///
    /// The search averages over neighboring lines, since a single line may be noisy.
    func edges(near places: [Double], module: Double, window: Int) -> [Double] {
        guard places.count == lines.count, !lines.isEmpty else { return places }
        let steps = 2 * Self.reach + 1
        var slopes = [Float](repeating: 0, count: (lines.count + 1) * steps)
        // Cumulative sums over the lines, so that the sum over a window is a difference.
        for line in lines.indices {
            for index in 0..<steps {
                let place = places[line] + Double(index - Self.reach) / Self.stepsPerModule * module
                let behind = level(line, place + 0.25 * module) + level(line, place + 0.6 * module)
                let before = level(line, place - 0.25 * module) + level(line, place - 0.6 * module)
                slopes[(line + 1) * steps + index] = slopes[line * steps + index] + behind - before
            }
        }
        return lines.indices.map { line in
            let (first, end) = (max(0, line - window), min(lines.count, line + window + 1))
            var scores = [Float](repeating: 0, count: steps)
            var best = Self.reach
            for index in 0..<steps {
                let distance = Float(index - Self.reach) / Float(Self.stepsPerModule)
                scores[index] =
                    (slopes[end * steps + index] - slopes[first * steps + index]) * (1 - 0.3 * distance * distance)
                if scores[index] > scores[best] { best = index }
            }
            guard scores[best] > Float(end - first) * 8 else { return places[line] }
            var exact = Double(best)
            if best > 0, best < steps - 1 {
                let (a, b, c) = (scores[best - 1], scores[best], scores[best + 1])
                if a + c - 2 * b < 0 { exact += Double((a - c) / (2 * (a + c - 2 * b))) }
            }
            return places[line] + (exact - Double(Self.reach)) / Self.stepsPerModule * module
        }
    }
}
