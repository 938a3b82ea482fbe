internal import BarcodeCore

extension SearchStrategy.Method {
    /// Finds the DX codes on film edges by their clock tracks.
    static let filmEdge = Self(
        name: "filmEdge", title: "codes on film edges by their clock tracks", symbologies: [.filmEdge]
    ) { state, level in
        let clocks = state.stackedPatterns(atLevel: level).clocks
        let scale = Double(1 << level)
        var failures = 0
        for clock in clocks where failures < maximumFilmFailures {
            guard state.isWorthwhile() else { return }
            let middle = Point(
                x: (clock.start.x + clock.end.x) / 2 * scale, y: (clock.start.y + clock.end.y) / 2 * scale)
            // The modules and bars of another symbol sometimes look like a clock.
            guard !state.found.contains(where: { $0.symbology != .filmEdge && $0.corners.contains(middle) }) else {
                continue
            }
            // Several lines show the same clock.
            let reach =
                3 * scale * (abs(clock.end.x - clock.start.x) + abs(clock.end.y - clock.start.y))
                / Double(clock.modules)
            let isKnown = state.found.contains {
                let box = $0.corners.boundingBox
                return $0.symbology == .filmEdge && middle.x >= box.x - reach && middle.x <= box.x + box.width + reach
                    && middle.y >= box.y - reach && middle.y <= box.y + box.height + reach
            }
            guard !isKnown else { continue }
            guard
                var reading = FilmEdgeReader().read(
                    state.image(atLevel: level), start: clock.start, end: clock.end, modules: clock.modules)
            else {
                failures += 1
                continue
            }
            reading.corners = reading.corners.scaled(by: scale)
            state.trace?(
                .bars(
                    reading.corners, strip: nil, wasRead: true,
                    sentences: ["read: \(reading.symbology.rawValue) \(String(decoding: reading.bytes, as: UTF8.self))"]
                ))
            state.found.add(Symbol(reading, in: state.image(atLevel: 0)))
        }
        if clocks.isEmpty { state.trace?(.note("No clock track of a film edge was found.")) }
    }

    /// The maximum number of clocks without data before giving up.
    private static let maximumFilmFailures = 24
}
