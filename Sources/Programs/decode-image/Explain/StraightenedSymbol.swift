import BarcodeCore

/// A symbol with its perspective removed (by a homography).
enum StraightenedSymbol {
    /// The side length in pixels; the symbol fills it except for a margin.
    private static let side = 180
    private static let margin = 12

    /// The rectified area of four corners with a margin; `nil` if the corners have no valid homography.
    static func picture(of corners: Quadrilateral, in image: LumaImage) -> LumaImage? {
        guard image.width > 0, image.height > 0, let map = Homography(size: side - 2 * margin, to: corners) else {
            return nil
        }
        return LumaImage(
            width: side, height: side,
            pixels: (0..<side * side).map { place in
                let point = map.map(Double(place % side - margin) + 0.5, Double(place / side - margin) + 0.5)
                // A coordinate that is not finite would trap in the conversion.
                guard point.x >= 0, point.y >= 0, point.x < Double(image.width), point.y < Double(image.height) else {
                    return 128
                }
                return image[x: Int(point.x), y: Int(point.y)]
            })
    }
}
