internal import BarcodeCore
internal import LinearReader
internal import SymbolLocator

extension SearchStrategy.Method {
    /// Fields of bars that recur from line to line, each read row by row.
    static let fields = Self(name: "fields") { scene, level in
        for item in FieldSearch(symbologies: scene.symbologies, trace: scene.trace).search(&scene, level) {
            scene.found.addSeen(Symbol(item.reading, in: scene.image(atLevel: 0)), linkage: item.reading.linkage)
        }
    }
}

/// Reads the fields of bars of a picture: the first look, before regions are fitted.
struct FieldSearch {
    /// Rows of a field that are read, at most: each is the mean of as many rows of pixels as there are for it.
    private static let rows = 24
    /// Pixels a module, of the picture in which a field is read, if there is a larger one.
    private static let wantedModule = 3.0
    /// Pixels across a field up to which it is read in a larger picture, however wide its modules are.
    private static let shortLength = 900.0

    private let bars: LinearSearch
    private let trace: SearchTrace?

    init(symbologies: Set<Symbology>, trace: SearchTrace?) {
        bars = LinearSearch(symbologies: symbologies)
        self.trace = trace
    }

    /// Reads what lies in the fields of one size of the picture, in pixels of the full picture.
    func search(_ scene: inout SearchScene, _ level: Int) -> [LinearSearch.Found] {
        let fields = scene.barFields(atLevel: level)
        var found: [LinearSearch.Found] = []
        // Texture may make many fields: looking at them costs no more than looking at all pixels once.
        var pixels = scene.image(atLevel: level).pixelCount
        for field in fields where scene.isWorthwhile(more: found.count) {
            let corners = field.region.corners.scaled(by: Double(1 << level))
            let middle = corners.center
            guard !found.contains(where: { $0.reading.corners.contains(middle) }),
                !scene.found.contains(where: { $0.corners.contains(middle) })
            else { continue }
            guard pixels > 0, let place = place(field, level: level, &scene) else { continue }
            let answers = read(place)
            if answers.isEmpty {
                pixels -= Int(place.strip.region.length * place.strip.region.height)
            } else {
                pixels = min(pixels, scene.image(atLevel: level).pixelCount)
            }
            report(corners, place, answers)
            for answer in answers { LinearSearch.add(answer, to: &found) }
        }
        return found
    }

    private func place(_ field: BarField, level: Int, _ scene: inout SearchScene) -> LinearSearch.Place? {
        bars.place(
            field.region, level: level, &scene,
            maximumLength: max(Self.shortLength, 2 * Self.wantedModule * field.modules))
    }

    /// Reads a place row by row.
    private func read(_ place: LinearSearch.Place) -> [LinearSearch.Found] {
        let found = bars.readRows(place.strip, in: place.image, count: Self.rows)
        return found.map { $0.scaled(by: place.scale) }
    }

    private func report(_ corners: Quadrilateral, _ place: LinearSearch.Place, _ answers: [LinearSearch.Found]) {
        guard let trace else { return }
        let sentences = answers.map {
            "read: \($0.reading.symbology.rawValue) \(String(decoding: $0.reading.bytes, as: UTF8.self)), in "
                + "\($0.reading.quality) rows"
        }
        trace(
            .bars(
                corners, strip: place.whole.drawn(rows: 40), wasRead: !answers.isEmpty,
                sentences: answers.isEmpty
                    ? ["the same bars on several lines, but too few rows agree on a message"] : sentences))
    }
}
