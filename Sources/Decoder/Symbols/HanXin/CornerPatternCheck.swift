internal import BarcodeCore
internal import Glibc

/// Verifies a candidate core in all directions.
///
/// The caller must keep the pixels alive.
struct CornerPatternCheck {
    let pixels: UnsafePointer<UInt8>
    let width: Int
    let height: Int
    /// The tone of the core, 1 for dark.
    let tone: UInt8

    /// Returns the pattern whose core contains a pixel; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - length: the width of the core in pixels along the scanned line.
    ///   - quarter: the direction of the bows on that line, in quarter turns from the right.
    func pattern(_ place: (x: Int, y: Int), isRow: Bool, length: Int, quarter: Int) -> CornerPattern? {
        var (x, y) = place
        let longest = 2 * length + 2
        // First across the line, then along it again through the middle of the run across.
        guard let across = core(x, y, isAlongRow: !isRow, longest: longest),
            2 * across.length >= length
        else { return nil }
        if isRow { y = across.middle } else { x = across.middle }
        guard let along = core(x, y, isAlongRow: isRow, longest: longest) else { return nil }
        if isRow { x = along.middle } else { y = along.middle }
        let center = Point(
            x: (isRow ? along.center : across.center), y: (isRow ? across.center : along.center))
        let width = Double(along.length + across.length) / 2
        guard let fit = fitted(center, width: width, near: quarter) else { return nil }
        return CornerPattern(
            center: center, width: width, direction: Point(x: cos(fit.direction), y: sin(fit.direction)),
            module: fit.module, modulesSeen: fit.seen, isInverted: tone == 0)
    }

    /// Returns the direction and the size with the most matching modules; `nil` if these are too few.
    ///
    /// - Parameter quarter: quarter turns to a direction that crosses both bows; their corner is within 60 degrees of
    ///   it.
    private func fitted(
        _ center: Point, width: Double, near quarter: Int
    ) -> (direction: Double, module: Double, seen: Int)? {
        let near = quarter * Self.directions / 4
        var rough = (direction: 0, seen: Self.leastSeenRoughly - 1)
        for turn in -6...6 {
            let direction = (near + 4 * turn + Self.directions) % Self.directions
            let seen = modulesSeen(center, direction, width: width, atLeast: rough.seen + 1)
            if seen > rough.seen { rough = (direction, seen) }
        }
        guard rough.seen >= Self.leastSeenRoughly else { return nil }
        var best = (direction: 0, scale: 0.0, seen: Self.leastSeen - 1)
        for turn in [0, 1, -1, 2, -2] {
            let direction = (rough.direction + turn + Self.directions) % Self.directions
            for scale in Self.scales {
                let seen = modulesSeen(center, direction, width: scale * width, atLeast: best.seen + 1)
                if seen > best.seen { best = (direction, scale, seen) }
            }
        }
        guard best.scale > 0 else { return nil }
        return (
            2 * .pi * Double(best.direction) / Double(Self.directions),
            best.scale * width * Self.modules[best.direction], best.seen
        )
    }

    /// Counts the modules that match a pattern whose bows point in a direction.
    ///
    /// Returns 0 early if `wanted` is out of reach, or if few of the first ones match.
    private func modulesSeen(_ center: Point, _ direction: Int, width: Double, atLeast wanted: Int) -> Int {
        var seen = 0
        let (centerX, centerY, scale) = (Float(center.x), Float(center.y), Float(width))
        let (right, bottom) = (Float(self.width), Float(height))
        Self.places.withUnsafeBufferPointer { places in
            let first = direction * Self.count
            for number in 0..<Self.count {
                if number % 16 == 0, 8 * seen < 5 * number || seen + Self.count - number < wanted {
                    seen = 0
                    return
                }
                let place = places[first + number]
                let (x, y) = (centerX + scale * place.x, centerY + scale * place.y)
                guard x >= 0, y >= 0, x < right, y < bottom else { continue }
                if (pixels[Int(y) * self.width + Int(x)] == tone) == place.isTone { seen += 1 }
            }
        }
        return seen
    }

    /// The number of modules of a pattern and the light around it, nine by nine.
    private static let count = 81
    /// The minimum number of matching modules: half match by chance, and 66 is more than five standard deviations
    /// above that.
    private static let leastSeen = 66
    /// The same for an approximate direction and size.
    private static let leastSeenRoughly = 54
    /// The number of directions in a full turn; every fourth is tried first.
    private static let directions = 144
    /// The sizes to try, relative to the core's.
    private static let scales = [1, 0.93, 1.07, 0.86, 1.15]

    /// The module size in pixels per pixel of the core's width along a row, for each direction: a row crosses a
    /// rotated square on more than its side.
    private static let modules: [Double] = (0..<directions).map {
        let side = 2 * .pi * Double($0) / Double(directions) - .pi / 4
        return max(abs(cos(side)), abs(sin(side))) / 3
    }

    /// The centers of the modules for each direction, in units of the core's width, and whether they have its tone.
    ///
    /// Modules far apart follow each other.
    private static let places: [(x: Float, y: Float, isTone: Bool)] = (0..<directions).flatMap { direction in
        let side = 2 * .pi * Double(direction) / Double(directions) - .pi / 4
        let (x, y) = (modules[direction] * cos(side), modules[direction] * sin(side))
        return (0..<count).map { number in
            let (across, down) = (number * 32 % count % 9 - 2, number * 32 % count / 9 - 2)
            let (a, b) = (Double(across), Double(down))
            let depth = max(across, down)
            return (
                Float(a * x - b * y), Float(a * y + b * x),
                min(across, down) > -2 && (depth < 2 || depth == 3 || depth == 5)
            )
        }
    }

    /// Returns the run of the core's tone through a pixel; `nil` if there is none.
    private func core(
        _ x: Int, _ y: Int, isAlongRow: Bool, longest: Int
    ) -> (middle: Int, center: Double, length: Int)? {
        let (dx, dy) = isAlongRow ? (1, 0) : (0, 1)
        guard
            let after = run(x, y, dx, dy, longest: longest),
            let before = run(x, y, -dx, -dy, longest: longest)
        else { return nil }
        let place = isAlongRow ? x : y
        let (low, high) = (place - before + 1, place + after)
        return ((low + high) / 2, Double(low + high) / 2, high - low)
    }

    /// Returns the number of steps from a pixel to the end of its run, including the pixel; `nil` if the pixel has
    /// another tone, or if the run is too long or ends at the edge of the picture.
    @inline(__always)
    private func run(_ x: Int, _ y: Int, _ dx: Int, _ dy: Int, longest: Int) -> Int? {
        var (x, y, count) = (x, y, 0)
        while x >= 0, y >= 0, x < width, y < height {
            if pixels[y * width + x] != tone { return count > 0 ? count : nil }
            count += 1
            if count > longest { return nil }
            x += dx
            y += dy
        }
        return nil
    }
}
