import BarcodeCore
internal import Glibc

/// Where above a linear symbol there are lines of bars that are not its own: the place of a composite component.
struct CompositePlace {
    /// The frame of the linear symbol: points are counted in modules to the right and upwards from its lower left corner.
    let frame: Frame
    /// Modules above the lower edge between which the lines are.
    let heights: ClosedRange<Double>

    /// Modules above the lower edge of a symbol in its own terms.
    struct Frame {
        let origin: Point
        /// A module to the right, and one upwards.
        let right, up: Point
        /// Modules of the symbol.
        let length, height: Double

        /// Nil for corners that are no rectangle.
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

        /// Pixels of a module.
        var module: Double { hypot(right.x, right.y) }

        func point(_ across: Double, _ height: Double) -> Point {
            Point(
                x: origin.x + across * right.x + height * up.x, y: origin.y + across * right.y + height * up.y)
        }
    }

    /// Modules between lines that are looked at, and between the places on them.
    private static let lineStep = 2.0
    private static let step = 0.5
    /// Modules between places on a line that is compared with one of the symbol.
    private static let ownStep = 2.4
    /// Modules of paper above a symbol after which nothing belongs to it: separators take six.
    private static let greatestGap = 9.0
    /// Modules of a component's lower rows, which are enough to tell that there is one.
    private static let firstHeight = 14.0
    /// Modules of the tallest linear symbol that is gone up along.
    private static let greatestLinearHeight = 200.0
    /// The part of the edges of a component of which so many must be seen on a line.
    private static let leastShare = 0.5
    /// The part of the symbol's own contrast that an edge must have.
    private static let contrast: Float = 0.3
    /// The part of a line of the symbol itself that is like another one.
    private static let likeness = 0.85

    /// The places above a symbol, the lowest first; none where there are no bars.
    static func places(
        _ pixels: PixelSampler, _ corners: Quadrilateral, _ carrier: CompositeCarrier
    ) -> [CompositePlace] {
        var lengths: [Double] = []
        if case .fixed(let modules) = carrier.length {
            lengths = [modules]
        } else {
            // A stacked symbol has rows of different lengths, and above may be the component.
            for share in [0.25, 0.9, 0.6] {
                guard let bars = bars(pixels, corners, share), let modules = carrier.modules(bars: bars),
                    !lengths.contains(modules)
                else { continue }
                lengths.append(modules)
            }
        }
        return lengths.compactMap { Frame(corners, modules: $0) }.flatMap { places(pixels, $0, carrier) }
    }

    /// Bars on a line of a symbol; nil where there is no contrast.
    private static func bars(_ pixels: PixelSampler, _ corners: Quadrilateral, _ share: Double) -> Int? {
        guard let frame = Frame(corners, modules: 100) else { return nil }
        let samplesPerPixel = 2.0
        let count = Int(min(4000, frame.module * 100 * samplesPerPixel))
        let values = (0...max(1, count)).map {
            pixels.brightness(frame.point(Double($0) / Double(max(1, count)) * 100, share * frame.height))
        }
        guard let dark = values.min(), let light = values.max(), light - dark > 12 else { return nil }
        return (values.turns(swing: contrast * (light - dark)) + 2) / 2
    }

    private static func places(
        _ pixels: PixelSampler, _ frame: Frame, _ carrier: CompositeCarrier
    ) -> [CompositePlace] {
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
        // Where components stand, and the fewest edges of any.
        let spans = carrier.layouts.map { layout -> ClosedRange<Double> in
            guard let start = layout.start else { return -6...frame.length + 6 }
            let left = start - Double(layout.before)
            return left...left + Double(layout.width)
        }
        guard let left = spans.map(\.lowerBound).min(), let right = spans.map(\.upperBound).max(),
            let width = carrier.layouts.map(\.width).min()
        else { return [] }
        let fewest = Int(leastShare * Double(width) / 2)
        var places: [CompositePlace] = []
        var open: ClosedRange<Double>?
        var lastSeen = frame.height
        let end = min(frame.height, greatestLinearHeight) + greatestGap + firstHeight
        var height = min(frame.height, greatestLinearHeight) * carrier.beginning
        func close() {
            if let found = open, found.upperBound > found.lowerBound {
                // The upper row of a stacked symbol has other bars than the lower one: they are not the component's.
                let top = frame.height - lineStep
                if carrier.beginning < 0.5, found.lowerBound < top - lineStep, found.upperBound > top + 2 * lineStep {
                    places.append(CompositePlace(frame: frame, heights: top...found.upperBound))
                }
                places.append(CompositePlace(frame: frame, heights: found))
            }
            open = nil
        }
        while height < end, height < lastSeen + greatestGap {
            defer { height += lineStep }
            // Bars of the symbol itself are the same all along.
            if height < frame.height {
                let values = line(own, height, step: ownStep)
                let alike = zip(values, reference).reduce(0) { $0 + (($1.0 < middle) == ($1.1 < middle) ? 1 : 0) }
                if Double(alike) > likeness * Double(values.count) {
                    close()
                    continue
                }
            }
            if line(left...right, height, step: step).turns(swing: swing) >= fewest {
                open = (open?.lowerBound ?? height)...height
                lastSeen = max(lastSeen, height)
            } else if let found = open, height > found.upperBound + lineStep {
                close()
            }
        }
        close()
        return places
    }
}
