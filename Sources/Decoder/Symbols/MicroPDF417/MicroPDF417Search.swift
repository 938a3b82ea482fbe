internal import BarcodeCore
internal import Glibc

extension SearchStrategy.Method {
    /// Finds MicroPDF417 symbols by their left row address patterns, outside decoded symbols.
    static let microPDF417 = Self(
        name: "microPDF417", title: "MicroPDF417 by row address patterns", symbologies: [.microPDF417]
    ) { state, level in
        let scale = Double(1 << level)
        let sides = state.stackedPatterns(atLevel: level).rowAddressSides
        state.trace?(.note("\(sides.count) columns of bars found that may be the left side of a MicroPDF417 symbol."))
        var failures = 0
        for seen in sides where failures < maximumSideFailures * timeOfOthers {
            guard state.isWorthwhile() else { return }
            guard
                let side = PDF417Side(.rowAddress, inner: seen.inner, outer: seen.outer, isInverted: seen.isInverted)
            else { continue }
            // Bars of other symbols look alike.
            let inside = Point(
                x: (side.center.x - 5 * side.module * side.direction.x) * scale,
                y: (side.center.y - 5 * side.module * side.direction.y) * scale)
            guard !state.found.contains(where: { $0.corners.contains(inside) }),
                !state.unpairedComponents.contains(where: { $0.component.corners.contains(inside) })
            else { continue }
            let readingLevel = readingLevel(ofModule: side.module, level)
            let factor = pow(2, Double(level - readingLevel))
            do throws(MatrixDecodeFailure) {
                let reading = try read(
                    state.image(atLevel: readingLevel), side.scaled(by: factor),
                    side.alongLines(inner: seen.inner, outer: seen.outer)?.scaled(by: factor))
                var symbol = Symbol(reading)
                symbol.corners = symbol.corners.scaled(by: Double(1 << readingLevel))
                state.trace?(
                    .matrixCandidate(
                        symbol.corners, wasRead: true,
                        sentence: "read: MicroPDF417 of \(reading.message.size.rows) rows and "
                            + "\(reading.message.size.columns) columns, \(reading.message.correctedCodewords) "
                            + "codewords corrected"))
                state.found.add(symbol)
                failures = 0
            } catch {
                // Most candidates have no row address patterns; they take an eighth of the time.
                failures += error.code == .noFinderPattern ? 1 : timeOfOthers
                guard error.code != .noFinderPattern else { continue }
                if error.code == .partOfComposite, !side.isInverted {
                    if let reading = try? CompositeReader().read(
                        state.image(atLevel: readingLevel), side: side.scaled(by: factor))
                    {
                        state.keep(reading, module: side.module, scale: Double(1 << readingLevel))
                        failures = 0
                        continue
                    }
                }
                let far = Point(
                    x: side.center.x + 17 * side.module * side.direction.x,
                    y: side.center.y + 17 * side.module * side.direction.y)
                guard let first = side.points.first, let last = side.points.last else { continue }
                state.trace?(
                    .matrixCandidate(
                        Quadrilateral(topLeft: first, topRight: far, bottomRight: far, bottomLeft: last)
                            .scaled(by: scale),
                        wasRead: false, sentence: "row address patterns of MicroPDF417: \(error)"))
            }
        }
    }

    /// Reads the symbol beside a side, with either direction of its rows.
    private static func read(
        _ image: LumaImage, _ side: PDF417Side, _ other: PDF417Side?
    ) throws(MatrixDecodeFailure) -> MicroPDF417Reading {
        do throws(MatrixDecodeFailure) {
            return try MicroPDF417Reader().read(image, side: side)
        } catch {
            if let other, let reading = try? MicroPDF417Reader().read(image, side: other) { return reading }
            throw error
        }
    }

    /// The number of consecutive failures after which the search ends.
    private static let maximumSideFailures = 16
    /// The time of a side with row address patterns, relative to one without.
    private static let timeOfOthers = 8

    /// Returns the pyramid level at which to read a symbol found at `level`, by its module size in pixels.
    static func readingLevel(ofModule module: Double, _ level: Int) -> Int {
        // Downsampling blurs smaller modules, and larger ones only cost time.
        let (smallest, largest) = (3.0, 8.0)
        var result = level
        while result > 0, module * Double(1 << (level - result)) < smallest { result -= 1 }
        while result >= level, module / Double(1 << (result - level)) > largest { result += 1 }
        return result
    }
}
