import BarcodeCore
internal import Glibc

/// A region above a linear symbol with bars that are not its own: the location of a composite component.
struct CompositeRegion {
    /// The frame of the linear symbol: coordinates in modules, to the right and upward from its lower left corner.
    let frame: Frame
    /// The heights of the region above the lower edge, in modules.
    let heights: ClosedRange<Double>

    /// The coordinate system of a linear symbol, in modules.
    struct Frame {
        let origin: Point
        /// The vectors of one module to the right and upward, in pixels.
        let right, up: Point
        /// The length and the height of the symbol in modules.
        let length, height: Double

        /// `nil` if the corners are degenerate or the module is too small.
        init?(_ corners: Quadrilateral, modules: Double) {
            let right = Point(
                x: (corners.bottomRight.x - corners.bottomLeft.x + corners.topRight.x - corners.topLeft.x) / 2,
                y: (corners.bottomRight.y - corners.bottomLeft.y + corners.topRight.y - corners.topLeft.y) / 2)
            let up = Point(
                x: (corners.topLeft.x - corners.bottomLeft.x + corners.topRight.x - corners.bottomRight.x) / 2,
                y: (corners.topLeft.y - corners.bottomLeft.y + corners.topRight.y - corners.bottomRight.y) / 2)
            let (across, along) = (hypot(right.x, right.y), hypot(up.x, up.y))
            let module = across / modules
            guard module > 0.7, module.isFinite, along > 2 * module, along.isFinite else { return nil }
            origin = corners.bottomLeft
            self.right = Point(x: right.x / modules, y: right.y / modules)
            self.up = Point(x: up.x / along * module, y: up.y / along * module)
            length = modules
            height = along / module
        }

        /// The module size in pixels.
        var module: Double { hypot(right.x, right.y) }

        func point(_ across: Double, _ height: Double) -> Point {
            Point(
                x: origin.x + across * right.x + height * up.x, y: origin.y + across * right.y + height * up.y)
        }
    }

    /// The distance between scanned lines, and between the samples on them, in modules.
    private static let lineStep = 2.0
    private static let step = 0.5
    /// The distance between samples of a line that is compared with the symbol's own bars, in modules.
    private static let ownStep = 2.4
    /// The maximum gap above a symbol in modules, after which nothing belongs to it: separators take six.
    private static let greatestGap = 9.0
    /// The height of a component's lower rows in modules, which suffice to detect it.
    private static let firstHeight = 14.0
    /// The maximum height in modules up to which a linear symbol is followed.
    private static let greatestLinearHeight = 200.0
    /// The minimum share of a component's transitions on a line.
    private static let leastShare = 0.5
    /// The minimum contrast of a transition, as a share of the symbol's own.
    private static let contrast: Float = 0.3
    /// The minimum share of equal samples between two lines of the symbol itself.
    private static let leastEqualShare = 0.85

    /// Returns the regions above a symbol, lowest first; empty if there are no bars.
    static func regions(
        _ pixels: PixelSampler, _ corners: Quadrilateral, _ carrier: CompositeCarrier
    ) -> [CompositeRegion] {
        var lengths: [Double] = []
        if case .fixed(let modules) = carrier.length {
            lengths = [modules]
        } else {
            // A stacked symbol has rows of different lengths, and the component may be above.
            for share in [0.25, 0.9, 0.6] {
                guard let bars = bars(pixels, corners, share), let modules = carrier.modules(bars: bars),
                    !lengths.contains(modules)
                else { continue }
                lengths.append(modules)
            }
        }
        return lengths.compactMap { Frame(corners, modules: $0) }.flatMap { regions(pixels, $0, carrier) }
    }

    /// Counts the bars on a line of a symbol; `nil` if there is no contrast.
    private static func bars(_ pixels: PixelSampler, _ corners: Quadrilateral, _ share: Double) -> Int? {
        guard let frame = Frame(corners, modules: 100) else { return nil }
        let samplesPerPixel = 2.0
        let count = Int(min(4000, frame.module * 100 * samplesPerPixel))
        let values = (0...max(1, count)).map {
            pixels.brightness(frame.point(Double($0) / Double(max(1, count)) * 100, share * frame.height))
        }
        guard let dark = values.min(), let light = values.max(), light - dark > 12 else { return nil }
        return (values.transitionCount(swing: contrast * (light - dark)) + 2) / 2
    }

    /// Returns the extent of all layouts, in modules; `nil` if there are none.
    private static func extent(of layouts: [CompositeCarrier.Layout], _ frame: Frame) -> ClosedRange<Double>? {
        let extents = layouts.map { layout -> ClosedRange<Double> in
            guard let start = layout.start else { return -6...frame.length + 6 }
            let left = start - Double(layout.before)
            return left...left + Double(layout.width)
        }
        guard let left = extents.map(\.lowerBound).min(), let right = extents.map(\.upperBound).max() else {
            return nil
        }
        return left...right
    }

    private static func regions(
        _ pixels: PixelSampler, _ frame: Frame, _ carrier: CompositeCarrier
    ) -> [CompositeRegion] {
        func line(_ range: ClosedRange<Double>, _ height: Double, step: Double) -> [Float] {
            stride(from: range.lowerBound, through: range.upperBound, by: step).map {
                pixels.brightness(frame.point($0, height))
            }
        }
        let own = 0...frame.length
        let reference = line(own, 0.25 * frame.height, step: ownStep)
        guard let dark = reference.min(), let light = reference.max(), light - dark > 12 else { return [] }
        let swing = contrast * (light - dark)
        let middle = (light + dark) / 2
        guard let extent = extent(of: carrier.layouts, frame), let width = carrier.layouts.map(\.width).min() else {
            return []
        }
        // The minimum number of transitions for any layout.
        let fewest = Int(leastShare * Double(width) / 2)
        var regions: [CompositeRegion] = []
        var open: ClosedRange<Double>?
        var lastSeen = frame.height
        let end = min(frame.height, greatestLinearHeight) + greatestGap + firstHeight
        var height = min(frame.height, greatestLinearHeight) * carrier.beginning
        func close() {
            if let found = open, found.upperBound > found.lowerBound {
                // The bars of the upper row of a stacked symbol differ from those of the lower one, but are not the
                // component's.
                let top = frame.height - lineStep
                if carrier.beginning < 0.5, found.lowerBound < top - lineStep, found.upperBound > top + 2 * lineStep {
                    regions.append(CompositeRegion(frame: frame, heights: top...found.upperBound))
                }
                regions.append(CompositeRegion(frame: frame, heights: found))
            }
            open = nil
        }
        while height < end, height < lastSeen + greatestGap {
            defer { height += lineStep }
            // The bars of the symbol itself are the same along its height.
            if height < frame.height {
                let values = line(own, height, step: ownStep)
                let alike = zip(values, reference).reduce(0) { $0 + (($1.0 < middle) == ($1.1 < middle) ? 1 : 0) }
                if Double(alike) > leastEqualShare * Double(values.count) {
                    close()
                    continue
                }
            }
            if line(extent, height, step: step).transitionCount(swing: swing) >= fewest {
                open = (open?.lowerBound ?? height)...height
                lastSeen = max(lastSeen, height)
            } else if let found = open, height > found.upperBound + lineStep {
                close()
            }
        }
        close()
        return regions
    }
}
