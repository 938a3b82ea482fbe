internal import BarcodeCore

extension SearchState {
    /// The difference between the 1st and the 99th percentile of brightness up to which an image has low contrast;
    /// with more, normal binarization suffices.
    private static let greatestContrast = 70
    /// The distance of the sampled pixels.
    private static let contrastStep = 7

    /// Indicates whether all print at 1/2^`level` of the size may be pale; the result is cached.
    mutating func hasLittleContrast(atLevel level: Int) -> Bool {
        if let known = littleContrast[level] { return known }
        let answer = Self.hasLittleContrast(image(atLevel: level))
        littleContrast[level] = answer
        return answer
    }

    private static func hasLittleContrast(_ image: LumaImage) -> Bool {
        var counts = [Int](repeating: 0, count: 256)
        var total = 0
        image.withUnsafePixels { pixels in
            counts.withUnsafeMutableBufferPointer { counts in
                for row in 0..<image.height {
                    let start = row * image.bytesPerRow
                    var place = start + min(row % contrastStep, image.width - 1)
                    while place < start + image.width {
                        counts[Int(pixels[place])] &+= 1
                        total &+= 1
                        place &+= contrastStep
                    }
                }
            }
        }
        func brightness(ofRank rank: Int) -> Int {
            var sum = 0
            return counts.firstIndex {
                sum += $0
                return sum > rank
            } ?? 0
        }
        return brightness(ofRank: total - 1 - total / 100) - brightness(ofRank: total / 100)
            <= greatestContrast
    }
}
