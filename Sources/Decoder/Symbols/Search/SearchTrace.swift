package import BarcodeCore

/// What a search reports of itself while it runs, for `--explain`; without a listener it reports nothing.
package typealias SearchTrace = (SearchEvent) -> Void

/// One thing that a search did or saw; all places are in pixels of the full picture.
package enum SearchEvent: Sendable {
    /// A pass over the picture begins: what is done, at 1/2^`level` of its size.
    case pass(String, level: Int)
    /// A pass was left out: what, and why.
    case leftOut(String, reason: String)
    /// The picture in two tones, as the pass saw it.
    case twoTones(LumaImage)
    /// Where finder patterns were seen.
    case finderPatterns([Quadrilateral])
    /// A place that was tried as a matrix symbol, and what came of it.
    case matrixPlace(Quadrilateral, wasRead: Bool, sentence: String)
    /// A region of parallel bars, its straightened mean where one was made, and what came of it.
    case bars(Quadrilateral, strip: LumaImage?, wasRead: Bool, sentences: [String])
    /// Anything else.
    case note(String)
}

extension SearchStrategy.Method {
    /// Reports what the locator saw.
    static func report(_ trace: SearchTrace, _ locator: QRLocator, level: Int, places: Int) {
        let scale = Double(1 << level)
        trace(.twoTones(locator.binary.blackAndWhite))
        trace(
            .finderPatterns(
                locator.patterns.map { pattern in
                    let (x, y) = (pattern.width / 2, pattern.height / 2)
                    func corner(_ dx: Double, _ dy: Double) -> Point {
                        Point(x: pattern.center.x + dx, y: pattern.center.y + dy)
                    }
                    return Quadrilateral(
                        topLeft: corner(-x, -y), topRight: corner(x, -y), bottomRight: corner(x, y),
                        bottomLeft: corner(-x, y)
                    ).scaled(by: scale)
                }))
        let count = locator.patterns.count
        trace(
            .note(
                count == 0
                    ? "No finder pattern was seen: three nested squares, dark and light as 1:1:3:1:1 on every line through them."
                    : "\(count) finder pattern\(count == 1 ? "" : "s") seen, \(places) place\(places == 1 ? "" : "s") to try."
            ))
    }
}
