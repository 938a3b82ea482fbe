/// A threshold between dark and light modules.
public enum ModuleThreshold: Sendable, Hashable, CaseIterable {
    /// The midpoint between the means of the dark and the light modules in the neighborhood; for uneven light.
    case localMidpoint
    /// One threshold for all modules, by Otsu's method; for even light and large damage.
    case global
    /// Like ``localMidpoint``, after each module is sharpened against its four neighbors; for blur and small modules.
    case sharpened
    /// Like ``sharpened``, but with nearly all of the blur between neighbors removed (deconvolution); for strong
    /// blur.
    case deblurred
    /// The mean of the neighborhood.
    case localMean
}

extension ModuleSamples {
    /// The number of modules from a module to the edge of its neighborhood.
    private static let radius = 5

    /// Returns the modules, dark if a sample is below the threshold, with confidences from the distance to the
    /// threshold.
    func grid(_ threshold: ModuleThreshold, isInverted: Bool) -> ModuleGrid {
        switch threshold {
        case .global:
            let limit = otsuThreshold()
            let (dark, light) = means(below: limit)
            let reach = max(1, (light - dark) / 2)
            return grid(isInverted: isInverted) { _ in (limit, reach) }
        case .localMean:
            let means = boxMeans(values)
            let deviation = max(1, spread())
            return grid(isInverted: isInverted) { (means[$0], deviation) }
        case .localMidpoint:
            return midpointGrid(isInverted: isInverted)
        case .sharpened:
            return sharpened().midpointGrid(isInverted: isInverted)
        case .deblurred:
            return deblurred().midpointGrid(isInverted: isInverted)
        }
    }

    private func grid(isInverted: Bool, limit: (Int) -> (threshold: Float, reach: Float)) -> ModuleGrid {
        var grid = ModuleGrid(width: width, height: height)
        grid.confidences = [UInt8](repeating: 255, count: values.count)
        for place in values.indices {
            let (threshold, reach) = limit(place)
            let distance = values[place] - threshold
            grid.modules[place] = (distance < 0) != isInverted ? 1 : 0
            // 0 is reserved for modules outside the picture.
            grid.confidences[place] = UInt8(min(255, max(1, abs(distance) / reach * 255)))
        }
        for place in outside { grid.confidences[place] = 0 }
        return grid
    }

    private func midpointGrid(isInverted: Bool) -> ModuleGrid {
        let sums = boxSums(values)
        let counts = boxCounts()
        let means = sums.indices.map { sums[$0] / counts[$0] }
        let isDark = values.indices.map { values[$0] < means[$0] }
        let darkValues = boxSums(values.indices.map { isDark[$0] ? values[$0] : 0 })
        let darkCounts = boxSums(isDark.map { $0 ? 1 : 0 })
        let floor = max(1, spread() / 4)
        return grid(isInverted: isInverted) { place in
            let lightCount = counts[place] - darkCounts[place]
            // Too few modules of a tone give no reliable mean.
            guard darkCounts[place] >= 4, lightCount >= 4 else { return (means[place], floor) }
            let dark = darkValues[place] / darkCounts[place]
            let light = (sums[place] - darkValues[place]) / lightCount
            return ((dark + light) / 2, max(floor, (light - dark) / 2))
        }
    }

    /// Returns the samples, each moved away from the mean of its four neighbors.
    ///
    /// A lens or a coarse pixel grid blurs a module into its neighbors; this removes most of the blur.
    private func sharpened() -> ModuleSamples {
        var result = self
        for y in 0..<height {
            for x in 0..<width {
                let place = y * width + x
                let value = values[place]
                // The quiet zone is as light as the module itself or unknown, so it does not count as a neighbor.
                let left = x > 0 ? values[place - 1] : value
                let right = x < width - 1 ? values[place + 1] : value
                let upper = y > 0 ? values[place - width] : value
                let lower = y < height - 1 ? values[place + width] : value
                result.values[place] = value + (value - (left + right + upper + lower) / 4)
            }
        }
        return result
    }

    /// Returns the samples with a blur removed that spread at most a fifth of each to either side.
    ///
    /// Each round adds the difference between the samples and the blurred result. Source: van Cittert, 1931.
    private func deblurred() -> ModuleSamples {
        // The blur is constant in pixels, so it covers fewer modules along the less foreshortened side.
        let shareX = 0.2 * min(1, 1 / (aspect * aspect))
        let shareY = 0.2 * min(1, aspect * aspect)
        var result = self
        for _ in 0..<6 {
            let blurred = result.spread(step: 1, by: shareX).spread(step: width, by: shareY)
            for place in values.indices {
                result.values[place] += values[place] - blurred.values[place]
            }
        }
        return result
    }

