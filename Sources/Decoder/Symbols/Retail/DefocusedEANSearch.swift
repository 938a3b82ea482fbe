internal import BarcodeCore

extension SearchStrategy.Method {
    /// Reads EAN-13 and UPC-A symbols that are far out of focus, in regions of bars that were not read.
    static let defocused = Self(
        name: "defocused", title: "EAN-13 and UPC-A symbols far out of focus",
        symbologies: [.ean13, .upcA, .isbn13, .isbn10]
    ) { state, level in
        for item in DefocusedEANSearch(symbologies: state.symbologies, trace: state.trace).search(&state, level) {
            state.found.addMeasured(Symbol(item.reading, in: state.image(atLevel: 0)), linkage: item.reading.linkage)
        }
    }
}

/// Reads regions of bars that are too blurred to be seen one by one.
struct DefocusedEANSearch {
    /// The number of layers of a strip: bars seldom fill the whole height of a blurred region.
    private static let layers = 8
    /// The smallest correlation of two neighboring layers that are read; blur leaves little noise.
    private static let smallestCorrelation: Float = 0.8
    /// The smallest number of transitions across a pair of layers: a fifth of the bars and spaces of an EAN-13.
    ///
    /// The 23 pairs that showed a number in photos had 16 or more, two thirds of 728 others fewer than 12.
    private static let fewestTransitions = 12
    /// The number of pairs of layers that are read of a region, and of a level.
    private static let (pairsOfRegion, pairsOfLevel) = (4, 12)
    /// The smallest number of layers that show a number by themselves.
    private static let fewestLayers = 2

    let symbologies: Set<Symbology>
    let trace: SearchTrace?

    /// Reads the regions of one pyramid level; in pixels of the full image.
    func search(_ state: inout SearchState, _ level: Int) -> [LinearSearch.Found] {
        let search = LinearSearch(symbologies: symbologies)
        var found: [LinearSearch.Found] = []
        var pairs = Self.pairsOfLevel
        for bars in state.unreadBars[level] ?? [] where state.isWorthwhile(more: found.count) {
            let region = bars.region
            guard pairs > 0, bars.elements >= Self.fewestTransitions,
                let sampled = search.sampledRegion(region, level: level, &state)
            else { continue }
            let reading = read(sampled, &pairs)
            trace?(
                .bars(
                    region.corners.scaled(by: Double(1 << level)), strip: sampled.whole.drawn(rows: 40),
                    wasRead: reading != nil,
                    sentences: [
                        reading.map { "read: \(String(decoding: $0.reading.bytes, as: UTF8.self))" }
                            ?? "no number explains the blurred bars well and clearly better than others"
                    ]))
            if let reading { LinearSearch.add(reading.scaled(by: sampled.scale), to: &found) }
        }
        return found
    }

    /// Reads a region; in pixels of the image of its strip.
    ///
    /// - Parameter budget: the number of pairs of layers that may be read, reduced by those that were.
    private func read(_ sampled: LinearSearch.SampledRegion, _ budget: inout Int) -> LinearSearch.Found? {
        let layers = sampled.strip.layers(Self.layers)
        let pairs = zip(layers, layers.dropFirst()).enumerated()
            .map { (first: $0.offset, correlation: $0.element.0.correlation(with: $0.element.1)) }
            .filter { $0.correlation >= Self.smallestCorrelation }
            .sorted { $0.correlation > $1.correlation }
        for pair in pairs.prefix(min(Self.pairsOfRegion, budget)) {
            let both = zip(layers[pair.first].values, layers[pair.first + 1].values).map { ($0 + $1) / 2 }
            guard LinearProfile(values: both).transitionCount >= Self.fewestTransitions else { continue }
            budget -= 1
            guard let answer = DefocusedEANReader(both).read(), answer.isClear else { continue }
            let shown = layers.indices.filter {
                let own = DefocusedEANReader(layers[$0].values).read(near: answer.view)
                return own.map { $0.isClear && $0.bytes == answer.bytes } ?? false
            }
            guard shown.count >= Self.fewestLayers, let first = shown.first, let last = shown.last,
                let (symbology, bytes) = EANStripReader.named(.ean13, answer.bytes, symbologies: symbologies)
            else { continue }
            let rows = sampled.strip.allRows.count
            let corners = sampled.strip.corners(
                answer.view.range(in: both.count), isReversed: answer.view.isReversed,
                rows: first * rows / layers.count..<(last + 1) * rows / layers.count)
            return LinearSearch.Found(
                reading: Reading(
                    symbology: symbology, bytes: bytes, corners: corners, orientation: corners.orientation,
                    quality: shown.count))
        }
        return nil
    }
}
