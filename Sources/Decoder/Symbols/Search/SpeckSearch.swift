internal import BarcodeCore

extension SearchStrategy.Method {
    /// Searches again without specks, if the image has some.
    ///
    /// The remains of larger shapes may look like specks again, so the search does not recurse.
    static let speckled: Self = Self(
        name: "speckled", title: "symbols in a picture with specks, without these",
        symbologies: Set(Symbology.all)
    ) { state, level throws(DecodeError) in
        let image = state.image(atLevel: level)
        guard image.isSpeckled else { return }
        try state.search(image.withoutSpecks(), without: [.dithered, .speckled])
    }
}

extension LumaImage {
    /// The smallest difference in brightness between a speck and what surrounds it.
    private static let leastContrast = 64
    /// The largest range of brightness of the eight pixels around a speck, so that edges have none.
    private static let largestRange = 48
    /// The smallest share of specks in a speckled image.
    ///
    /// Of 1,212 photos and renderings 1,202 have less than a third of it, and six small renderings with modules of a
    /// single pixel more. Pictures of a data set with added noise had 0.0013 to 0.01.
    private static let leastShare = 0.0005
    /// The distance of the rows in which specks are counted.
    private static let rowStep = 16

    /// True if many single pixels are much lighter or darker than all eight around them, as sensors, transmission
    /// and deliberate noise ("salt and pepper") make them.
    var isSpeckled: Bool {
        guard width > 2, height > 2 else { return false }
        return withUnsafePixels { pixels in
            var (specks, count) = (0, 0)
            for y in stride(from: 1, to: height - 1, by: Self.rowStep) {
                let row = y * bytesPerRow
                for place in row + 1..<row + width - 1 {
                    let tone = Int(pixels[place])
                    let (before, after) = (Int(pixels[place - 1]), Int(pixels[place + 1]))
                    // Few pixels are extremes of their row, so that the rows beside it are seldom looked at.
                    guard max(min(before, after) - tone, tone - max(before, after)) > Self.leastContrast else {
                        continue
                    }
                    var (least, most) = (255, 0)
                    for near in [place - bytesPerRow, place, place + bytesPerRow] {
                        for next in near - 1...near + 1 where next != place {
                            least = min(least, Int(pixels[next]))
                            most = max(most, Int(pixels[next]))
                        }
                    }
                    let contrast = max(least - tone, tone - most)
                    if contrast > Self.leastContrast, most - least < Self.largestRange { specks += 1 }
                }
                count += width - 2
            }
            return Double(specks) >= Self.leastShare * Double(count)
        }
    }

    /// Returns the image with the pixels replaced that differ much from the median of themselves and the eight around
    /// them, by that median; once the time of the search is over, the rows below stay as they are.
    func withoutSpecks() -> LumaImage {
        withUnsafePixels { pixels in
            LumaImage(width: width, height: height) { target in
                for y in 0..<height {
                    let isInside = (1..<height - 1).contains(y) && !SearchTime.isOver
                    for x in 0..<width {
                        let place = y * bytesPerRow + x
                        target[y * width + x] = pixels[place]
                        guard isInside, (1..<width - 1).contains(x) else { continue }
                        let tone = Int(pixels[place])
                        var (lighter, darker) = (0, 0)
                        for row in [place - bytesPerRow, place, place + bytesPerRow] {
                            for next in row - 1...row + 1 {
                                if Int(pixels[next]) > tone + Self.leastContrast { lighter += 1 }
                                if Int(pixels[next]) < tone - Self.leastContrast { darker += 1 }
                            }
                        }
                        // The median is the fifth of nine.
                        guard max(lighter, darker) >= 5 else { continue }
                        let around = [place - bytesPerRow, place, place + bytesPerRow].flatMap {
                            pixels[$0 - 1...$0 + 1]
                        }
                        target[y * width + x] = around.sorted()[4]
                    }
                }
            }
        }
    }
}
