internal import BarcodeCore
internal import Glibc

extension SearchStrategy.Method {
    /// Finds PDF417 symbols by their start and stop patterns; one of them is sufficient.
    static let pdf417 = Self(
        name: "pdf417", title: "PDF417 by start and stop patterns", symbologies: [.pdf417]
    ) { state, level in
        let sides = state.stackedPatterns(atLevel: level).patterns.compactMap { PDF417Side($0) }
        if sides.isEmpty { state.trace?(.note("No start or stop pattern of PDF417 was found.")) }
        guard !sides.isEmpty else { return }
        var failures = 0
        var budget = PDF417Reader.Budget(state.image(atLevel: level))
        for candidate in PDF417Candidate.all(from: sides) where failures < PDF417Candidate.maximumFailures {
            guard state.isWorthwhile(), !budget.isSpent else { return }
            let scale = Double(1 << level)
            let known =
                state.found.symbols.filter { $0.symbology == .pdf417 }.map(\.corners)
                + state.unpairedComponents.map(\.component.corners)
            guard !known.contains(where: { candidate.lies(in: $0, scale: scale) }) else { continue }
            let readingLevel = readingLevel(ofModule: candidate.module, level)
            let factor = pow(2, Double(level - readingLevel))
            do throws(MatrixDecodeFailure) {
                let read = try PDF417Reader().read(
                    state.image(atLevel: readingLevel), start: candidate.start?.scaled(by: factor),
                    stop: candidate.stop?.scaled(by: factor), budget: &budget)
                var symbol = Symbol(read)
                symbol.corners = symbol.corners.scaled(by: Double(1 << readingLevel))
                state.trace?(
                    .bars(
                        symbol.corners, strip: nil, wasRead: true,
                        sentences: [
                            "read: PDF417 of \(read.message.size.rows) rows and \(read.message.size.columns) columns, "
                                + "level \(read.message.size.level), \(read.message.correctedCodewords) "
                                + "codewords corrected"
                        ]))
                state.found.add(symbol)
                failures = 0
            } catch {
                if error.code == .partOfComposite, !candidate.isInverted,
                    let reading = try? CompositeReader().read(
                        state.image(atLevel: readingLevel), start: candidate.start?.scaled(by: factor),
                        stop: candidate.stop?.scaled(by: factor), budget: &budget)
                {
                    state.keep(reading, module: candidate.module * factor, scale: Double(1 << readingLevel))
                    continue
                }
                failures += 1
                state.noteUnread(candidate.area.scaled(by: scale), module: candidate.module * scale, error)
                state.trace?(
                    .bars(
                        candidate.outline.scaled(by: scale), strip: nil, wasRead: false,
                        sentences: ["a start or stop pattern of PDF417: \(error)"]))
            }
        }
    }
}

/// A candidate for a PDF417 symbol: one side of it, or both.
struct PDF417Candidate {
    /// The number of consecutive failures after which the search ends.
    static let maximumFailures = 12
    /// The number of sides that are compared with each other: those of 200 symbols.
    private static let maximumSides = 400

    var start: PDF417Side?
    var stop: PDF417Side?

    var module: Double { min(start?.module ?? .infinity, stop?.module ?? .infinity) }
    var isInverted: Bool { (start ?? stop)?.isInverted ?? false }
    private var sides: [PDF417Side] { [start, stop].compactMap(\.self) }

    /// Indicates whether the sides belong to a decoded symbol.
    func lies(in corners: Quadrilateral, scale: Double) -> Bool {
        sides.contains { side in
            // A point beside the edge of the codewords, slightly inside the symbol.
            let inwards = side.kind == .start ? 2.0 : -2.0
            return corners.contains(
                Point(
                    x: (side.center.x + inwards * side.module * side.direction.x) * scale,
                    y: (side.center.y + inwards * side.module * side.direction.y) * scale))
        }
    }

