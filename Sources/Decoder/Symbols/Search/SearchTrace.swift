package import BarcodeCore

/// A listener for the events of a search, for `--explain`.
package typealias SearchTrace = (SearchEvent) -> Void

/// An event of a search; all coordinates are in pixels of the full image.
package enum SearchEvent: Sendable {
    /// A pass over an image begins: its title, at 1/2^`level` of the size.
    ///
    /// The image is the full one, or a part or changed copy of it with the given size.
    case pass(String, level: Int, size: PixelSize)
    /// A pass was skipped: its title and the reason.
    case leftOut(String, reason: String)
    /// The binary image used by the pass.
    case twoTones(LumaImage)
    /// The outlines of the finder patterns.
    case finderPatterns([Quadrilateral])
    /// A candidate for a matrix symbol, and the result of its attempt.
    case matrixCandidate(Quadrilateral, wasRead: Bool, sentence: String)
    /// A region of parallel bars, its straightened mean if there is one, and the result of its attempt.
    case bars(Quadrilateral, strip: LumaImage?, wasRead: Bool, sentences: [String])
    /// Any other message.
    case note(String)
}

extension SearchEvent {
    /// Returns the event with its outlines mapped to the pixels of another image.
    func mapped(_ body: (Quadrilateral) -> Quadrilateral) -> SearchEvent {
        switch self {
        case .finderPatterns(let patterns): .finderPatterns(patterns.map(body))
        case .matrixCandidate(let corners, let wasRead, let sentence):
            .matrixCandidate(body(corners), wasRead: wasRead, sentence: sentence)
        case .bars(let corners, let strip, let wasRead, let sentences):
            .bars(body(corners), strip: strip, wasRead: wasRead, sentences: sentences)
        case .pass, .leftOut, .twoTones, .note: self
        }
    }
}

extension SearchStrategy.Method {
    /// Reports the detections of the locator.
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
                    ? "No finder pattern was found: nested squares, dark and light in the ratio 1:1:3:1:1 on every "
                        + "line through the center."
                    : "\(count) finder pattern\(count == 1 ? "" : "s") found, \(places) "
                        + "candidate\(places == 1 ? "" : "s")."
            ))
    }
}
