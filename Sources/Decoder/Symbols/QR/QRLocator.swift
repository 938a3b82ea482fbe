public import BarcodeCore

/// Finds where QR symbols may be in a grey picture.
public struct QRLocator: Sendable {
    /// A place that looks like a symbol.
    public struct Candidate: Sendable, Hashable {
        /// The corners that the three finder patterns suggest, without the quiet zone.
        public var corners: Quadrilateral
        /// Modules along a side, not rounded.
        public var size: Double
        /// Whether the symbol is light on dark.
        public var isInverted: Bool
        /// Which of the finder patterns are its own: that between the other two, the one clockwise from it, the last.
        public var patterns: [Int]
        /// How far the finder patterns' outlines are from one plane, in modules; 1 where an outline is not known.
        public var residual: Double

        /// Pixels a module, in the mean.
        public var moduleSize: Double {
            let points = corners.points
            let perimeter = zip(points, points.dropFirst() + [points[0]]).reduce(0) { sum, side in
                let (x, y) = (side.1.x - side.0.x, side.1.y - side.0.y)
                return sum + (x * x + y * y).squareRoot()
            }
            return perimeter / (4 * size)
        }
    }

    /// Modules by which the outlines of three finder patterns may be off a common plane.
    private static let largestResidual = 1.6

    /// Pixels of a picture in which there may be a symbol: an M1 without a quiet zone, a pixel a module.
    private static let smallestSide = 11
    /// How like a finder pattern each of three must be, and they in the mean; the worst of 404 symbols that were read had
    /// 0.29 and 0.39, and of places that were none in pictures without a symbol six in ten have less.
    private static let leastLikeness = 0.25
    private static let leastMeanLikeness = 0.35
    /// The same for each of two that a symbol is guessed from: 0.61 was the least, nine in ten wrong ones have less.
    private static let leastGuessLikeness = 0.45
    /// The same for two beside which a symbol is looked for without a place being guessed: 0.74, where texture had 0.61.
    private static let leastPairLikeness = 0.65

    /// Guesses from two patterns that are worth their time; one that is wrong costs about a tenth of a millisecond.
    private static let maximumGuesses = 300
    private static let guessesPerPair = 6

    /// The finder patterns, dark on light and light on dark.
    public let patterns: [FinderPattern]
    /// The outer corners of each pattern, clockwise; nil where its outer ring cannot be followed.
    private let outlines: [[Point]?]
    /// The picture in the two tones in which the patterns were looked for.
    package let binary: BinaryImage
    /// Places between whose patterns dark and light take turns, the likeliest first: of a sheet of many symbols their own,
    /// before any is made of the patterns of neighbors.
    ///
    /// No pattern is part of two. Empty where there are few patterns, of which all places are looked at.
    public let clearCandidates: [Candidate]
    private let triples: [FinderTriple]

    /// Looks for symbols in `image`.
    ///
    /// - Parameters:
    ///   - rowStep: how many rows lie from one that is walked to the next.
    ///   - isPale: whether to look for print that differs from the paper by hardly more than noise.
    public init(_ image: LumaImage, rowStep: Int = 1, isPale: Bool = false) {
        self.init(BinaryImage(image, isPale: isPale), rowStep: rowStep)
    }

