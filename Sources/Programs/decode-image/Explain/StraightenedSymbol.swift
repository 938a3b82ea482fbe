import BarcodeCore

/// A place of a picture as it looks from straight above.
enum StraightenedSymbol {
    /// Pixels along the side, of which the symbol takes all but a margin.
    private static let side = 180
    private static let margin = 12

    /// The square between four corners with a little around it; nil where the corners make no square.
    static func picture(of corners: Quadrilateral, in image: LumaImage) -> LumaImage? {
        guard image.width > 0, image.height > 0, let map = Homography(size: side - 2 * margin, to: corners) else {
            return nil
        }
        return LumaImage(
            width: side, height: side,
            pixels: (0..<side * side).map { place in
                let point = map.map(Double(place % side - margin) + 0.5, Double(place / side - margin) + 0.5)
                // What is not finite would trap in the conversion.
                guard point.x >= 0, point.y >= 0, point.x < Double(image.width), point.y < Double(image.height) else {
                    return 128
                }
                return image[x: Int(point.x), y: Int(point.y)]
            })
    }
}
