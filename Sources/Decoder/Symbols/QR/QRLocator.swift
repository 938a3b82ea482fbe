public import BarcodeCore

/// Finds candidates for QR Codes in a gray image.
public struct QRLocator: Sendable {
    /// A region that may be a symbol.
    public struct Candidate: Sendable, Hashable {
        /// The corners given by the three finder patterns, without the quiet zone, in pixels.
        public var corners: Quadrilateral
        /// The number of modules along a side, not rounded.
        public var size: Double
        /// True if the symbol is light on dark.
        public var isInverted: Bool
        /// The indices of its finder patterns: the one between the other two, the one clockwise from it, and the
        /// last.
        public var patterns: [Int]
        /// The error of the outlines of the finder patterns against a common plane, in modules; 1 if an outline is
        /// unknown.
        public var residual: Double

        /// The mean module size, in pixels.
        public var moduleSize: Double {
            let points = corners.points
            let perimeter = zip(points, points.dropFirst() + [points[0]]).reduce(0) { sum, side in
                let (x, y) = (side.1.x - side.0.x, side.1.y - side.0.y)
                return sum + (x * x + y * y).squareRoot()
            }
            return perimeter / (4 * size)
        }
    }

    /// The largest error of the outlines of three finder patterns against a common plane, in modules.
    private static let largestResidual = 1.6

    /// The smallest side in pixels of an image with a symbol: an M1 without a quiet zone at one pixel a module.
    private static let smallestSide = 11
    /// The smallest correlation of each of three finder patterns, and of their mean.
    ///
    /// The worst of 404 decoded symbols had 0.29 and 0.39; six in ten candidates in images without a symbol have
    /// less.
    private static let leastCorrelation = 0.25
    private static let leastMeanCorrelation = 0.35
    /// The same for each of two from which a symbol is guessed: the minimum was 0.61, and nine in ten wrong ones
    /// have less.
    private static let leastGuessCorrelation = 0.45
    /// The same for two beside which a symbol is searched without a guess, and for a light pattern whose outer ring
    /// is open: the minimum was 0.74, and texture had 0.61.
    static let leastPairCorrelation = 0.65

    /// The number of guesses from two patterns that is worth the time; a wrong one takes about a tenth of a
    /// millisecond.
    private static let maximumGuesses = 300
    private static let guessesPerPair = 6

    /// The finder patterns, dark on light and light on dark.
    public let patterns: [FinderPattern]
    /// The outer corners of each pattern, clockwise; `nil` if its outer ring cannot be followed.
    private let outlines: [[Point]?]
    /// The binary image in which the patterns were found.
    package let binary: BinaryImage
    /// Candidates with timing patterns between their finder patterns, likeliest first.
    ///
    /// On a sheet of many symbols these are the symbols themselves, before any combinations of neighboring patterns.
    ///
    /// Each pattern belongs to at most one. Empty if there are so few patterns that all candidates are tried.
    public let clearCandidates: [Candidate]
    private let triples: [FinderTriple]

    /// Finds symbols in `image`.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - rowStep: the distance of the scanned rows, in pixels.
    ///   - threshold: the rule for the thresholds of the binary image.
    public init(_ image: LumaImage, rowStep: Int = 1, by threshold: BinaryImage.Threshold = .mean) {
        self.init(BinaryImage(image, by: threshold), rowStep: rowStep)
    }

    /// Finds symbols in a binary image.
    ///
    /// It finds modules of 1.5 to about 12 pixels; larger ones are found in a smaller image.
    ///
    /// - Parameters:
    ///   - binary: the binary image.
    ///   - rowStep: the distance of the scanned rows, in pixels.
    public init(_ binary: BinaryImage, rowStep: Int = 1) {
        guard binary.width >= Self.smallestSide, binary.height >= Self.smallestSide else {
            self.init(binary, patterns: [])
            return
        }
        self.init(
            binary,
            patterns: FinderScan(binary, rowStep: rowStep).patterns.filter { $0.correlation >= Self.leastCorrelation })
    }

