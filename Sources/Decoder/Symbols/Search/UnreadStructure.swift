internal import BarcodeCore

extension UnreadPlaces.Place {
    /// The module size in pixels below which single modules cannot be distinguished.
    private static let tellableModule = 1.6
    /// The largest QR Code, in modules, that is accepted with smaller modules than that: in a larger one, the finder
    /// patterns usually belong to different things.
    private static let largestUncheckedQR = 57.0
    /// The smallest contrast of a line with modules.
    private static let leastContrast = 20

    /// Indicates whether the fixed structure of the kind is visible in the full image.
    ///
    /// Most candidates of a search are texture or print, because the search must not miss a symbol. Here a false one
    /// is worse than a missed one.
    func hasStructure(in image: LumaImage) -> Bool {
        let quad = corners
        switch kind {
        case .init(.qrCode): return hasTiming(image, quad)
        case .init(.dataMatrix): return hasFrame(image, quad)
        case .linear: return hasBars(image, quad)
        default: return true
        }
    }

    /// Indicates whether one of the timing patterns of a QR Code alternates: the seventh row or the seventh column.
    private func hasTiming(_ image: LumaImage, _ quad: Quadrilateral) -> Bool {
        let size = max(21, (quad.topLeft.distance(to: quad.topRight) / module).rounded())
        if module < Self.tellableModule { return size <= Self.largestUncheckedQR }
        let (start, end, row) = (6.5 / size, 1 - 6.5 / size, 6.5 / size)
        return [true, false].contains { isRow in
            let ends = [start, end].map { isRow ? quad.point($0, row) : quad.point(row, $0) }
            let line = ModuleLine(image, from: ends[0], to: ends[1])
            // A part of it may be covered.
            let single = line.runs.count { (0.4...1.8).contains(Double($0) / module) }
            return line.contrast >= Self.leastContrast && 2 * Double(single) >= size - 13
        }
    }

    /// Indicates whether two sides that meet are solid with a light area outside, and the others alternate.
    private func hasFrame(_ image: LumaImage, _ quad: Quadrilateral) -> Bool {
        let across = module / max(1, quad.topLeft.distance(to: quad.topRight))
        let down = module / max(1, quad.topLeft.distance(to: quad.bottomLeft))
        func row(_ y: Double) -> ModuleLine { ModuleLine(image, from: quad.point(0, y), to: quad.point(1, y)) }
        func column(_ x: Double) -> ModuleLine { ModuleLine(image, from: quad.point(x, 0), to: quad.point(x, 1)) }
        let dotted = [row(down / 2), column(1 - across / 2)]
        guard
            dotted.allSatisfy({
                $0.contrast >= Self.leastContrast && (8...144).contains($0.runs.count) && $0.isRegular(longest: 2)
            })
        else { return false }
        let middle = dotted.map(\.middle).reduce(0, +) / 2
        let solid = [row(1 - down / 2), column(across / 2)].map { $0.share(below: middle) }
        let outside = [row(1 + down), column(-across)].map { $0.share(below: middle) }
        return solid.allSatisfy { $0 > 0.85 } && outside.allSatisfy { $0 < 0.2 }
            || solid.allSatisfy { $0 < 0.15 } && outside.allSatisfy { $0 > 0.8 }
    }

    /// The number of lines through bars.
    ///
    /// Each is compared with the next but one, which crosses letters at another height.
    private static let linesOfBars = 16
    /// The number of lines in a row that show the same bars, and the smallest number of bars and spaces.
    private static let linesAlike = 5
    private static let fewestBars = 16

    /// Indicates whether the same bars are visible on several lines in a row.
    private func hasBars(_ image: LumaImage, _ quad: Quadrilateral) -> Bool {
        let lines = (0..<Self.linesOfBars).map { line in
            let share = (Double(line) + 0.5) / Double(Self.linesOfBars)
            return ModuleLine(image, from: quad.point(0, share), to: quad.point(1, share))
        }
        var alike = 0
        for (one, other) in zip(lines, lines.dropFirst(2)) {
            let areBars = [one, other].allSatisfy {
                $0.contrast >= Self.leastContrast && $0.runs.count >= Self.fewestBars
            }
            alike = areBars && one.correlation(with: other) >= 0.8 ? alike + 1 : 0
            if alike == Self.linesAlike { return true }
        }
        return false
    }
}

/// The brightness along a line, and its dark and light runs.
private struct ModuleLine {
    let values: [UInt8]
    let contrast: Int
    let middle: Int
    /// The lengths of the runs in pixels.
    let runs: [Int]

    init(_ image: LumaImage, from start: Point, to end: Point) {
        values = image.values(from: start, to: end, limit: 600)
        let (darkest, lightest) = (Int(values.min() ?? 0), Int(values.max() ?? 0))
        (contrast, middle) = (lightest - darkest, (lightest + darkest) / 2)
        // A run ends where the brightness has clearly crossed the middle, so that noise does not end one.
        let margin = contrast / 10
        var found: [Int] = []
        var isDark: Bool?
        for value in values {
            let tone: Bool? =
                Int(value) < middle - margin ? true : Int(value) > middle + margin ? false : isDark
            if tone != isDark || found.isEmpty { found.append(0) }
            isDark = tone
            found[found.count - 1] += 1
        }
        runs = found
    }

    /// Indicates whether no run is longer than a number of times the mean.
    func isRegular(longest: Double) -> Bool {
        let mean = Double(values.count) / Double(max(1, runs.count))
        return Double(runs.max() ?? 0) <= longest * mean + 1
    }

    func share(below level: Int) -> Double {
        Double(values.count { Int($0) < level }) / Double(max(1, values.count))
    }

    func correlation(with other: ModuleLine) -> Double {
        let count = min(values.count, other.values.count)
        guard count > 0 else { return 0 }
        let mean = [values, other.values].map { $0.prefix(count).reduce(0) { $0 + Double($1) } / Double(count) }
        var (both, one, two) = (0.0, 0.0, 0.0)
        for index in 0..<count {
            let (a, b) = (Double(values[index]) - mean[0], Double(other.values[index]) - mean[1])
            both += a * b
            one += a * a
            two += b * b
        }
        return one > 0 && two > 0 ? both / (one * two).squareRoot() : 0
    }
}

extension Quadrilateral {
    /// Returns a point by its shares of the width and the height.
    fileprivate func point(_ across: Double, _ down: Double) -> Point {
        topLeft.between(topRight, across).between(bottomLeft.between(bottomRight, across), down)
    }
}
