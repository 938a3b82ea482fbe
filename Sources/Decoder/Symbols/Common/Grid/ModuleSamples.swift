import BarcodeCore

/// The brightness of each module of a symbol, 0 to 255, row by row.
struct ModuleSamples {
    /// The number of modules in a row.
    let width: Int
    /// The number of modules in a column.
    let height: Int
    /// The brightness of each module.
    var values: [Float]
    /// The ratio of a module's width to its height, in pixels at the center of the symbol.
    var aspect: Float = 1
    /// The indices of modules whose center is outside the picture.
    var outside: [Int] = []

    /// Creates samples of modules that are not square, taken by the caller.
    ///
    /// - Precondition: there are `width` times `height` values.
    init(width: Int, height: Int, values: [Float], outside: [Int]) {
        precondition(values.count == width * height, "the number of values must be that of the modules")
        self.width = width
        self.height = height
        self.values = values
        self.outside = outside
    }

    /// The distance between the sampled points within a module, in modules.
    private static let inner = 0.25

    /// Samples the center of each module: the mean of nine points of its inner half if it is wider than three pixels,
    /// else one point.
    init(_ pixels: PixelSampler, map: Homography, mesh: (any ModuleShifts)? = nil, width: Int, height: Int) {
        self.width = width
        self.height = height
        var values = [Float](repeating: 0, count: width * height)
        var outside: [Int] = []
        let isLarge = Self.moduleArea(map, width: width, height: height) > 9
        for y in 0..<height {
            for x in 0..<width {
                var centerX = Double(x) + 0.5
                var centerY = Double(y) + 0.5
                if let mesh {
                    let shift = mesh.shift(centerX, centerY)
                    centerX += shift.x
                    centerY += shift.y
                }
                let center = map.map(centerX, centerY)
                if !pixels.contains(center) { outside.append(y * width + x) }
                if isLarge {
                    // Within one module, perspective is negligible.
                    let right = map.map(centerX + Self.inner, centerY)
                    let down = map.map(centerX, centerY + Self.inner)
                    values[y * width + x] = pixels.meanBrightness(
                        center, toRight: Point(x: right.x - center.x, y: right.y - center.y),
                        down: Point(x: down.x - center.x, y: down.y - center.y))
                } else {
                    values[y * width + x] = pixels.brightness(center)
                }
            }
        }
        self.values = values
        self.outside = outside
        aspect = Self.aspect(map, x: Double(width) / 2, y: Double(height) / 2)
    }

    private static func aspect(_ map: Homography, x: Double, y: Double) -> Float {
        let center = map.map(x, y)
        func length(_ to: Point) -> Double {
            ((to.x - center.x) * (to.x - center.x) + (to.y - center.y) * (to.y - center.y)).squareRoot()
        }
        let ratio = length(map.map(x + 1, y)) / length(map.map(x, y + 1))
        return ratio.isFinite ? Float(min(max(ratio, 0.1), 10)) : 1
    }

    /// Returns the mean area of a module in square pixels.
    static func moduleArea(_ map: Homography, width: Int, height: Int) -> Double {
        let corners = map.quadrilateral(width: Double(width), height: Double(height)).points
        var twice = 0.0
        for index in 0..<4 {
            let (from, to) = (corners[index], corners[(index + 1) % 4])
            twice += from.cross(to)
        }
        return abs(twice) / 2 / Double(width * height)
    }
}