    /// Returns the samples blurred: a share of each goes to both neighbors in its row (a step of 1) or its column
    /// (``width``).
    private func spread(step: Int, by share: Float) -> ModuleSamples {
        var result = self
        let count = step == 1 ? width : height
        for place in values.indices {
            let position = step == 1 ? place % width : place / width
            let before = position > 0 ? values[place - step] : values[place]
            let after = position < count - 1 ? values[place + step] : values[place]
            result.values[place] = (1 - 2 * share) * values[place] + share * (before + after)
        }
        return result
    }

    private func boxMeans(_ values: [Float]) -> [Float] {
        let sums = boxSums(values)
        let counts = boxCounts()
        return sums.indices.map { sums[$0] / counts[$0] }
    }

    /// Returns the number of modules in the neighborhood of each module.
    private func boxCounts() -> [Float] {
        (0..<height).flatMap { y in
            let rows = min(height, y + Self.radius + 1) - max(0, y - Self.radius)
            return (0..<width).map { x in
                Float(rows * (min(width, x + Self.radius + 1) - max(0, x - Self.radius)))
            }
        }
    }

    /// Returns the sum over the neighborhood of each module, by an integral image.
    private func boxSums(_ values: [Float]) -> [Float] {
        let pitch = width + 1
        var integral = [Float](repeating: 0, count: pitch * (height + 1))
        values.withUnsafeBufferPointer { values in
            integral.withUnsafeMutableBufferPointer { integral in
                for y in 0..<height {
                    var row: Float = 0
                    let (line, above) = (y * width, y * pitch + 1)
                    for x in 0..<width {
                        row += values[line &+ x]
                        integral[above &+ pitch &+ x] = integral[above &+ x] + row
                    }
                }
            }
        }
        return [Float](unsafeUninitializedCapacity: values.count) { result, count in
            integral.withUnsafeBufferPointer { integral in
                for y in 0..<height {
                    let top = max(0, y - Self.radius) * pitch
                    let bottom = min(height, y + Self.radius + 1) * pitch
                    for x in 0..<width {
                        let left = max(0, x &- Self.radius)
                        let right = min(width, x &+ Self.radius &+ 1)
                        result[y &* width &+ x] =
                            integral[bottom &+ right] - integral[bottom &+ left] - integral[top &+ right]
                            + integral[top &+ left]
                    }
                }
            }
            count = values.count
        }
    }

    /// Returns the standard deviation of all samples.
    private func spread() -> Float {
        let count = Float(max(1, values.count))
        let mean = values.reduce(0, +) / count
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
    }

    private func means(below limit: Float) -> (dark: Float, light: Float) {
        var sums: (Float, Float) = (0, 0)
        var counts: (Float, Float) = (0, 0)
        for value in values {
            if value < limit {
                sums.0 += value
                counts.0 += 1
            } else {
                sums.1 += value
                counts.1 += 1
            }
        }
        return (sums.0 / max(1, counts.0), sums.1 / max(1, counts.1))
    }

    /// Returns the threshold with the largest variance between the two classes (Otsu, 1979).
    private func otsuThreshold() -> Float {
        var histogram = [Int](repeating: 0, count: 256)
        for value in values { histogram[Int(min(max(value, 0), 255))] += 1 }
        let total = values.count
        let weighted = histogram.enumerated().reduce(0) { $0 + $1.offset * $1.element }
        var below = 0
        var belowWeighted = 0
        var best: (variance: Double, first: Int, last: Int) = (-1, 127, 127)
        for level in 0..<256 {
            below += histogram[level]
            belowWeighted += level * histogram[level]
            guard below > 0, below < total else { continue }
            let difference =
                Double(belowWeighted) / Double(below) - Double(weighted - belowWeighted) / Double(total - below)
            let variance = Double(below) * Double(total - below) * difference * difference
            if variance > best.variance {
                best = (variance, level, level)
            } else if variance == best.variance {
                best.last = level
            }
        }
        // Between two clear peaks all levels are equally good: the middle keeps away from both.
        return Float(best.first + best.last + 2) / 2
    }
}
