internal import BarcodeCore

/// Thresholds on either side of the edge of a shadow, at half the size of the picture.
///
/// A threshold that is the mean of the pixels around takes shaded paper beside lit paper for print. Here the paper is
/// the picture without dark shapes narrower than a window, the ink the picture without such light shapes, and both are
/// as sharp as the edge of the shadow. Source: closing and opening, as in Serra, Image Analysis and Mathematical
/// Morphology, 1982.
struct ShadowThresholds {
    /// The reach of the window in pixels of half the size: print of up to four modules of six pixels is narrower.
    private static let reach = 6
    /// The threshold as a share of the paper where there is nothing but paper, or nothing but ink.
    private static let flatShare: (numerator: UInt16, denominator: UInt16) = (3, 4)

    let width, height: Int
    /// The threshold of each pixel, row by row: a pixel that is not brighter is dark.
    let values: [UInt8]

    /// Measures an image of at least two pixels along each side.
    init(_ image: LumaImage) {
        let half = image.halved()
        (width, height) = (half.width, half.height)
        var field = ExtremeField(half, reach: Self.reach)
        var paper = field
        paper.spread(isMost: true)
        paper.spread(isMost: false)
        field.spread(isMost: false)
        field.spread(isMost: true)
        values = zip(paper.values, field.values).map { paper, ink in
            let (paper, ink) = (UInt16(paper), UInt16(ink))
            let flat = paper * Self.flatShare.numerator / Self.flatShare.denominator
            return UInt8(truncatingIfNeeded: min((paper + ink) / 2, flat))
        }
    }
}

/// An image of which each pixel can be replaced by the extreme of a square window around it.
private struct ExtremeField {
    private let width, height, reach: Int
    private(set) var values: [UInt8]

    init(_ image: LumaImage, reach: Int) {
        (width, height, self.reach) = (image.width, image.height, reach)
        values = image.withUnsafePixels { pixels in
            [UInt8](unsafeUninitializedCapacity: image.width * image.height) { target, count in
                for row in 0..<image.height {
                    for column in 0..<image.width {
                        target[row * image.width + column] = pixels[row * image.bytesPerRow + column]
                    }
                }
                count = image.width * image.height
            }
        }
    }

    /// Replaces each pixel by the brightest or the darkest one in the window, along the rows and then the columns.
    mutating func spread(isMost: Bool) {
        // The pixels at the border are repeated beyond it.
        let (wide, high) = (width + 2 * reach, height + 2 * reach)
        var padded = [UInt8](repeating: 0, count: wide * high + 16)
        padded.withUnsafeMutableBufferPointer { padded in
            for row in 0..<high {
                let source = min(max(row - reach, 0), height - 1) * width
                for column in 0..<wide {
                    padded[row * wide + column] = values[source + min(max(column - reach, 0), width - 1)]
                }
            }
            guard let base = padded.baseAddress else { return }
            Self.combine(base, count: wide * high, stride: 1, length: 2 * reach + 1, isMost: isMost)
            Self.combine(base, count: wide * high, stride: wide, length: 2 * reach + 1, isMost: isMost)
            for row in 0..<height {
                for column in 0..<width { values[row * width + column] = padded[row * wide + column] }
            }
        }
    }

    /// Replaces each of `count` values by the extreme of `length` of them from it on, `stride` apart.
    ///
    /// The last values, whose window would end beyond the field, are those of the margin, which is not used.
    private static func combine(
        _ values: UnsafeMutablePointer<UInt8>, count: Int, stride: Int, length: Int, isMost: Bool
    ) {
        // The extreme of twice as many is that of two.
        var covered = 1
        while covered < length {
            let step = min(covered, length - covered) * stride
            var place = 0
            while place + step + 16 <= count {
                let pointer = UnsafeMutableRawPointer(values + place)
                let one = pointer.loadUnaligned(as: SIMD16<UInt8>.self)
                let other = (pointer + step).loadUnaligned(as: SIMD16<UInt8>.self)
                pointer.storeBytes(
                    of: one.replacing(with: other, where: isMost ? other .> one : other .< one),
                    as: SIMD16<UInt8>.self)
                place &+= 16
            }
            while place + step < count {
                values[place] =
                    isMost ? max(values[place], values[place + step]) : min(values[place], values[place + step])
                place &+= 1
            }
            covered = min(2 * covered, length)
        }
    }
}
