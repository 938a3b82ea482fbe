internal import BarcodeCore

/// The codes that have answered a request and have been in view ever since.
///
/// This value has no clock; its times are those of the frames.
struct AnsweredCodes: Sendable {
    /// The time for which frames must not show a code before it counts as gone.
    ///
    /// A code must not count as gone because one or two frames are blurred.
    static let absence = Duration.seconds(1)

    private struct TrackedCode {
        var symbology: Symbology
        /// The time of the first frame without the code; `nil` while it is in view.
        var missedSince: Duration?
    }

    /// The key is the message only: the same EAN, read as an ISBN or without its add-on, is still the same code.
    private var tracked: [[UInt8]: TrackedCode] = [:]

    /// Records a decoded frame.
    ///
    /// - Parameters:
    ///   - symbols: all decoded symbols, confirmed or not.
    ///   - symbologies: the symbologies that were searched for; codes of others do not count as missing.
    ///   - time: the frame's time of exposure.
    mutating func note(_ symbols: [Symbol], lookingFor symbologies: Set<Symbology>, at time: Duration) {
        let seen = Set(symbols.map(\.bytes))
        for (bytes, code) in tracked {
            if seen.contains(bytes) {
                tracked[bytes]?.missedSince = nil
            } else if symbologies.contains(code.symbology) {
                // A time before the last one comes from another camera.
                let since = code.missedSince.map { min($0, time) } ?? time
                tracked[bytes] =
                    time - since >= Self.absence ? nil : TrackedCode(symbology: code.symbology, missedSince: since)
            }
        }
    }

    /// Returns the symbols that have not answered yet.
    func fresh(among symbols: [Symbol]) -> [Symbol] { symbols.filter { tracked[$0.bytes] == nil } }

    /// Records an answer.
    mutating func add(_ symbols: Set<Symbol>) {
        for symbol in symbols { tracked[symbol.bytes] = TrackedCode(symbology: symbol.symbology) }
    }

    /// Lets all codes answer once more.
    mutating func forget() { tracked = [:] }
}
