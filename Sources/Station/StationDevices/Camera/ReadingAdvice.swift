internal import BarcodeCore

/// The reason why a code in view of the camera is not read, reported once it has lasted for a while (a debounce).
///
/// This value has no clock; its times are those of the frames.
struct ReadingAdvice: Sendable {
    /// The time and the number of frames for which a reason must last: a code that a person just brings into view is
    /// blurred for a moment.
    static let delay = Duration.milliseconds(800)
    static let fewestFrames = 3
    /// The time without an unread code after which the reason no longer applies.
    static let absence = Duration.milliseconds(600)

    private struct Candidate {
        var reason: UnreadSymbol.Reason
        var first: Duration
        var last: Duration
        var frames = 0
    }

    /// The reason to show; `nil` if there is none.
    private(set) var reason: UnreadSymbol.Reason?
    private var candidate: Candidate?

    /// Records a decoded frame.
    ///
    /// - Parameters:
    ///   - symbols: the decoded symbols; a code that is read ends the advice.
    ///   - unread: the symbols that were located but not read; the largest one counts.
    ///   - time: the frame's time of exposure.
    mutating func note(_ symbols: [Symbol], unread: [UnreadSymbol], at time: Duration) {
        // A time before the last one comes from another camera.
        if !symbols.isEmpty || candidate.map({ time < $0.last || time - $0.last >= Self.absence }) ?? false {
            self = ReadingAdvice()
        }
        guard symbols.isEmpty, let largest = unread.max(by: { $0.corners.boxArea < $1.corners.boxArea }) else { return }
        if candidate?.reason != largest.reason {
            candidate = Candidate(reason: largest.reason, first: time, last: time)
        }
        guard var current = candidate else { return }
        current.last = time
        current.frames += 1
        candidate = current
        if current.frames >= Self.fewestFrames, time - current.first >= Self.delay { reason = current.reason }
    }
}

extension Quadrilateral {
    fileprivate var boxArea: Double { boundingBox.width * boundingBox.height }
}
