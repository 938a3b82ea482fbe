internal import BarcodeCore
internal import CImages

/// Owns a picture of OpenJPEG, and turns its components to luma.
struct JPEG2000Picture: ~Copyable {
    /// Samples of four bytes each, in rows; those of a component that is stored smaller are repeated.
    private struct Plane {
        var start: UnsafePointer<OPJ_INT32>
        var width, height: Int
        /// How many pixels of the picture a sample is wide and high.
        var stepX, stepY: Int
        var lowest, shift, largest: Int

        @inline(__always)
        func level(x: Int, y: Int) -> UInt8 {
            let column = stepX == 1 ? x : min(x / stepX, width - 1)
            let row = stepY == 1 ? y : min(y / stepY, height - 1)
            let value = Int(start[row * width + column]) - lowest
            return UInt8(clamping: largest == 255 ? value >> shift : value * 255 / largest)
        }
    }

    private let library: qz_jpeg2000
    private let image: UnsafeMutablePointer<opj_image_t>
    /// Whether the first component is the brightness and no other is wanted.
    let isLumaAlone: Bool

    var width: Int { Int(image.pointee.x1) - Int(image.pointee.x0) }
    var height: Int { Int(image.pointee.y1) - Int(image.pointee.y0) }

    /// Takes over `image`, which need not be decoded yet.
    init(_ library: qz_jpeg2000, _ image: UnsafeMutablePointer<opj_image_t>, _ header: JPEG2000Header) {
        self.library = library
        self.image = image
        let components = header.components
        // Two and four components have an alpha, which is wanted too.
        isLumaAlone = !header.hasPalette && header.hasColorTransform && (components == 1 || components == 3)
    }

    deinit {
        library.opj_image_destroy(image)
    }

    /// Writes all pixels.
    borrowing func convert(to pixels: UnsafeMutableBufferPointer<UInt8>) throws(DecodeError) {
        guard let first = plane(0) else { throw .broken("a JPEG 2000", "no samples") }
        let count = Int(image.pointee.numcomps)
        let colors: [Plane]
        if !isLumaAlone, count >= 3, image.pointee.color_space != OPJ_CLRSPC_SYCC, let green = plane(1),
            let blue = plane(2)
        {
            colors = [first, green, blue]
        } else {
            colors = [first]
        }
        let alpha = !isLumaAlone && (count == 2 || count == 4) ? plane(count - 1) : nil
        let width = width
        for y in 0..<height {
            for x in 0..<width {
                var level = first.level(x: x, y: y)
                if colors.count == 3 {
                    level = LumaConversion.luma(
                        red: level, green: colors[1].level(x: x, y: y), blue: colors[2].level(x: x, y: y))
                }
                if let alpha { level = LumaConversion.overWhite(level, alpha: alpha.level(x: x, y: y)) }
                pixels[y * width + x] = level
            }
        }
    }

    private borrowing func plane(_ index: Int) -> Plane? {
        guard index < Int(image.pointee.numcomps), let components = image.pointee.comps else { return nil }
        let component = components[index]
        let bits = Int(component.prec)
        let (width, height) = (Int(component.w), Int(component.h))
        let (stepX, stepY) = (Int(component.dx), Int(component.dy))
        guard let data = component.data, width > 0, height > 0, stepX > 0, stepY > 0, (1...31).contains(bits),
            // A component of one sample a pixel has them all.
            stepX > 1 || width >= self.width, stepY > 1 || height >= self.height
        else { return nil }
        return Plane(
            start: data, width: width, height: height, stepX: stepX, stepY: stepY,
            lowest: component.sgnd != 0 ? -(1 << (bits - 1)) : 0, shift: max(0, bits - 8),
            largest: bits >= 8 ? 255 : (1 << bits) - 1)
    }
}
