internal import BarcodeCore

extension SearchStrategy.Method {
    /// Searches again with edges sharpened, if many edges of the image are soft, as out of focus or in motion.
    static let sharpened = Self(
        name: "sharpened", title: "symbols in a blurred picture, with its edges sharpened",
        // Noise is raised too.
        symbologies: symbologiesInTexture
    ) { state, level throws(DecodeError) in
        let image = state.image(atLevel: level)
        guard image.isBlurred else {
            state.trace?(.note("Too few edges of the picture are soft."))
            return
        }
        for reach in sharpeningReaches where state.isWorthwhile() && state.found.count == 0 {
            state.trace?(.note("The edges are sharpened over \(reach) pixels to each side."))
            try state.search(image.sharpened(reach: reach), by: SearchStrategy.basic + SearchStrategy.ofBlurredBars) {
                $0.scaled(by: Double(1 << level))
            }
        }
    }

    /// The reaches in pixels: for modules of three pixels and more, and for smaller ones.
    private static let sharpeningReaches = [3, 1]
}

extension LumaImage {
    /// The smallest difference in brightness between the two sides of an edge.
    private static let leastEdge = 24
    /// The share of an edge's difference between two neighboring pixels, below which the edge is soft: after a blur
    /// with a standard deviation of one pixel, it is 0.4.
    private static let softStep = 0.4
    /// The smallest share of soft edges in a blurred image.
    private static let leastSoft = 0.4
    /// The distance of the rows in which edges are counted.
    private static let edgeRowStep = 8

    /// True if many edges across the rows rise or fall over several pixels.
    ///
    /// This holds for a third of the photos of symbols that are not read, and for hardly any rendering.
    var isBlurred: Bool {
        withUnsafePixels { pixels in
            var (soft, sharp) = (0, 0)
            for y in stride(from: Self.edgeRowStep / 2, to: height, by: Self.edgeRowStep) {
                let row = y * bytesPerRow
                // The sum and the extreme of the differences of one sign up to here.
                var (sum, steepest) = (0, 0)
                func end() {
                    guard abs(sum) >= Self.leastEdge else { return }
                    if Double(abs(steepest)) < Self.softStep * Double(abs(sum)) { soft += 1 } else { sharp += 1 }
                }
                for place in row + 1..<row + max(1, width) {
                    let step = Int(pixels[place]) - Int(pixels[place - 1])
                    if step.signum() != sum.signum() {
                        end()
                        (sum, steepest) = (0, 0)
                    }
                    sum += step
                    if abs(step) > abs(steepest) { steepest = step }
                }
                end()
            }
            return Double(soft) > Self.leastSoft * Double(soft + sharp)
        }
    }

    /// The multiple of the difference between a pixel and the mean around it that is added to the pixel.
    private static let gain = 3

    /// Returns the image with the differences between each pixel and the mean of the square around it raised (unsharp
    /// masking).
    ///
    /// Once the time of the search is over, the rows below stay as they are.
    ///
    /// - Parameter reach: the number of pixels from the center of the square to its sides.
    func sharpened(reach: Int) -> LumaImage {
        let side = 2 * reach + 1
        let area = Int32(side * side)
        // The gain over the area, in 65,536ths. Its product with 255 times the area is far below 2^31.
        let share = Int32(Self.gain << 16) / area
        let last = width - 1
        return withUnsafePixels { pixels in
            LumaImage(width: width, height: height) { target in
                // The sums of the columns around a row; beyond the borders the outermost pixels are repeated.
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: width + 2 * reach) { sums in
                    sums.initialize(repeating: 0)
                    func add(_ row: Int, times factor: Int32) {
                        let start = min(max(row, 0), height - 1) * bytesPerRow
                        for x in 0..<width { sums[reach &+ x] &+= factor &* Int32(pixels[start &+ x]) }
                    }
                    for row in -reach..<reach { add(row, times: 1) }
                    for y in 0..<height {
                        let row = y * bytesPerRow
                        if SearchTime.isOver {
                            for x in 0..<width { target[y * width + x] = pixels[row + x] }
                            continue
                        }
                        add(y + reach, times: 1)
                        for beyond in 0..<reach {
                            sums[beyond] = sums[reach]
                            sums[reach + last + 1 + beyond] = sums[reach + last]
                        }
                        var sum: Int32 = 0
                        for x in 0..<2 * reach { sum &+= sums[x] }
                        for x in 0..<width {
                            sum &+= sums[x &+ 2 &* reach]
                            let value = Int32(pixels[row &+ x])
                            let raised = value &+ ((value &* area &- sum) &* share) &>> 16
                            target[y &* width &+ x] = UInt8(truncatingIfNeeded: min(max(raised, 0), 255))
                            sum &-= sums[x]
                        }
                        add(y - reach, times: -1)
                    }
                }
            }
        }
    }
}
