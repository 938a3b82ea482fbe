import BarcodeCore

/// Samples the brightness between the pixels of a picture, which its creator keeps alive.
struct PixelSampler {
    private let pixels: UnsafePointer<UInt8>
    private let stride: Int
    private let lastX: Int
    private let lastY: Int

    /// `nil` for a picture without pixels.
    init?(_ pixels: UnsafeBufferPointer<UInt8>, of image: LumaImage) {
        guard let base = pixels.baseAddress, image.width > 0, image.height > 0 else { return nil }
        self.pixels = base
        stride = image.bytesPerRow
        lastX = image.width - 1
        lastY = image.height - 1
    }

    /// Returns the brightness at a point, 0 to 255, bilinear between four pixel centers; outside, that of the nearest
    /// pixel.
    @inline(__always)
    func brightness(_ point: Point) -> Float {
        // The bounds come before the conversion, which would trap on a value that is not finite.
        let x = min(max(point.x - 0.5, 0), Double(lastX))
        let y = min(max(point.y - 0.5, 0), Double(lastY))
        guard x.isFinite, y.isFinite else { return 128 }
        let left = Int(x)
        let top = Int(y)
        let fractionX = Float(x - Double(left))
        let fractionY = Float(y - Double(top))
        let upper = pixels + top * stride
        let lower = top < lastY ? upper + stride : upper
        let right = left < lastX ? left + 1 : left
        let a = Float(upper[left]) + (Float(upper[right]) - Float(upper[left])) * fractionX
        let b = Float(lower[left]) + (Float(lower[right]) - Float(lower[left])) * fractionX
        return a + (b - a) * fractionY
    }

    /// Returns the same at a point known to lie between four pixels of the picture.
    @inline(__always)
    func brightnessInside(_ point: Point) -> Float {
        let (x, y) = (point.x - 0.5, point.y - 0.5)
        let (left, top) = (Int(x), Int(y))
        let fractionX = Float(x - Double(left))
        let fractionY = Float(y - Double(top))
        let upper = pixels + (top &* stride &+ left)
        let lower = upper + stride
        let a = Float(upper[0]) + (Float(upper[1]) - Float(upper[0])) * fractionX
        let b = Float(lower[0]) + (Float(lower[1]) - Float(lower[0])) * fractionX
        return a + (b - a) * fractionY
    }

    /// True if all points of a box lie between four pixels of the picture, with a margin of a pixel for rounding.
    func isInside(_ box: (x: ClosedRange<Double>, y: ClosedRange<Double>)) -> Bool {
        box.x.lowerBound > 1 && box.y.lowerBound > 1 && box.x.upperBound < Double(lastX)
            && box.y.upperBound < Double(lastY)
    }

    /// Returns the mean brightness of nine points, three by three, around a center.
    func meanBrightness(_ center: Point, toRight right: Point, down: Point) -> Float {
        let (reachX, reachY) = (abs(right.x) + abs(down.x) + 1, abs(right.y) + abs(down.y) + 1)
        guard center.x - reachX > 0, center.y - reachY > 0, center.x + reachX < Double(lastX),
            center.y + reachY < Double(lastY)
        else {
            var sum: Float = 0
            for row in -1...1 {
                for column in -1...1 {
                    let (across, along) = (Double(column), Double(row))
                    sum += brightness(
                        Point(
                            x: center.x + across * right.x + along * down.x,
                            y: center.y + across * right.y + along * down.y))
                }
            }
            return sum / 9
        }
        // All nine lie between pixels of the picture; indices are relative to a pixel to their upper left.
        let (firstX, firstY) = (Int(center.x - reachX), Int(center.y - reachY))
        let base = pixels + firstY * stride + firstX
        let (startX, startY) = (Float(center.x - 0.5 - Double(firstX)), Float(center.y - 0.5 - Double(firstY)))
        let (rightX, rightY) = (Float(right.x), Float(right.y))
        let (downX, downY) = (Float(down.x), Float(down.y))
        var sum: Float = 0
        for row in -1...1 {
            for column in -1...1 {
                let x = startX + Float(column) * rightX + Float(row) * downX
                let y = startY + Float(column) * rightY + Float(row) * downY
                let (left, top) = (Int(x), Int(y))
                let (fractionX, fractionY) = (x - Float(left), y - Float(top))
                let upper = base + top * stride + left
                let lower = upper + stride
                let a = Float(upper[0]) + (Float(upper[1]) - Float(upper[0])) * fractionX
                let b = Float(lower[0]) + (Float(lower[1]) - Float(lower[0])) * fractionX
                sum += a + (b - a) * fractionY
            }
        }
        return sum / 9
    }

    /// True if a point is inside the picture.
    @inline(__always)
    func contains(_ point: Point) -> Bool {
        point.x >= 0 && point.y >= 0 && point.x <= Double(lastX + 1) && point.y <= Double(lastY + 1)
    }
}
