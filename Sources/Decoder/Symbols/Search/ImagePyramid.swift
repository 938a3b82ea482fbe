internal import BarcodeCore

/// A picture and its halves, each made when it is first asked for.
struct ImagePyramid {
    private var levels: [LumaImage]

    init(_ image: LumaImage) {
        levels = [image]
    }

    /// The picture at 1/2^`level` of its size.
    mutating func image(atLevel level: Int) -> LumaImage {
        while levels.count <= level {
            levels.append(levels[levels.count - 1].halved())
        }
        return levels[level]
    }

    /// The level that has at most so many pixels; 0 for a picture that is small enough as it is.
    static func level(width: Int, height: Int, maximumPixels: Int) -> Int {
        var level = 0
        while (width >> level) * (height >> level) > maximumPixels { level += 1 }
        return level
    }

    /// The last level whose shorter side still has so many pixels; 0 for a picture that is smaller already.
    static func lastLevel(width: Int, height: Int, minimumSide: Int) -> Int {
        var level = 0
        while min(width, height) >> (level + 1) >= minimumSide { level += 1 }
        return level
    }
}
