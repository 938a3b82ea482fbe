internal import BarcodeCore
internal import Glibc

/// The correlation of the pixels around a point with a finder pattern, also off the four scan lines that found it.
///
/// Rings that occur by chance in texture along a row, a column and two diagonals are not rings in between.
enum FinderCorrelation {
    /// The centers of the modules at several angles, relative to the center of the pattern, in modules; the light
    /// ring comes last.
    private static let rotations: [[SIMD2<Float>]] = stride(from: 0.0, to: 90, by: 15).map { degrees in
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        // A row through a rotated square is longer than its side.
        let side = max(abs(cosine), abs(sine))
        let places = (-3...3).flatMap { row in (-3...3).map { column in (column, row) } }
        func isLight(_ place: (Int, Int)) -> Bool { max(abs(place.0), abs(place.1)) == 2 }
        return (places.filter { !isLight($0) } + places.filter(isLight)).map { column, row in
            SIMD2(
                Float(side * (Double(column) * cosine - Double(row) * sine)),
                Float(side * (Double(column) * sine + Double(row) * cosine)))
        }
    }
    /// The number of modules outside the light ring, and the number of all modules.
    private static let (inner, all) = (33, 49)
    /// The correlation above which no other angle is tried.
    private static let enough = 0.75

    /// Returns the correlation of the pixels at the centers of the modules with a finder pattern, at the best angle:
    /// 1 if all match, near 0 by chance.
    static func value(
        of pattern: FinderPattern, in pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int
    ) -> Double {
        let tone: UInt8 = pattern.isInverted ? 0 : 1
        let (moduleX, moduleY) = (Float(pattern.width) / 7, Float(pattern.height) / 7)
        let (x, y) = (Float(pattern.center.x), Float(pattern.center.y))
        var best = -1.0
        for rotation in rotations {
            var (inside, outside) = (0, 0)
            rotation.withUnsafeBufferPointer { rotation in
                for index in 0..<rotation.count {
                    // Clamped because a ring may extend beyond the edge of the image.
                    let column = min(max(Int(x + rotation[index].x * moduleX), 0), width - 1)
                    let row = min(max(Int(y + rotation[index].y * moduleY), 0), height - 1)
                    let isTone = pixels[row &* width &+ column] == tone ? 1 : 0
                    if index < inner { inside &+= isTone } else { outside &+= isTone }
                }
            }
            let (count, ring) = (inside + outside, all - inner)
            let spread = Double(inner * ring * count * (all - count))
            guard spread > 0 else { continue }
            best = max(best, Double(inside * ring - outside * inner) / spread.squareRoot())
            if best >= enough { break }
        }
        return best
    }
}
