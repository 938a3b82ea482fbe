internal import BarcodeCore
internal import Glibc

/// Looks closer at where a core may be, in all directions.
///
/// The pixels are lent by whoever makes it, for as long as it lives.
struct CornerPatternCheck {
    let pixels: UnsafePointer<UInt8>
    let width: Int
    let height: Int
    /// The tone of the core.
    let tone: UInt8

    /// The pattern whose core is around a pixel; nil where there is none.
    ///
    /// - Parameters:
    ///   - length: pixels of the core along the line on which it was seen.
    ///   - quarter: the quarter turns from the right to the direction in which the bows were seen.
    func pattern(_ place: (x: Int, y: Int), isRow: Bool, length: Int, quarter: Int) -> CornerPattern? {
        var (x, y) = place
        let longest = 2 * length + 2
        // Across the line, then along it once more through the middle of what is across.
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

    /// The direction and the size at which most modules of a pattern are seen; nil where they are too few.
    ///
    /// - Parameter quarter: quarter turns to a direction in which both bows are met: they meet within 60 degrees of it.
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

    /// How many modules are as they are in a pattern whose bows meet in a direction; none where they cannot be as many as are
    /// wanted, or few of the first ones are.
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

    /// Modules of a pattern and of the light around it, nine by nine.
    private static let count = 81
    /// Of them those that must be seen: by chance it is half, and 66 is more than five standard deviations from that.
    private static let leastSeen = 66
    /// The same where direction and size are roughly right.
    private static let leastSeenRoughly = 54
    /// Directions all around; every fourth is tried at first.
    private static let directions = 144
    /// Sizes as parts of what the core says.
    private static let scales = [1, 0.93, 1.07, 0.86, 1.15]

    /// Pixels a module by the pixels across the core along a row, in each direction: a row through a square that is turned is
    /// longer than its side.
    private static let modules: [Double] = (0..<directions).map {
        let side = 2 * .pi * Double($0) / Double(directions) - .pi / 4
        return max(abs(cos(side)), abs(sin(side))) / 3
    }

    /// The middles of the modules in each direction, by the pixels across the core, and whether they are of its tone; such
    /// as are far apart follow each other.
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

    /// The run of a tone through a pixel.
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

    /// Steps from a pixel to the end of the tone there, the first pixel included; nil where it is another tone, or where
    /// the run is too long or ends with the picture.
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
