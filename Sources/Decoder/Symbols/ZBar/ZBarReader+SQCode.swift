public import BarcodeCore

extension ZBarReader {
    /// The dots along a side of the smallest SQ Code that zbar reads: of at least 14 positions, with gaps as wide
    /// as dots.
    private static let leastDots = 6
    /// The image side divided by this is the largest dot size, with some tolerance; all dots have about the same
    /// size.
    private static let largestDot = leastDots - 2

    /// Indicates whether zbar may find an SQ Code in an image.
    ///
    /// zbar takes the first pixel in row order that is darker than half as the first dot of a symbol. If that pixel
    /// belongs to a shape larger than a dot, or nothing dark is to its left and right, zbar finds none. Checking
    /// this first saves time, because zbar's own first step takes time in proportion to the square of the dark area
    /// around that pixel.
    public static func maySeeSQCode(in image: LumaImage) -> Bool {
        image.withUnsafePixels { pixels in
            func isDark(_ x: Int, _ y: Int) -> Bool {
                x >= 0 && y >= 0 && x < image.width && y < image.height && pixels[y * image.bytesPerRow + x] <= 127
            }
            func hasDark(_ x: ClosedRange<Int>, _ y: ClosedRange<Int>) -> Bool {
                y.contains { y in x.contains { isDark($0, y) } }
            }
            guard let start = firstDark(pixels, of: image) else { return false }
            // The bounding box of its connected component, which nothing dark touches.
            var (left, right, top, bottom) = (start.x, start.x, start.y, start.y)
            var isGrowing = true
            while isGrowing {
                isGrowing = false
                if hasDark(left - 1...right + 1, top - 1...top - 1) { (top, isGrowing) = (top - 1, true) }
                if hasDark(left - 1...right + 1, bottom + 1...bottom + 1) { (bottom, isGrowing) = (bottom + 1, true) }
                if hasDark(left - 1...left - 1, top...bottom) { (left, isGrowing) = (left - 1, true) }
                if hasDark(right + 1...right + 1, top...bottom) { (right, isGrowing) = (right + 1, true) }
                guard (right - left + 1) * largestDot <= image.width, (bottom - top + 1) * largestDot <= image.height
                else { return false }
            }
            let width = right - left + 1
            return hasDark(left - 2 * width...left - 1, top...bottom)
                || hasDark(right + 1...right + 2 * width, top...bottom)
        }
    }

    private static func firstDark(_ pixels: UnsafeBufferPointer<UInt8>, of image: LumaImage) -> (x: Int, y: Int)? {
        for y in 0..<image.height {
            let start = y * image.bytesPerRow
            var least: UInt8 = 255
            for place in start..<start + image.width { least = min(least, pixels[place]) }
            guard least <= 127 else { continue }
            return pixels[start..<start + image.width].firstIndex { $0 <= 127 }.map { ($0 - start, y) }
        }
        return nil
    }
}
