internal import BarcodeCore
internal import Glibc

/// A composite component found by its own patterns, before the linear symbol that it belongs to.
struct UnpairedComponent {
    /// The component, in pixels of the full picture.
    var component: CompositeComponent
    /// The module size in pixels of the full picture.
    var module: Double
}

extension SearchStrategy.Method {
    /// Finds the linear symbols below components that were decoded on their own: the bar locator misses bars that are
    /// lower than the component above them.
    static let compositeBelow = Self(
        name: "compositeBelow", title: "linear symbols below composite components that were read alone",
        symbologies: CompositeCarrier.symbologies
    ) { state, level in
        let components = state.unpairedComponents
        for unpaired in components where !state.found.contains(where: { $0.has(unpaired.component) }) {
            guard state.isWorthwhile() else { return }
            let component = unpaired.component
            if let (symbol, _) = state.found.incomplete.first(where: {
                $0.linkage.allows(component.kind) && state.symbologies.contains($0.symbol.symbology)
                    && CompositeCarrier.carriers(of: $0.symbol) != nil && unpaired.stands(above: $0.symbol.corners)
            }) {
                state.found.extend(symbol, by: component)
                continue
            }
            guard let found = unpaired.linear(&state, level) else { continue }
            let symbol = Symbol(found.reading, in: state.image(atLevel: 0))
            state.found.addMeasured(symbol, linkage: found.reading.linkage)
            if let known = state.found.symbols.first(where: { $0.isSameSymbol(as: symbol) }) {
                state.found.extend(known, by: component)
            }
        }
    }
}

extension UnpairedComponent {
    /// The distance in modules from a component to the bars: every linear symbol has a separator of at least one
    /// module.
    private static let separator = 1.0
    /// The heights to search below a component, in modules, until the decoded bars end before that.
    private static let reaches = [15.0, 45, 135]
    /// The maximum ratio of a linear symbol's length to the component's.
    private static let wide = 2.2
    /// The maximum gap between the edges of both symbols in modules, including the separators of EAN and UPC.
    private static let greatestGap = 9.0

    private var right: Point {
        let (a, b) = (component.corners.bottomLeft, component.corners.bottomRight)
        let length = max(1e-9, b.distance(to: a))
        return Point(x: (b.x - a.x) / length, y: (b.y - a.y) / length)
    }

    private var bottom: Point {
        let (a, b) = (component.corners.bottomLeft, component.corners.bottomRight)
        return Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
    }

    /// True if the component is aligned with a linear symbol, and above it or within its reported corners.
    fileprivate func stands(above linear: Quadrilateral) -> Bool {
        let length = linear.bottomRight.distance(to: linear.bottomLeft)
        guard length > 1 else { return false }
        let along = Point(
            x: (linear.bottomRight.x - linear.bottomLeft.x) / length,
            y: (linear.bottomRight.y - linear.bottomLeft.y) / length)
        let height = linear.topLeft.distance(to: linear.bottomLeft)
        let (x, y) = (bottom.x - linear.bottomLeft.x, bottom.y - linear.bottomLeft.y)
        let across = x * along.x + y * along.y
        // Upward is to the left of the reading direction.
        let up = x * along.y - y * along.x
        return along.x * right.x + along.y * right.y > 0.97 && (0...length).contains(across)
            && up > 2 * module && up < height + Self.greatestGap * module
    }

    /// Reads the linear symbol below; `nil` if there is none that allows this component.
    fileprivate func linear(_ state: inout SearchState, _ level: Int) -> LinearSearch.Found? {
        let search = LinearSearch(symbologies: state.symbologies)
        let scale = 1 / Double(1 << level)
        let (a, b) = (component.corners.bottomLeft, component.corners.bottomRight)
        let length = b.distance(to: a)
        let down = Point(x: -right.y, y: right.x)
        var angle = atan2(right.y, right.x)
        if angle > .pi / 2 { angle -= .pi } else if angle <= -.pi / 2 { angle += .pi }
        func read(_ reach: Double, _ stretch: Double, _ before: Reading?) -> LinearSearch.Found? {
            let middle = (Self.separator + reach) / 2 * module
            let region = LinearRegion(
                center: Point(x: bottom.x + middle * down.x, y: bottom.y + middle * down.y), angle: angle,
                length: stretch * length, height: (reach - Self.separator) * module, confidence: 0)
            guard let place = search.sampledRegion(region.scaled(by: scale), level: level, &state) else { return nil }
            return search.read(place).first { belongs($0.reading, before) }
                ?? search.readRows(place).first { belongs($0.reading, before) }
        }
        var result: LinearSearch.Found?
        var stretch = 1.0
        for reach in Self.reaches {
            if let found = read(reach, stretch, result?.reading) {
                result = found
            } else if result == nil, let found = read(reach, Self.wide, nil) {
                // A GS1-128 or a DataBar Expanded may be longer than the component.
                (result, stretch) = (found, Self.wide)
            } else {
                break
            }
            guard let found = result else { break }
            // Bars that end well before the searched height are complete.
            let corners = found.reading.corners
            let end = Point(
                x: (corners.bottomLeft.x + corners.bottomRight.x) / 2 - bottom.x,
                y: (corners.bottomLeft.y + corners.bottomRight.y) / 2 - bottom.y)
            if end.x * down.x + end.y * down.y < (reach - 3) * module { break }
        }
        return result
    }

    /// True if a linear symbol has the component's direction, allows the component, and equals the one read before.
    private func belongs(_ reading: Reading, _ before: Reading?) -> Bool {
        let (left, right) = (reading.corners.bottomLeft, reading.corners.bottomRight)
        return CompositeCarrier.symbologies.contains(reading.symbology)
            && (reading.symbology != .code128 || reading.isGS1) && reading.linkage.allows(component.kind)
            && (right.x - left.x) * self.right.x + (right.y - left.y) * self.right.y > 0
            && before.map { $0.symbology == reading.symbology && $0.bytes == reading.bytes } ?? true
    }
}

extension CompositeLinkage? {
    /// True if a symbol with this linkage, or with an unknown one, may have a component of a kind.
    fileprivate func allows(_ kind: CompositeComponent.Kind) -> Bool {
        switch self {
        case nil: true
        case .some(.none): false
        case .micro: kind != .c
        case .full: kind == .c
        }
    }
}

extension Symbol {
    /// True if a component is at the location of the symbol's own.
    fileprivate func has(_ component: CompositeComponent) -> Bool {
        composite?.corners.contains(component.corners.center) ?? false
    }
}
