internal import BarcodeCore
internal import CImages

/// The sole owner of an image of OpenJPEG, which converts its components to luma.
struct JPEG2000Picture: ~Copyable {
    /// A plane of rows with samples of four bytes; the samples of a subsampled component are repeated.
    private struct Plane {
        var start: UnsafePointer<OPJ_INT32>
        var width, height: Int
        /// The width and height of a sample in pixels.
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
    /// Indicates whether the first component is the luma and the only one needed.
    let isLumaAlone: Bool

    var width: Int { Int(image.pointee.x1) - Int(image.pointee.x0) }
    var height: Int { Int(image.pointee.y1) - Int(image.pointee.y0) }

    /// Takes ownership of `image`, which need not be decoded yet.
    init(_ library: qz_jpeg2000, _ image: UnsafeMutablePointer<opj_image_t>, _ header: JPEG2000Header) {
        self.library = library
        self.image = image
        let components = header.components
        // With two or four components there is an alpha channel, which is needed too.
        isLumaAlone = !header.hasPalette && header.hasColorTransform && (components == 1 || components == 3)
    }

    deinit {
        library.opj_image_destroy(image)
    }

    /// Converts all pixels to luma.
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
            // A component with one sample per pixel must cover the whole image.
            stepX > 1 || width >= self.width, stepY > 1 || height >= self.height
        else { return nil }
        return Plane(
            start: data, width: width, height: height, stepX: stepX, stepY: stepY,
            lowest: component.sgnd != 0 ? -(1 << (bits - 1)) : 0, shift: max(0, bits - 8),
            largest: bits >= 8 ? 255 : (1 << bits) - 1)
    }
}
