/// Converts colors to luma with the weights of BT.601, and blends transparent pixels over white.
enum LumaConversion {
    /// Returns the luma of a color, rounded.
    @inline(__always)
    static func luma(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
        // The weights 0.299, 0.587 and 0.114 as fractions of 65,536.
        let sum = 19595 &* UInt32(red) &+ 38470 &* UInt32(green) &+ 7471 &* UInt32(blue) &+ 32768
        return UInt8(truncatingIfNeeded: sum &>> 16)
    }

    /// Blends a gray with an opacity over white.
    @inline(__always)
    static func overWhite(_ gray: UInt8, alpha: UInt8) -> UInt8 {
        let sum = UInt32(gray) &* UInt32(alpha) &+ 255 &* (255 &- UInt32(alpha)) &+ 128
        // x / 255 rounded, for x up to 255 * 255.
        return UInt8(truncatingIfNeeded: (sum &+ (sum &>> 8)) &>> 8)
    }

    /// Converts `count` pixels of 1 (gray), 2 (gray, alpha), 3 (RGB) or 4 channels (RGB, alpha).
    static func convert(
        _ source: UnsafePointer<UInt8>, channels: Int, count: Int, to target: UnsafeMutablePointer<UInt8>
    ) {
        switch channels {
        case 1:
            target.update(from: source, count: count)
        case 2:
            for x in 0..<count {
                target[x] = overWhite(source[2 &* x], alpha: source[2 &* x &+ 1])
            }
        case 3:
            for x in 0..<count {
                let pixel = source + 3 &* x
                target[x] = luma(red: pixel[0], green: pixel[1], blue: pixel[2])
            }
        default:
            for x in 0..<count {
                let pixel = source + 4 &* x
                target[x] = overWhite(luma(red: pixel[0], green: pixel[1], blue: pixel[2]), alpha: pixel[3])
            }
        }
    }

    /// Converts pixels of 2 (gray, alpha) or 4 channels (RGB, alpha) with premultiplied alpha.
    static func convertPremultiplied(
        _ source: UnsafePointer<UInt8>, channels: Int, count: Int, to target: UnsafeMutablePointer<UInt8>
    ) {
        for x in 0..<count {
            let pixel = source + channels &* x
            let gray = channels == 4 ? luma(red: pixel[0], green: pixel[1], blue: pixel[2]) : pixel[0]
            target[x] = overWhite(premultiplied: gray, alpha: pixel[channels &- 1])
        }
    }

    /// Blends a gray with premultiplied alpha over white.
    @inline(__always)
    static func overWhite(premultiplied gray: UInt8, alpha: UInt8) -> UInt8 {
        UInt8(clamping: Int(gray) &+ 255 &- Int(alpha))
    }

    /// Maps each value of the video range 16 to 235 to the full range.
    static let fromVideoRange: [UInt8] = (0...255).map { value in
        UInt8(clamping: ((value - 16) * 255 + 109) / 219)
    }
}
