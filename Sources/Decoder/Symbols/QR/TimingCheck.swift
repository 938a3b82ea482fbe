internal import BarcodeCore

/// Checks the timing patterns between the finder patterns of a candidate, in a binary image.
///
/// Candidates that pass are tried first, and their patterns are removed from others. None is rejected without them,
/// because they are only one module wide.
enum TimingCheck {
    /// The smallest share of correct modules: chance gives a half, and so does a column beside the pattern.
    private static let leastShare = 0.85

    static func isTimed(_ place: QRLocator.Candidate, in binary: BinaryImage) -> Bool {
        guard place.size > 15, place.size < 180, let map = Homography(unitSquareTo: place.corners) else { return false }
        // The modules between two finder patterns: 7 of 21, and four more for each version.
        let modules = Int(((place.size - 21) / 4).rounded()) * 4 + 7
        guard modules >= 7, modules <= 163 else { return false }
        let most = (1 - leastShare) * Double(modules)
        let dark: UInt8 = place.isInverted ? 0 : 1
        return binary.pixels.withUnsafeBufferPointer { pixels in
            // Both patterns, because the edge of another symbol often runs beside one of them.
            [false, true].allSatisfy { isDown in
                var wrong = 0
                for module in 0..<modules {
                    let along = (7 + (Double(module) + 0.5) * (place.size - 14) / Double(modules)) / place.size
                    let across = 6.5 / place.size
                    let point = isDown ? map.map(across, along) : map.map(along, across)
                    guard point.isInside(width: binary.width, height: binary.height) else {
                        wrong += 1
                        continue
                    }
                    let isDark = pixels[Int(point.y) * binary.width + Int(point.x)] == dark
                    if isDark != (module % 2 == 1) { wrong += 1 }
                    if Double(wrong) > most { return false }
                }
                return true
            }
        }
    }
}
