internal import Glibc

/// The elements of a layout with a given blur, at each possible width.
struct EANTemplates: Sendable {
    /// The number of samples per module: rounding to a sample moves an edge by at most a tenth of a module.
    static let samplesPerModule = 5
    /// The allowed deviation of an element's length, in samples: 6 % of a digit, as on a curved label.
    static let widthRange = -2...2
    /// The standard deviations of the blur in modules: sharp, soft, defocused until single bars have half their
    /// contrast, worse.
    static let blurs: [Float] = [0.3, 0.5, 0.7, 0.95]
    /// The smallest blur that is called defocused, in modules.
    static let defocused: Float = 0.7

    /// The patterns of an element at one width, normalized to mean 0 and length 1.
    struct Shapes: Sendable {
        /// The number of samples of a pattern.
        let count: Int
        /// The number of samples from one pattern to the next: a multiple of eight, padded with zeros.
        let stride: Int
        /// The patterns, one after the other.
        let values: [Float]
        /// The length of each pattern before normalization, for a contrast of 1 between ink and paper.
        let norms: [Float]

        init(_ patterns: [(values: [Float], norm: Float)]) {
            norms = patterns.map(\.norm)
            let patterns = patterns.map(\.values)
            count = patterns[0].count
            let stride = (count + 7) / 8 * 8
            self.stride = stride
            values = patterns.flatMap { $0 + [Float](repeating: 0, count: stride - $0.count) }
        }
    }

    /// The shapes of each element, by width.
    let shapes: [[Shapes]]

    static let ean13 = all(.ean13)
    static let ean8 = all(.ean8)
    static let upcE = all(.upcE)

    private static func all(_ layout: EANLayout) -> [EANTemplates] { blurs.map { EANTemplates(layout, blur: $0) } }

    private init(_ layout: EANLayout, blur: Float) {
        // Most digits of a layout have the same element, which is drawn once.
        var known: [EANLayout.Element: [Shapes]] = [:]
        shapes = layout.elements.map { element in
            if let shapes = known[element] { return shapes }
            let shapes = Self.widthRange.map { change in
                let modules = element.patterns.first?.count ?? 0
                let edges = SoftEdges(modules: modules, count: modules * Self.samplesPerModule + change, blur: blur)
                return Shapes(element.patterns.map { Self.shape($0, element, edges) })
            }
            known[element] = shapes
            return shapes
        }
    }

    /// The blurred step from light to dark at each possible edge of the modules, at each sample.
    ///
    /// All patterns of an element have their edges at the same few locations, and the error function is slow.
    private struct SoftEdges {
        let count: Int
        private let places: Int
        private let values: [Float]

        init(modules: Int, count: Int, blur: Float) {
            let places = modules + 4
            self.count = count
            self.places = places
            values = (0..<count).flatMap { sample in
                let x = (Float(sample) + 0.5) * Float(modules) / Float(count) + 2
                return (0..<places).map { 0.5 * (1 + erff((x - Float($0)) / (blur * 1.414_213_6))) }
            }
        }

        subscript(sample: Int, place: Int) -> Float { values[sample * places + place] }
    }

    /// Draws a pattern between its neighbors with a Gaussian blur.
    private static func shape(
        _ pattern: [Float], _ element: EANLayout.Element, _ soft: SoftEdges
    ) -> (values: [Float], norm: Float) {
        // Beyond the known modules the brightness is in the middle.
        let modules = [0.5, element.before] + pattern + [element.after, 0.5]
        // The outermost modules extend to infinity. The blur softens the step at each edge between two modules.
        let edges = modules.indices.dropFirst().map { (place: $0, step: modules[$0] - modules[$0 - 1]) }
            .filter { $0.step != 0 }
        var values = (0..<soft.count).map { sample in
            edges.reduce(modules[0]) { sum, edge in sum + edge.step * soft[sample, edge.place] }
        }
        let mean = values.reduce(0, +) / Float(soft.count)
        for place in values.indices { values[place] -= mean }
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return (values.map { $0 / max(length, 1e-6) }, length)
    }
}
