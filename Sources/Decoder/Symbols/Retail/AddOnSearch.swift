internal import BarcodeCore
internal import Glibc

extension SearchStrategy.Method {
    /// Reads the add-ons to the right of EAN and UPC symbols that were decoded or measured since the last call.
    static let addOns = Self(
        name: "addOns", title: "add-ons beside EAN and UPC", symbologies: Symbology.retail, isRepeated: true
    ) { state, _ in
        for symbol in state.found.symbols
        where Symbology.retail.contains(symbol.symbology) && symbol.addOn == nil
            && state.cornersSearchedForAddOn.insert(symbol.corners).inserted
        {
            guard let region = AddOnRegion(rightOf: symbol),
                let digits = region.read(state.image(atLevel: region.level))
            else { continue }
            let addOn = String(decoding: digits, as: UTF8.self)
            state.trace?(.note("The add-on \(addOn) was read beside \(symbol.text)."))
            state.found.extend(symbol, byAddOn: addOn)
        }
    }
}

/// The region to the right of an EAN or UPC symbol that may contain its add-on.
private struct AddOnRegion {
    /// The pyramid level in which it is read.
    let level: Int
    /// The region, including the end of the symbol, in pixels of that level.
    private let region: LinearRegion
    /// The centers of the first and the last bar of the symbol, and its module size, in pixels of that level.
    private let first: Point
    private let last: Point
    private let module: Double

    /// The module size in pixels that is sufficient.
    private static let wantedModule = 3.0
    /// The module size in pixels below which a region is read with two columns a pixel.
    private static let narrowModule = 2.4
    /// The extent of the region in modules inside and behind the symbol: its last guard, 12 modules of paper, the
    /// longest add-on.
    private static let inside = 10.0
    private static let outside = 60.0
    /// The number of rows that are read.
    private static let rows = 24
    /// The range in modules behind the symbol that holds an add-on of two digits, and the number of transitions
    /// required there: the add-on has 13.
    private static let shortest = 4.0..<34
    private static let fewestChanges = 8
    /// The smallest contrast of a transition, as a share of that of the symbol.
    private static let contrast: Float = 0.2
    /// The sampled lines, as shares of the height of the symbol, and the distance of the samples, in modules.
    private static let glances = [0.15, 0.3, 0.45, 0.6, 0.75, 0.9]
    private static let step = 0.25

    /// Creates the region; `nil` if the symbol is not EAN or UPC or has no extent.
    init?(rightOf symbol: Symbol) {
        guard let bars = symbol.symbology.traits.retailBars else { return nil }
        let corners = symbol.corners
        let (left, right) = (
            corners.topLeft.between(corners.bottomLeft, 0.5), corners.topRight.between(corners.bottomRight, 0.5)
        )
        let length = left.distance(to: right)
        let down = corners.bottomRight - corners.topRight
        let pixels = length / Double(bars.modules)
        guard length >= 1 else { return nil }
        level = max(0, Int(log2(pixels / Self.wantedModule)))
        let scale = 1 / Double(1 << level)
        module = pixels * scale
        first = left * scale
        last = right * scale
        let across = Point(x: (right.x - left.x) / length, y: (right.y - left.y) / length)
        let middle = (Self.outside - Self.inside) / 2 * module
        region = LinearRegion(
            center: Point(x: last.x + middle * across.x, y: last.y + middle * across.y),
            angle: atan2(across.y, across.x), length: (Self.outside + Self.inside) * module,
            height: abs(down.y * across.x - down.x * across.y) * scale, confidence: 1)
    }

    /// Returns the ASCII digits of the add-on; `nil` if there is none.
    func read(_ image: LumaImage) -> [UInt8]? {
        guard hasBars(image), var strip = LinearStrip(image, region: region) else { return nil }
        let columnsPerPixel = module < Self.narrowModule ? 2.0 : 1
        if columnsPerPixel > 1 { strip = strip.finer(image) }
        let framed = strip.withPaperOutside(image)
        let layers = framed.layers(Self.rows).map(\.values)
        let columns = Double(layers.first?.count ?? 0)
        let middle = (Self.outside - Self.inside) / 2 * module
        let anchor = AddOnReader.Anchor(
            end: columns / 2 - middle * columnsPerPixel, module: module * columnsPerPixel,
            seen: strip.columnsInside(image), paperBefore: paperBefore(image))
        return AddOnReader().read(layers, behind: anchor)
    }

    /// Indicates whether a line beside the symbol has as many transitions as an add-on.
    private func hasBars(_ image: LumaImage) -> Bool {
        let (across, along) = (region.across, region.along)
        return Self.glances.contains { share in
            func values(_ modules: Range<Double>) -> [Float] {
                stride(from: modules.lowerBound, to: modules.upperBound, by: Self.step).compactMap { column in
                    let (u, v) = (column * module, (share - 0.5) * region.height)
                    let point = Point(
                        x: last.x + u * across.x + v * along.x, y: last.y + u * across.y + v * along.y)
                    guard point.isInside(width: image.width, height: image.height) else { return nil }
                    return Float(image[x: Int(point.x), y: Int(point.y)])
                }
            }
            let own = values(-Self.inside..<0)
            guard let dark = own.min(), let light = own.max() else { return false }
            return values(Self.shortest).transitionCount(swing: max(6, Self.contrast * (light - dark)))
                >= Self.fewestChanges
        }
    }

    /// Returns the distance from the first bar of the symbol to the edge of the image, in modules.
    private func paperBefore(_ image: LumaImage) -> Double {
        let (x, y) = ((last.x - first.x), (last.y - first.y))
        // The distance to each edge of the image on the way, in lengths of the symbol.
        let ways = [
            x > 0 ? first.x / x : x < 0 ? (first.x - Double(image.width)) / x : .infinity,
            y > 0 ? first.y / y : y < 0 ? (first.y - Double(image.height)) / y : .infinity,
        ]
        return (ways.min() ?? 0) * hypot(x, y) / module
    }
}