    /// Combines finder patterns that were found in a binary image.
    init(_ binary: BinaryImage, patterns: [FinderPattern]) {
        self.binary = binary
        let outlines = patterns.map { FinderOutline.corners(of: $0, in: binary) }
        self.patterns = patterns
        self.outlines = outlines
        triples = FinderTriples.all(patterns)
        guard patterns.count >= Self.manyPatterns else {
            clearCandidates = []
            return
        }
        var taken: Set<Int> = []
        var clear: [Candidate] = []
        for triple in triples where triple.patterns.allSatisfy({ !taken.contains($0) }) {
            guard !SearchTime.isOver else { break }
            guard TimingCheck.isTimed(Self.rough(triple, patterns), in: binary),
                let place = Self.place(triple, patterns, outlines)
            else { continue }
            taken.formUnion(place.patterns)
            clear.append(place)
        }
        clearCandidates = clear
    }

    /// The number of patterns from which on an image is taken to have many symbols.
    private static let manyPatterns = 24

    /// The candidates, likeliest first.
    ///
    /// A pattern may be part of several.
    public var candidates: [Candidate] { candidates { _ in true } }

    /// Returns the candidates whose patterns are all free, likeliest first.
    ///
    /// - Parameter isFree: true if the pattern at an index of ``patterns`` may be part of a candidate.
    public func candidates(where isFree: (Int) -> Bool) -> [Candidate] {
        let areFree = patterns.indices.map(isFree)
        var places: [Candidate] = []
        for triple in triples where triple.patterns.allSatisfy({ areFree[$0] }) {
            guard !SearchTime.isOver else { break }
            if let place = Self.place(triple, patterns, outlines) { places.append(place) }
        }
        places.sort { ($0.residual + 0.005 * $0.size) < ($1.residual + 0.005 * $1.size) }
        // On a sheet of many symbols, patterns of neighbors form candidates too, which are as square as the symbols.
        let areTimed = places.map { TimingCheck.isTimed($0, in: binary) }
        return zip(places, areTimed).filter { $1 }.map { $0.0 } + zip(places, areTimed).filter { !$1 }.map { $0.0 }
    }

    /// Returns the candidate of three patterns; `nil` if they do not belong to one symbol.
    private static func place(
        _ triple: FinderTriple, _ patterns: [FinderPattern], _ outlines: [[Point]?]
    ) -> Candidate? {
        let places = triple.patterns
        guard places.reduce(0, { $0 + patterns[$1].correlation }) >= 3 * leastMeanCorrelation else { return nil }
        let known = places.compactMap { outlines[$0] }
        // The outline of a pattern that touches something is not a square, but its center may be right.
        guard known.count == 3, let fit = FinderTripleFit(known), fit.residual < largestResidual else {
            return rough(triple, patterns)
        }
        return Candidate(
            corners: fit.map.quadrilateral(side: fit.size), size: fit.size,
            isInverted: patterns[triple.corner].isInverted, patterns: places, residual: fit.residual)
    }

