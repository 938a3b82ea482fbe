internal import BarcodeCore

extension SearchStrategy.Method {
    /// Finds postal symbols by rows of separate bars.
    static let postal = Self(
        name: "postal", title: "postal symbols by rows of separate bars",
        symbologies: PostalReader.supportedSymbologies
    ) { state, level in
        let rows = PostalLocator(state.binaryImage(atLevel: level)).rows
        let reader = PostalReader(symbologies: state.symbologies)
        for row in rows.prefix(maximumPostalRows) {
            guard state.isWorthwhile() else { return }
            let corners = row.corners.scaled(by: Double(1 << level))
            let isKnown = state.found.contains {
                PostalReader.supportedSymbologies.contains($0.symbology) && $0.corners.contains(corners.center)
            }
            guard !isKnown else { continue }
            let bars = row.bars.map { PostalBar(hasAscender: $0.up, hasDescender: $0.down) }
            guard let answer = reader.read(bars) else {
                state.trace?(
                    .bars(
                        corners, strip: nil, wasRead: false,
                        sentences: [
                            "\(bars.count) bars of a postal symbol, but no requested symbology passes its check"
                        ]))
                continue
            }
            let upright =
                answer.isTurned
                ? Quadrilateral(
                    topLeft: corners.bottomRight, topRight: corners.bottomLeft, bottomRight: corners.topLeft,
                    bottomLeft: corners.topRight) : corners
            var reading = Reading(
                symbology: answer.symbology, bytes: answer.bytes, corners: upright, orientation: upright.orientation)
            // A bar and the space behind it are two modules, although postal services only specify their sum.
            reading.modulesAcross = 2 * bars.count - 1
            state.trace?(
                .bars(
                    upright, strip: nil, wasRead: true,
                    sentences: ["read: \(answer.symbology.rawValue) \(String(decoding: answer.bytes, as: UTF8.self))"]))
            state.found.add(Symbol(reading, in: state.image(atLevel: 0)))
        }
        if rows.isEmpty { state.trace?(.note("No row of separate bars of different heights was found.")) }
    }

    /// The largest number of rows that are read in one pyramid level.
    private static let maximumPostalRows = 100
}
