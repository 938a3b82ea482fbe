internal import BarcodeCore

extension SearchStrategy.Method {
    /// Reads light bars on a dark ground: regions of bars that were not read, with light and dark exchanged.
    ///
    /// If other symbols were read, only regions with ink on both sides are.
    static let lightBars = Self(
        name: "lightBars", title: "linear symbols of light bars, in regions of bars that were not read",
        symbologies: LinearSearch.symbologies.subtracting([.pharmacode])
    ) { state, level in
        let isLastResort = state.found.count == 0
        let search = LinearSearch(symbologies: state.symbologies)
        var images: [Int: LumaImage] = [:]
        for place in state.unreadBars[level] ?? [] where place.mayBeInverted && (isLastResort || place.isOnInk) {
            let corners = place.region.corners.scaled(by: Double(1 << level))
            guard state.isWorthwhile(), !state.found.contains(where: { $0.corners.contains(corners.center) }),
                let dark = search.sampledRegion(place.region, level: level, &state)
            else {
                continue
            }
            let image = images[dark.level] ?? dark.image.inverted()
            images[dark.level] = image
            guard let strip = LinearStrip(image, region: dark.requested) else { continue }
            let light = LinearSearch.SampledRegion(strip, image, level: dark.level, requested: dark.requested)
            var answers = search.read(light)
            if answers.isEmpty { answers = search.readOblique(light) }
            if let trace = state.trace {
                search.report(trace, corners, strip, answers: answers, isSettled: false)
            }
            // Any part of an ITF is an ITF, and the spaces of other symbols may be a Codabar.
            for var item in answers where !Self.onInkOnly.contains(item.reading.symbology) || place.isOnInk {
                item.reading.isInverted = true
                state.found.add(Symbol(item.reading, in: state.image(atLevel: 0)))
            }
        }
    }

    private static let onInkOnly: Set<Symbology> = [.itf, .codabar]
}