    /// The approximate outline.
    var outline: Quadrilateral {
        let points = sides.flatMap { side in [side.points.first, side.points.last].compactMap(\.self) }
        guard points.count >= 2 else {
            let zero = Point(x: 0, y: 0)
            return Quadrilateral(topLeft: zero, topRight: zero, bottomRight: zero, bottomLeft: zero)
        }
        let other = points.count == 4
        return Quadrilateral(
            topLeft: points[0], topRight: other ? points[2] : points[0], bottomRight: other ? points[3] : points[1],
            bottomLeft: points[1])
    }

    /// The approximate area with the start and stop patterns; that of the only one if there is no other.
    var area: Quadrilateral {
        func edge(_ side: PDF417Side, isOuter: Bool) -> (top: Point, bottom: Point) {
            let width = isOuter ? (side.kind == .start ? -1 : 1) * side.kind.width * side.module : 0
            func moved(_ point: Point?) -> Point {
                let point = point ?? side.center
                return Point(x: point.x + width * side.direction.x, y: point.y + width * side.direction.y)
            }
            return (moved(side.points.first), moved(side.points.last))
        }
        guard let first = start ?? stop, let last = stop ?? start else { return outline }
        let (left, right) = (edge(first, isOuter: start != nil), edge(last, isOuter: stop != nil))
        return Quadrilateral(topLeft: left.top, topRight: right.top, bottomRight: right.bottom, bottomLeft: left.bottom)
    }

    /// Returns the pairs of which at least one side has no nearer partner, nearest first, and then each side alone.
    static func all(from sides: [PDF417Side]) -> [PDF417Candidate] {
        var pairs: [(candidate: PDF417Candidate, distance: Double, start: Int, stop: Int)] = []
        let considered = sides.prefix(maximumSides)
        var nearest = [Double](repeating: .infinity, count: considered.count)
        for (index, start) in considered.enumerated() where start.kind == .start {
            for (other, stop) in considered.enumerated() where stop.kind == .stop {
                guard let distance = distance(start, stop) else { continue }
                nearest[index] = min(nearest[index], distance)
                nearest[other] = min(nearest[other], distance)
                pairs.append((PDF417Candidate(start: start, stop: stop), distance, index, other))
            }
        }
        pairs.removeAll { $0.distance > nearest[$0.start] && $0.distance > nearest[$0.stop] }
        pairs.sort { $0.distance < $1.distance }
        return pairs.map(\.candidate)
            + considered.map { $0.kind == .start ? PDF417Candidate(start: $0) : PDF417Candidate(stop: $0) }
    }

    /// The maximum ratio of the module sizes of both sides: that of a symbol turned away by 50 degrees, seen from one and
    /// a half times its width.
    private static let largestModuleRatio = 2.8

    /// Returns the number of modules between a start and a stop pattern; `nil` if they do not belong to one symbol.
    private static func distance(_ start: PDF417Side, _ stop: PDF417Side) -> Double? {
        let (a, b) = (start.direction, stop.direction)
        guard start.isInverted == stop.isInverted, a.x * b.x + a.y * b.y > 0.85 else { return nil }
        let ratio = start.module / stop.module
        guard max(ratio, 1 / ratio) < largestModuleRatio else { return nil }
        let mean = (start.module + stop.module) / 2
        let (x, y) = (stop.center.x - start.center.x, stop.center.y - start.center.y)
        let across = (x * (a.x + b.x) + y * (a.y + b.y)) / 2
        let along = abs(-x * (a.y + b.y) + y * (a.x + b.x)) / 2
        // There are at least three columns, two of which are row indicators, and at most 32.
        let modules = across / mean
        guard (45...640).contains(modules), along < 0.4 * across + 0.6 * max(start.length, stop.length) else {
            return nil
        }
        return modules
    }
}

extension PDF417Side {
    /// Creates a side from a pattern; `nil` if its points do not define a direction.
    init?(_ pattern: PDF417Locator.Pattern) {
        self.init(
            pattern.isStart ? .start : .stop, inner: pattern.inner, outer: pattern.outer,
            isInverted: pattern.isInverted)
    }
}
