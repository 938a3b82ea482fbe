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

    let width, height: Int
    /// The threshold of each pixel, row by row: a pixel that is not brighter is dark.
    ///
    /// It lies halfway between paper and ink, and where there is only one of them, at three quarters of its brightness.
    let values: [UInt8]

    /// Measures an image of at least two pixels along each side.
    init(_ image: LumaImage) {
        let half = image.halved()
        (width, height) = (half.width, half.height)
        var ink = ExtremeField(half, reach: Self.reach)
        var paper = ink
        paper.spread(isMost: true)
        paper.spread(isMost: false)
        ink.spread(isMost: false)
        ink.spread(isMost: true)
        paper.combine(ink) { paper, ink in
            let (middle, flat) = ((paper &>> 1) &+ (ink &>> 1), paper &- (paper &>> 2))
            return middle.replacing(with: flat, where: flat .< middle)
        }
        values = paper.values
    }
}

/// An image of which each pixel can be replaced by the extreme of a square window around it.
private struct ExtremeField {
    private static let step = SIMD16<UInt8>.scalarCount

    private let width, height, reach: Int
    /// The pixels, row by row, and up to fifteen more, so that all can be read sixteen at once.
    private(set) var values: [UInt8]

    init(_ image: LumaImage, reach: Int) {
        (width, height, self.reach) = (image.width, image.height, reach)
        let count = width * height
        values = [UInt8](repeating: 0, count: (count + Self.step - 1) / Self.step * Self.step)
        values.withUnsafeMutableBytes { target in
            image.withUnsafePixels { source in
                for row in 0..<image.height {
                    UnsafeMutableRawBufferPointer(rebasing: target[(row * image.width)...]).copyMemory(
                        from: UnsafeRawBufferPointer(
                            rebasing: UnsafeRawBufferPointer(source)[(row * image.bytesPerRow)...].prefix(image.width)))
                }
            }
        }
    }

    /// Replaces each pixel by a function of it and of the same pixel of another image of the same size.
    mutating func combine(
        _ other: ExtremeField, _ body: (SIMD16<UInt8>, SIMD16<UInt8>) -> SIMD16<UInt8>
    ) {
        values.withUnsafeMutableBytes { values in
            other.values.withUnsafeBytes { others in
                for place in stride(from: 0, to: values.count, by: Self.step) {
                    let one = values.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
                    let other = others.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
                    values.storeBytes(of: body(one, other), toByteOffset: place, as: SIMD16<UInt8>.self)
                }
            }
        }
    }

    /// Replaces each pixel by the brightest or the darkest one in the window.
    mutating func spread(isMost: Bool) {
        // The pixels at the border are repeated beyond it.
        let (wide, high) = (width + 2 * reach, height + 2 * reach)
        withUnsafeTemporaryAllocation(byteCount: wide * high, alignment: Self.step) { padded in
            values.withUnsafeMutableBytes { values in
                for row in 0..<high {
                    let source = min(max(row - reach, 0), height - 1) * width
                    let line = UnsafeMutableRawBufferPointer(rebasing: padded[(row * wide)..<((row + 1) * wide)])
                    let pixels = UnsafeRawBufferPointer(rebasing: values[source..<source + width])
                    UnsafeMutableRawBufferPointer(rebasing: line[reach...]).copyMemory(from: pixels)
                    for margin in 0..<reach {
                        line[margin] = pixels[0]
                        line[wide - 1 - margin] = pixels[width - 1]
                    }
                }
                Self.spread(padded, stride: 1, length: 2 * reach + 1, isMost: isMost)
                Self.spread(padded, stride: wide, length: 2 * reach + 1, isMost: isMost)
                for row in 0..<height {
                    UnsafeMutableRawBufferPointer(rebasing: values[(row * width)...]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: padded[(row * wide)..<(row * wide + width)]))
                }
            }
        }
    }

    /// Replaces each value by the extreme of `length` of them from it on, `stride` apart.
    ///
    /// The last values, whose window would end beyond the field, are those of the margin, which is not used.
    private static func spread(
        _ values: UnsafeMutableRawBufferPointer, stride: Int, length: Int, isMost: Bool
    ) {
        // The extreme of twice as many is that of two.
        var covered = 1
        while covered < length {
            let away = min(covered, length - covered) * stride
            var place = 0
            while place + away + step <= values.count {
                let one = values.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
                let other = values.loadUnaligned(fromByteOffset: place + away, as: SIMD16<UInt8>.self)
                values.storeBytes(
                    of: one.replacing(with: other, where: isMost ? other .> one : other .< one), toByteOffset: place,
                    as: SIMD16<UInt8>.self)
                place &+= step
            }
            while place + away < values.count {
                let (one, other) = (values[place], values[place + away])
                values[place] = isMost ? max(one, other) : min(one, other)
                place &+= 1
            }
            covered = min(2 * covered, length)
        }
    }
}
