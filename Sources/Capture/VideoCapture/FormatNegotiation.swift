internal import BarcodeCore

/// Chooses a mode of a camera: pure, so that it can be tested on lists.
enum FormatNegotiation {
    /// Returns the supported modes, best first.
    ///
    /// The order is by distance from the requested size, then by the missing rate (a higher rate is fine), then by
    /// the cost of the pixel format. Pixel formats therefore only matter at equal size and rate.
    static func candidates(_ modes: [CaptureMode], request: CaptureRequest) -> [CaptureMode] {
        modes.filter { mode in
            mode.pixelFormat.luma != nil && (request.pixelFormat ?? mode.pixelFormat) == mode.pixelFormat
                && mode.size.width > 0 && mode.size.height > 0
        }
        .sorted { key($0, request) < key($1, request) }
    }

    /// Returns the next mode to try if the bus lacks bandwidth for `mode`: the best one that needs less; `nil` if
    /// there is none.
    ///
    /// The same size comes first, which leaves MJPG; then smaller sizes.
    static func lighter(than mode: CaptureMode, in modes: [CaptureMode], request: CaptureRequest) -> CaptureMode? {
        let most = bandwidth(mode, request)
        return candidates(modes, request: request).first {
            bandwidth($0, request) < most && $0.size.pixels <= mode.size.pixels
        }
    }

    /// The estimated bandwidth in bytes per second.
    private static func bandwidth(_ mode: CaptureMode, _ request: CaptureRequest) -> Double {
        Double(mode.size.pixels) * mode.pixelFormat.bytesPerPixel * (mode.rate(nearestTo: request.rate) ?? request.rate)
    }

    private static func key(_ mode: CaptureMode, _ request: CaptureRequest) -> (Int, Double, Int) {
        let distance = abs(mode.size.width - request.size.width) + abs(mode.size.height - request.size.height)
        // 29.97 and 30 count as the same rate.
        let lacking = max(0, request.rate - (mode.rates.max() ?? request.rate))
        return (distance, lacking < 0.5 ? 0 : lacking, mode.pixelFormat.rank)
    }

    /// Returns the sizes to offer from a range: the requested size, adjusted to the range, and the common sizes
    /// within it.
    static func sizes(
        from least: PixelSize, to most: PixelSize, step: PixelSize, nearestTo requested: PixelSize
    ) -> [PixelSize] {
        func bring(_ value: Int, _ low: Int, _ high: Int, _ step: Int) -> Int {
            guard high >= low else { return low }
            let clamped = min(max(value, low), high)
            return low + (clamped - low) / max(1, step) * max(1, step)
        }
        let usual = [(320, 240), (640, 480), (1280, 720), (1920, 1080), (3840, 2160)].map {
            PixelSize(width: $0.0, height: $0.1)
        }
        var sizes: [PixelSize] = []
        for size in [requested] + usual {
            let near = PixelSize(
                width: bring(size.width, least.width, most.width, step.width),
                height: bring(size.height, least.height, most.height, step.height))
            if near == size || size == requested, !sizes.contains(near) { sizes.append(near) }
        }
        return sizes
    }
}
