extension BinaryImage {
    /// The number of samples along a side of the image.
    private static let looks = 64

    /// Indicates whether a line of ink runs along a side of the image, such as the solid side of a symbol that fills
    /// it.
    ///
    /// The ink at its thinnest is at most a quarter of the image. Anything thicker is a dark background.
    ///
    /// - Parameter percent: the smallest share of dark pixels along the side.
    package func hasInkAlongSide(percent: Int) -> Bool {
        guard width > 0, height > 0 else { return false }
        return [(true, false), (true, true), (false, false), (false, true)].contains { isUpright, isFar in
            let (length, depth) = isUpright ? (height, width) : (width, height)
            let count = min(length, Self.looks)
            var inked = 0
            var thinnest = depth
            for look in 0..<count {
                let along = (2 * look + 1) * length / (2 * count)
                var run = 0
                while run < depth {
                    let across = isFar ? depth - 1 - run : run
                    guard pixels[isUpright ? along * width + across : across * width + along] == 1 else { break }
                    run += 1
                }
                if run > 0 {
                    inked += 1
                    thinnest = min(thinnest, run)
                }
            }
            return inked * 100 >= count * percent && thinnest * 4 <= depth
        }
    }
}
