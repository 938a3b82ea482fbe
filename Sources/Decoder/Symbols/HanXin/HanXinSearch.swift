internal import BarcodeCore

extension SearchStrategy.Method {
    /// Finds Han Xin symbols by the finder patterns in their four corners.
    static let hanXin = Self(
        name: "hanXin", title: "Han Xin symbols by four finder patterns", symbologies: [.hanXin]
    ) { state, level in
        let patterns = state.stackedPatterns(atLevel: level).cornerPatterns
        let places = HanXinLocator(patterns).candidates
        if let trace = state.trace { report(trace, patterns, level: level, places: places.count) }
        state.readCandidates(
            places, atLevel: level, limit: .total(.max), outline: { ($0.cores, $0.moduleSize) }
        ) { image, place, factor throws(MatrixDecodeFailure) in
            let reading = try HanXinReader().read(
                image, cores: place.cores.scaled(by: factor), size: place.size, isInverted: place.isInverted)
            let message = reading.message
            return CandidateReading(
                symbol: Symbol(reading),
                sentence: "read: version \(message.version), level \(message.level), "
                    + "\(message.correctedCodewords) codewords corrected")
        }
    }

    private static func report(_ trace: SearchTrace, _ patterns: [CornerPattern], level: Int, places: Int) {
        let scale = Double(1 << level)
        trace(
            .finderPatterns(
                patterns.map { pattern in
                    // The core, extended in the direction of the bows.
                    let (center, reach) = (pattern.center, pattern.width / 2)
                    let (x, y) = (pattern.direction.x * reach, pattern.direction.y * reach)
                    return Quadrilateral(
                        topLeft: Point(x: center.x + 3 * x, y: center.y + 3 * y),
                        topRight: Point(x: center.x - y, y: center.y + x),
                        bottomRight: Point(x: center.x - x, y: center.y - y),
                        bottomLeft: Point(x: center.x + y, y: center.y - x)
                    ).scaled(by: scale)
                }))
        trace(
            .note(
                "\(patterns.count) finder pattern\(patterns.count == 1 ? "" : "s") of Han Xin symbols found, "
                    + "\(places) candidate\(places == 1 ? "" : "s")."))
    }
}