    /// Returns the corners of the 7 × 7 modules of a finder pattern, clockwise from any corner; `nil` if they cannot
    /// be measured.
    ///
    /// If something touches the outer ring, the corners are extrapolated from the central square and less accurate.
    ///
    /// - Precondition: `index` is an index of ``patterns``.
    public func outline(ofPattern index: Int) -> Quadrilateral? {
        guard let corners = outlines[index] ?? FinderOutline.cornersByMiddle(of: patterns[index], in: binary) else {
            return nil
        }
        return Quadrilateral(
            topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
    }

    /// True if any two dark finder patterns may belong to one symbol, by distance and size.
    public var hasPair: Bool { patterns.contains { Self.hasPartner($0, patterns) } }

    /// The dark finder patterns with a high correlation and a partner that may belong to the same symbol, by
    /// distance and size.
    public var pairedPatterns: [FinderPattern] {
        Self.paired(patterns.filter { $0.correlation >= Self.leastPairCorrelation })
    }

    private static func paired(_ patterns: [FinderPattern]) -> [FinderPattern] {
        patterns.filter { hasPartner($0, patterns) }
    }

    private static func hasPartner(_ one: FinderPattern, _ patterns: [FinderPattern]) -> Bool {
        !one.isInverted && patterns.contains { one.modules(to: $0) != nil }
    }

    /// Returns candidates guessed from two finder patterns, for symbols whose third is damaged, covered or in glare.
    ///
    /// The two may be neighbors, with the third beside either of them on either side, or diagonally opposite. Each
    /// pair gives six candidates, few of which are symbols, so this is for patterns outside decoded symbols.
    ///
    /// - Parameter isFree: true if the pattern at an index of ``patterns`` is to be considered.
    public func guesses(where isFree: (Int) -> Bool = { _ in true }) -> [Candidate] {
        var pairs: [(one: Int, other: Int, distance: Double)] = []
        let likely = patterns.indices.filter { isFree($0) && patterns[$0].correlation >= Self.leastGuessCorrelation }
        let maximumPairs = Self.maximumGuesses / Self.guessesPerPair
        for (place, one) in likely.enumerated() {
            guard !SearchTime.isOver else { break }
            for other in likely[(place + 1)...] {
                guard let distance = patterns[one].modules(to: patterns[other]) else { continue }
                // The nearer two patterns are, the likelier they belong to one symbol.
                if pairs.count == maximumPairs {
                    guard distance < pairs[maximumPairs - 1].distance else { continue }
                    pairs.removeLast()
                }
                pairs.insert((one, other, distance), at: pairs.firstIndex { $0.distance > distance } ?? pairs.count)
            }
        }
        return pairs.flatMap {
            guesses($0.one, $0.other, distance: $0.distance)
        }
    }

    private func guesses(_ place: Int, _ other: Int, distance: Double) -> [Candidate] {
        let (one, two) = (patterns[place], patterns[other])
        let (a, b) = (one.center, two.center)
        if let first = outlines[place], let second = outlines[other],
            let fit = FinderPairFit(first, second, from: a, to: b)
        {
            return (fit.besideEachOther + fit.opposite).map {
                Candidate(
                    corners: $0.corners, size: $0.size, isInverted: one.isInverted, patterns: [place, other],
                    residual: 1)
            }
        }
        // As seen from the front.
        let (x, y) = (b.x - a.x, b.y - a.y)

        func guess(corner: Point, right: Point, below: Point, modules: Double) -> Candidate {
            Self.candidate(
                corner: corner, right: right, below: below, modules: modules, isInverted: one.isInverted,
                patterns: [place, other], residual: 1)
        }
        var found: [Candidate] = []
        for sign in [1.0, -1] {
            // A rotation by 90 degrees from one to the other, to either side.
            let aside = Point(x: -y * sign, y: x * sign)
            // The third pattern, clockwise from the corner, is the lower one.
            found.append(
                sign > 0
                    ? guess(corner: a, right: b, below: a + aside, modules: distance)
                    : guess(corner: a, right: a + aside, below: b, modules: distance))
            found.append(
                sign > 0
                    ? guess(corner: b, right: b + aside, below: a, modules: distance)
                    : guess(corner: b, right: a, below: b + aside, modules: distance))
            // Diagonally opposite: the corner is the vertex of a right angle over the two.
            let corner = Point(x: (a.x + b.x + aside.x) / 2, y: (a.y + b.y + aside.y) / 2)
            found.append(
                sign > 0
                    ? guess(corner: corner, right: a, below: b, modules: distance / 2.0.squareRoot())
                    : guess(corner: corner, right: b, below: a, modules: distance / 2.0.squareRoot()))
        }
        return found
    }

    /// Returns a candidate from the centers of its patterns alone, with the fourth corner as without perspective.
    private static func rough(_ triple: FinderTriple, _ patterns: [FinderPattern]) -> Candidate {
        let origin = patterns[triple.corner].center
        let right = patterns[triple.right].center
        let below = patterns[triple.below].center
        // The distance of the centers is seven modules less than that of the edges.
        return candidate(
            corner: origin, right: right, below: below, modules: max(14, triple.size - 7),
            isInverted: patterns[triple.corner].isInverted,
            patterns: [triple.corner, triple.right, triple.below], residual: 0.6 + triple.distortion)
    }

    /// Returns a candidate from the centers of its finder patterns and their distance in modules.
    private static func candidate(
        corner origin: Point, right: Point, below: Point, modules: Double, isInverted: Bool, patterns: [Int],
        residual: Double
    ) -> Candidate {
        let across = Point(x: (right.x - origin.x) / modules, y: (right.y - origin.y) / modules)
        let down = Point(x: (below.x - origin.x) / modules, y: (below.y - origin.y) / modules)
        func place(_ column: Double, _ row: Double) -> Point {
            Point(x: origin.x + column * across.x + row * down.x, y: origin.y + column * across.y + row * down.y)
        }
        let (low, high) = (-3.5, modules + 3.5)
        return Candidate(
            corners: Quadrilateral(
                topLeft: place(low, low), topRight: place(high, low),
                bottomRight: place(high, high), bottomLeft: place(low, high)),
            size: modules + 7, isInverted: isInverted, patterns: patterns, residual: residual)
    }
}
