internal import BarcodeCore

/// The codes that have answered somebody and have not left the view since.
///
/// A value without a clock: its times are those of the frames.
struct AnsweredCodes: Sendable {
    /// How long frames must not show a code before it counts as gone.
    ///
    /// A frame or two in which it is blurred must not end its stay.
    static let absence = Duration.seconds(1)

    private struct Stay {
        var symbology: Symbology
        /// The time of the first of the frames that did not show it; nil while it is in view.
        var missedSince: Duration?
    }

    /// By the message alone: the same EAN read as an ISBN, or without its add-on, is still the code that lies there.
    private var stays: [[UInt8]: Stay] = [:]

    /// Takes note of a frame that was read.
    ///
    /// - Parameters:
    ///   - symbols: all that was read in it, believed or not.
    ///   - symbologies: what it was read for; a code of another symbology is not missed.
    ///   - time: when it was exposed.
    mutating func note(_ symbols: [Symbol], lookingFor symbologies: Set<Symbology>, at time: Duration) {
        let seen = Set(symbols.map(\.bytes))
        for (bytes, stay) in stays {
            if seen.contains(bytes) {
                stays[bytes]?.missedSince = nil
            } else if symbologies.contains(stay.symbology) {
                // A time before the last is another camera's.
                let since = stay.missedSince.map { min($0, time) } ?? time
                stays[bytes] = time - since >= Self.absence ? nil : Stay(symbology: stay.symbology, missedSince: since)
            }
        }
    }

    /// Those of the symbols that have not answered yet.
    func fresh(among symbols: [Symbol]) -> [Symbol] { symbols.filter { stays[$0.bytes] == nil } }

    /// Takes note of an answer.
    mutating func add(_ symbols: Set<Symbol>) {
        for symbol in symbols { stays[symbol.bytes] = Stay(symbology: symbol.symbology) }
    }

    /// Lets all of them answer once more.
    mutating func forget() { stays = [:] }
}
