public import BarcodeCore
internal import CLinux
internal import Glibc

extension CaptureDevice {
    /// The most entries that are read of a driver's list, as a guard against a list without an end.
    private static var maximumEntries: UInt32 { 256 }

    /// Returns every pixel format, size and rate that the driver lists.
    ///
    /// For a range of sizes, it returns the common sizes and `requested`. If the driver lists no sizes, it returns
    /// only `requested`, and the driver's actual size is known when streaming starts.
    public borrowing func modes(nearestTo requested: PixelSize = CaptureRequest().size) -> [CaptureMode] {
        var modes: [CaptureMode] = []
        for format in pixelFormats() {
            for size in sizes(of: format, nearestTo: requested) {
                modes.append(CaptureMode(pixelFormat: format, size: size, rates: rates(of: format, size: size)))
            }
        }
        return modes
    }

    /// Returns the pixel formats that the driver lists, including unsupported ones.
    public borrowing func pixelFormats() -> [PixelFormat] {
        var found: [PixelFormat] = []
        for index in 0..<Self.maximumEntries {
            var entry = v4l2_fmtdesc()
            entry.index = index
            entry.type = type
            guard control(qz_v4l2_enum_fmt, &entry) == 0 else { break }
            found.append(PixelFormat(rawValue: entry.pixelformat))
        }
        return found
    }

    private borrowing func sizes(of format: PixelFormat, nearestTo requested: PixelSize) -> [PixelSize] {
        var found: [PixelSize] = []
        for index in 0..<Self.maximumEntries {
            var entry = v4l2_frmsizeenum()
            entry.index = index
            entry.pixel_format = format.rawValue
            guard control(qz_v4l2_enum_framesizes, &entry) == 0 else { break }
            if entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
                found.append(PixelSize(width: Int(entry.discrete.width), height: Int(entry.discrete.height)))
            } else {
                let range = entry.stepwise
                return FormatNegotiation.sizes(
                    from: PixelSize(width: Int(range.min_width), height: Int(range.min_height)),
                    to: PixelSize(width: Int(range.max_width), height: Int(range.max_height)),
                    step: PixelSize(width: Int(range.step_width), height: Int(range.step_height)), nearestTo: requested)
            }
        }
        return found.isEmpty ? [requested] : found
    }

    private borrowing func rates(of format: PixelFormat, size: PixelSize) -> [Double] {
        var found: [Double] = []
        for index in 0..<Self.maximumEntries {
            var entry = v4l2_frmivalenum()
            entry.index = index
            entry.pixel_format = format.rawValue
            entry.width = UInt32(clamping: size.width)
            entry.height = UInt32(clamping: size.height)
            guard control(qz_v4l2_enum_frameintervals, &entry) == 0 else { break }
            let interval =
                entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue ? entry.discrete : entry.stepwise.min
            if interval.numerator > 0 { found.append(Double(interval.denominator) / Double(interval.numerator)) }
            guard entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else { break }
        }
        return found.sorted(by: >)
    }
}
