internal import BarcodeCore

/// An image pyramid; each level is computed at its first use.
struct ImagePyramid {
    private var levels: [LumaImage]

    init(_ image: LumaImage) {
        levels = [image]
    }

    /// Returns the image at 1/2^`level` of its size.
    mutating func image(atLevel level: Int) -> LumaImage {
        while levels.count <= level {
            levels.append(levels[levels.count - 1].halved())
        }
        return levels[level]
    }

    /// Returns the first level with at most `maximumPixels` pixels.
    static func level(width: Int, height: Int, maximumPixels: Int) -> Int {
        var level = 0
        while (width >> level) * (height >> level) > maximumPixels { level += 1 }
        return level
    }

    /// Returns the last level whose shorter side has at least `minimumSide` pixels; 0 for a smaller image.
    static func lastLevel(width: Int, height: Int, minimumSide: Int) -> Int {
        var level = 0
        while min(width, height) >> (level + 1) >= minimumSide { level += 1 }
        return level
    }
}