    /// Looks for symbols in a picture that is divided into dark and light.
    ///
    /// Modules of 1.5 to about 12 pixels are found; larger ones in a smaller picture.
    ///
    /// - Parameter rowStep: how many rows lie from one that is walked to the next.
    public init(_ binary: BinaryImage, rowStep: Int = 1) {
        self.binary = binary
        guard binary.width >= Self.smallestSide, binary.height >= Self.smallestSide else {
            patterns = []
            outlines = []
            clearCandidates = []
            triples = []
            return
        }
        let patterns = FinderScan(binary, rowStep: rowStep).patterns.filter { $0.likeness >= Self.leastLikeness }
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

    /// Patterns of a picture that are those of more symbols than a few.
    private static let manyPatterns = 24

    /// The places, the likeliest first.
    ///
    /// A pattern may be part of several.
    public var candidates: [Candidate] { candidates { _ in true } }

    /// The places of patterns that are free, the likeliest first.
    ///
    /// - Parameter isFree: whether the pattern at an index of ``patterns`` is to be part of any.
    public func candidates(where isFree: (Int) -> Bool) -> [Candidate] {
        let areFree = patterns.indices.map(isFree)
        var places: [Candidate] = []
        for triple in triples where triple.patterns.allSatisfy({ areFree[$0] }) {
            guard !SearchTime.isOver else { break }
            if let place = Self.place(triple, patterns, outlines) { places.append(place) }
        }
        places.sort { ($0.residual + 0.005 * $0.size) < ($1.residual + 0.005 * $1.size) }
        // On a sheet of many symbols the patterns of neighbors make places too, which are as square as the symbols.
        let areTimed = places.map { TimingCheck.isTimed($0, in: binary) }
        return zip(places, areTimed).filter { $1 }.map { $0.0 } + zip(places, areTimed).filter { !$1 }.map { $0.0 }
    }

    /// The place that three patterns make; nil where they are none of one symbol.
    private static func place(
        _ triple: FinderTriple, _ patterns: [FinderPattern], _ outlines: [[Point]?]
    ) -> Candidate? {
        let places = triple.patterns
        guard places.reduce(0, { $0 + patterns[$1].likeness }) >= 3 * leastMeanLikeness else { return nil }
        let known = places.compactMap { outlines[$0] }
        // An outline that something touches is no square: the centres may be right all the same.
        guard known.count == 3, let fit = FinderTripleFit(known), fit.residual < largestResidual else {
            return rough(triple, patterns)
        }
        return Candidate(
            corners: fit.map.quadrilateral(side: fit.size), size: fit.size,
            isInverted: patterns[triple.corner].isInverted, patterns: places, residual: fit.residual)
    }

    /// The corners of a finder pattern's seven by seven modules, clockwise from any; nil where they cannot be told.
    ///
    /// Where something touches the outer ring they are those of the middle, so many times larger, and less exact.
    ///
    /// - Precondition: `index` is one of ``patterns``.
    public func outline(ofPattern index: Int) -> Quadrilateral? {
        guard let corners = outlines[index] ?? FinderOutline.cornersByMiddle(of: patterns[index], in: binary) else {
            return nil
        }
        return Quadrilateral(
            topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
    }

    /// Whether any two dark finder patterns are at a distance and of a size as of one symbol.
    public var hasPair: Bool { patterns.contains { Self.hasPartner($0, patterns) } }

    /// The dark finder patterns that have another at a distance and of a size as of the same symbol, and are like one.
    public var pairedPatterns: [FinderPattern] {
        Self.paired(patterns.filter { $0.likeness >= Self.leastPairLikeness })
    }

    private static func paired(_ patterns: [FinderPattern]) -> [FinderPattern] {
        patterns.filter { hasPartner($0, patterns) }
    }

    private static func hasPartner(_ one: FinderPattern, _ patterns: [FinderPattern]) -> Bool {
        !one.isInverted && patterns.contains { one.modules(to: $0) != nil }
    }

    /// Places that two finder patterns suggest, for symbols whose third is damaged, covered or in the glare.
    ///
    /// The two may be neighbours, so that the third is beside either on either side, or opposite to each other. There
    /// are six places for each two patterns, and few of them are symbols: this is for patterns that no symbol has.
    ///
    /// - Parameter isFree: whether the pattern at an index of ``patterns`` is to be looked at.
    public func guesses(where isFree: (Int) -> Bool = { _ in true }) -> [Candidate] {
        var pairs: [(one: Int, other: Int, distance: Double)] = []
        let likely = patterns.indices.filter { isFree($0) && patterns[$0].likeness >= Self.leastGuessLikeness }
        let maximumPairs = Self.maximumGuesses / Self.guessesPerPair
        for (place, one) in likely.enumerated() {
            guard !SearchTime.isOver else { break }
            for other in likely[(place + 1)...] {
                guard let distance = patterns[one].modules(to: patterns[other]) else { continue }
                // The sides of a symbol are at most some dozen times its finder patterns: the nearer, the likelier.
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
        let (x, y) = (two.center.x - one.center.x, two.center.y - one.center.y)

        func guess(corner: Point, right: Point, below: Point, modules: Double) -> Candidate {
            Self.candidate(
                corner: corner, right: right, below: below, modules: modules, isInverted: one.isInverted,
                patterns: [place, other], residual: 1)
        }
        let (a, b) = (one.center, two.center)
        var found: [Candidate] = []
        for sign in [1.0, -1] {
            // A quarter turn from one to the other, to either side.
            let aside = Point(x: -y * sign, y: x * sign)
            let besideA = Point(x: a.x + aside.x, y: a.y + aside.y)
            let besideB = Point(x: b.x + aside.x, y: b.y + aside.y)
            // The third seen clockwise from the corner is the lower one.
            found.append(
                sign > 0
                    ? guess(corner: a, right: b, below: besideA, modules: distance)
                    : guess(corner: a, right: besideA, below: b, modules: distance))
            found.append(
                sign > 0
                    ? guess(corner: b, right: besideB, below: a, modules: distance)
                    : guess(corner: b, right: a, below: besideB, modules: distance))
            // Opposite to each other: the corner is where a right angle over the two has its vertex.
            let corner = Point(x: (a.x + b.x + aside.x) / 2, y: (a.y + b.y + aside.y) / 2)
            found.append(
                sign > 0
                    ? guess(corner: corner, right: a, below: b, modules: distance / 2.0.squareRoot())
                    : guess(corner: corner, right: b, below: a, modules: distance / 2.0.squareRoot()))
        }
        return found
    }

    /// A place from the centres of its patterns alone, the fourth corner as if there were no perspective.
    private static func rough(_ triple: FinderTriple, _ patterns: [FinderPattern]) -> Candidate {
        let origin = patterns[triple.corner].center
        let right = patterns[triple.right].center
        let below = patterns[triple.below].center
        // From centre to centre it is seven modules less than from edge to edge.
        return candidate(
            corner: origin, right: right, below: below, modules: max(14, triple.size - 7),
            isInverted: patterns[triple.corner].isInverted,
            patterns: [triple.corner, triple.right, triple.below], residual: 0.6 + triple.distortion)
    }

    /// A place whose finder patterns' centres are given, and how many modules they are apart.
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
