internal import BarcodeCore

/// The correlation of samples with a pattern of dark and light, from -1 (inverted) to 1.
struct PatternCorrelation {
    private var count: Float = 0
    private var patternSum: Float = 0
    private var sum: Float = 0
    private var sumOfSquares: Float = 0
    private var sumOfProducts: Float = 0

    /// Adds a sample of a module that is dark or light in the pattern.
    @inline(__always)
    mutating func add(_ brightness: Float, isDark: Bool) {
        let sign: Float = isDark ? -1 : 1
        count += 1
        patternSum += sign
        sum += brightness
        sumOfSquares += brightness * brightness
        sumOfProducts += brightness * sign
    }

    /// The correlation; 0 if there is hardly any contrast.
    var value: Float {
        guard count > 0 else { return 0 }
        let covariance = sumOfProducts / count - (patternSum / count) * (sum / count)
        let patternVariance = 1 - (patternSum / count) * (patternSum / count)
        let variance = sumOfSquares / count - (sum / count) * (sum / count)
        // A standard deviation of two levels of 255 is noise.
        guard variance > 4, patternVariance > 0 else { return 0 }
        return covariance / (patternVariance * variance).squareRoot()
    }
}

extension PixelSampler {
    /// Returns the correlation of a finder pattern and its light margin around a center, in module coordinates of
    /// `map`.
    func finderScore(_ map: Homography, x: Double, y: Double, module: Double = 1) -> Float {
        ringScore(map, x: x, y: y, module: module, rings: 4) { $0 == 2 || $0 == 4 }
    }

    /// Returns the same from the modules on the pattern's axes and diagonals alone, for a quick first look.
    func quickFinderScore(_ map: Homography, x: Double, y: Double, module: Double) -> Float {
        var correlation = PatternCorrelation()
        correlation.add(brightness(map.map(x, y)), isDark: true)
        for ring in 1...4 {
            let isDark = ring == 1 || ring == 3
            let reach = Double(ring) * module
            correlation.add(brightness(map.map(x - reach, y)), isDark: isDark)
            correlation.add(brightness(map.map(x + reach, y)), isDark: isDark)
            correlation.add(brightness(map.map(x, y - reach)), isDark: isDark)
            correlation.add(brightness(map.map(x, y + reach)), isDark: isDark)
            correlation.add(brightness(map.map(x - reach, y - reach)), isDark: isDark)
            correlation.add(brightness(map.map(x + reach, y - reach)), isDark: isDark)
            correlation.add(brightness(map.map(x - reach, y + reach)), isDark: isDark)
            correlation.add(brightness(map.map(x + reach, y + reach)), isDark: isDark)
        }
        return correlation.value
    }

    /// Returns the correlation of an alignment pattern around a center, in module coordinates of `map`.
    func alignmentScore(_ map: Homography, x: Double, y: Double) -> Float {
        ringScore(map, x: x, y: y, module: 1, rings: 2) { $0 == 1 }
    }

    @inline(__always)
    private func ringScore(
        _ map: Homography, x: Double, y: Double, module: Double, rings: Int, isLight: (Int) -> Bool
    ) -> Float {
        var correlation = PatternCorrelation()
        // Most patterns are inside the picture, so that no point needs a bounds check.
        if let box = map.bounds(x: x, y: y, reach: Double(rings) * module), isInside(box) {
            for dy in -rings...rings {
                for dx in -rings...rings {
                    correlation.add(
                        brightnessInside(map.map(x + Double(dx) * module, y + Double(dy) * module)),
                        isDark: !isLight(max(abs(dx), abs(dy))))
                }
            }
            return correlation.value
        }
        for dy in -rings...rings {
            for dx in -rings...rings {
                correlation.add(
                    brightness(map.map(x + Double(dx) * module, y + Double(dy) * module)),
                    isDark: !isLight(max(abs(dx), abs(dy))))
            }
        }
        return correlation.value
    }

    /// Returns the correlation of both timing patterns; `map` maps the modules of a symbol with `size` modules a
    /// side.
    func timingScore(_ map: Homography, size: Int) -> Float {
        var correlation = PatternCorrelation()
        for index in 8..<(size - 8) {
            let along = Double(index) + 0.5
            correlation.add(brightness(map.map(along, 6.5)), isDark: index % 2 == 0)
            correlation.add(brightness(map.map(6.5, along)), isDark: index % 2 == 0)
        }
        return correlation.value
    }

    /// Returns the point near another with the highest score: a raster of half modules first, then a climb from its
    /// best point.
    ///
    /// Distant points need a slightly higher score, since data modules sometimes look like a pattern.
    func search(
        around start: (x: Double, y: Double), reach: Int, score: (Double, Double) -> Float
    ) -> (x: Double, y: Double, score: Float) {
        var best = start
        var bestScore: Float = -2
        for row in -reach...reach {
            for column in -reach...reach {
                let (x, y) = (start.x + Double(column) * 0.5, start.y + Double(row) * 0.5)
                let value = score(x, y) - 0.01 * Float(abs(row) + abs(column))
                if value > bestScore {
                    bestScore = value
                    best = (x, y)
                }
            }
        }
        return climb(from: best, steps: [0.25, 0.125], score: score)
    }

    /// Climbs from a point to the highest `score`, in steps of decreasing size.
    ///
    /// Each round tries the eight neighbors; two rounds for each step size limit the work.
    func climb(
        from start: (x: Double, y: Double), steps: [Double], score: (Double, Double) -> Float
    ) -> (x: Double, y: Double, score: Float) {
        var best = (x: start.x, y: start.y, score: score(start.x, start.y))
        for step in steps {
            // The step that led to the center, whose other neighbors have been looked at.
            var move: (x: Int, y: Int)?
            for _ in 0..<2 {
                let center = best
                let last = move
                move = nil
                for dy in -1...1 {
                    for dx in -1...1 where dx != 0 || dy != 0 {
                        if let last, abs(last.x + dx) <= 1, abs(last.y + dy) <= 1 { continue }
                        let (x, y) = (center.x + Double(dx) * step, center.y + Double(dy) * step)
                        let value = score(x, y)
                        if value > best.score {
                            best = (x, y, value)
                            move = (dx, dy)
                        }
                    }
                }
                if move == nil { break }
            }
        }
        return best
    }
}
