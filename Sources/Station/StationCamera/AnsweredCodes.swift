internal import BarcodeCore

/// The codes that have answered a request and have been in view ever since.
///
/// This value has no clock; its times are those of the frames.
struct AnsweredCodes: Sendable {
    /// The time for which frames must not show a code before it counts as gone.
    ///
    /// A blurred frame or two must not end its stay.
    static let absence = Duration.seconds(1)

    private struct Stay {
        var symbology: Symbology
        /// The time of the first frame without the code; `nil` while it is in view.
        var missedSince: Duration?
    }

    /// The key is the message only: the same EAN, read as an ISBN or without its add-on, is still the same code.
    private var stays: [[UInt8]: Stay] = [:]

    /// Records a decoded frame.
    ///
    /// - Parameters:
    ///   - symbols: all decoded symbols, confirmed or not.
    ///   - symbologies: the symbologies that were searched for; codes of others do not count as missing.
    ///   - time: the frame's time of exposure.
    mutating func note(_ symbols: [Symbol], lookingFor symbologies: Set<Symbology>, at time: Duration) {
        let seen = Set(symbols.map(\.bytes))
        for (bytes, stay) in stays {
            if seen.contains(bytes) {
                stays[bytes]?.missedSince = nil
            } else if symbologies.contains(stay.symbology) {
                // A time before the last one comes from another camera.
                let since = stay.missedSince.map { min($0, time) } ?? time
                stays[bytes] = time - since >= Self.absence ? nil : Stay(symbology: stay.symbology, missedSince: since)
            }
        }
    }

    /// Returns the symbols that have not answered yet.
    func fresh(among symbols: [Symbol]) -> [Symbol] { symbols.filter { stays[$0.bytes] == nil } }

    /// Records an answer.
    mutating func add(_ symbols: Set<Symbol>) {
        for symbol in symbols { stays[symbol.bytes] = Stay(symbology: symbol.symbology) }
    }

    /// Lets all codes answer once more.
    mutating func forget() { stays = [:] }
}
