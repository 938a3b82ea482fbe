internal import BarcodeCore
internal import QRReader
internal import SymbolLocator

/// Finds and reads the QR symbols of a picture, from its smallest size to its largest.
///
/// A symbol's finder patterns are found best where a module is two to eight pixels; a large symbol is therefore found
/// in a small picture, which costs next to nothing, and is not looked for again in a larger one.
struct QRSearch {
    /// Places in one size of a picture that are tried in vain before the rest is given up.
    ///
    /// A place that is none is refused in a tenth of a millisecond, mostly. The places are sorted, and a true one
    /// stands among the first.
    private static let failuresPerLevel = 150
    /// Pixels a module below which a symbol is read in the next larger picture, where there is one.
    private static let smallestModule = 3.0

    /// Pixels of a picture of which each row is looked at; in a larger one every other row, which still crosses the
    /// middle of a finder pattern of 1.3 pixels a module twice.
    private static let densePixels = 300_000

    private let reader = QRReader(maximumAttempts: 10)
    private var locators: [Int: QRLocator] = [:]
    private let trace: SearchTrace?
    private(set) var readings: [(reading: QRReading, level: Int)] = []

    init(trace: SearchTrace? = nil) {
        self.trace = trace
    }

    /// Whether any look saw a finder pattern; one that is damaged may hide the other two.
    var sawFinderPattern: Bool { locators.values.contains { !$0.patterns.isEmpty } }

    /// Looks at one size of the picture, at places with three finder patterns.
    ///
    /// - Parameter isWorthwhile: asked before each place; false ends the search.
    mutating func look(at level: Int, of pyramid: inout ImagePyramid, isWorthwhile: (Int) -> Bool) {
        let candidates = locator(at: level, of: &pyramid).candidates
        tryOut(candidates, at: level, of: &pyramid, isWorthwhile: isWorthwhile)
    }

    /// Looks at one size of the picture, at places where two finder patterns are seen and a third may be.
    ///
    /// - Parameter isWorthwhile: asked before each place; false ends the search.
    mutating func guess(at level: Int, of pyramid: inout ImagePyramid, isWorthwhile: (Int) -> Bool) {
        let guesses = locator(at: level, of: &pyramid).guesses()
        tryOut(guesses, at: level, of: &pyramid, isWorthwhile: isWorthwhile)
    }

    private mutating func locator(at level: Int, of pyramid: inout ImagePyramid) -> QRLocator {
        if let known = locators[level] { return known }
        let picture = pyramid.image(atLevel: level)
        let locator = QRLocator(picture, rowStep: picture.pixelCount > Self.densePixels ? 2 : 1)
        locators[level] = locator
        return locator
    }

    private mutating func tryOut(
        _ candidates: [QRLocator.Candidate], at level: Int, of pyramid: inout ImagePyramid, isWorthwhile: (Int) -> Bool
    ) {
        if let trace {
            let locator = locator(at: level, of: &pyramid)
            Self.tell(trace, locator, image: pyramid.image(atLevel: level), level: level, places: candidates.count)
        }
        var used: Set<Int> = []
        var failures = 0
        for candidate in candidates where failures < Self.failuresPerLevel {
            guard isWorthwhile(readings.count) else { return }
            guard used.isDisjoint(with: candidate.patterns) else { continue }
            guard !isTaken(candidate.corners.scaled(by: Double(1 << level)).centre) else { continue }
            var readingLevel = level
            while readingLevel > 0, candidate.moduleSize * Double(1 << (level - readingLevel)) < Self.smallestModule {
                readingLevel -= 1
            }
            let corners = candidate.corners.scaled(by: Double(1 << (level - readingLevel)))
            do {
                let reading = try reader.read(
                    pyramid.image(atLevel: readingLevel), finderCorners: corners, size: candidate.size,
                    isInverted: candidate.isInverted)
                used.formUnion(candidate.patterns)
                trace?(
                    .qrPlace(
                        reading.corners.scaled(by: Double(1 << readingLevel)), wasRead: true,
                        sentence: "read: version \(reading.message.version), level "
                            + "\(reading.message.errorCorrectionLevel.rawValue), "
                            + "\(reading.message.correctedCodewords) wrong codewords put right"))
                if !isTaken(reading.corners.scaled(by: Double(1 << readingLevel)).centre) {
                    readings.append((reading, readingLevel))
                }
            } catch {
                failures += 1
                trace?(
                    .qrPlace(
                        candidate.corners.scaled(by: Double(1 << level)), wasRead: false, sentence: "\(error)"))
            }
        }
    }

    /// Whether a symbol has been read where a point of the full picture lies.
    private func isTaken(_ point: Point) -> Bool {
        readings.contains { $0.reading.corners.scaled(by: Double(1 << $0.level)).contains(point) }
    }
}
