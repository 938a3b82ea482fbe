public import BarcodeCore

/// Decodes postal symbologies from the bars of a symbol.
///
/// None of them has a start pattern, so the bars are tried from both ends and verified by their check. If two
/// results are possible, there is none.
public struct PostalReader: Sendable {
    /// A decoded symbol.
    public struct Answer: Sendable, Hashable {
        /// The symbology.
        public var symbology: Symbology
        /// The message: digits, letters and the other characters of the symbology.
        public var bytes: [UInt8]
        /// True if the bars were upside down.
        public var isTurned: Bool
    }

    /// The supported symbologies.
    public static let supportedSymbologies = Set(decoders.map(\.symbology))

    private static let decoders: [(symbology: Symbology, decode: @Sendable ([PostalBar]) -> [UInt8]?)] = [
        (.intelligentMail, IntelligentMail.decode), (.royalMail, RoyalMail.decode), (.kix, RoyalMail.decodeKIX),
        (.australiaPost, AustraliaPost.decode), (.japanPost, JapanPost.decode), (.postnet, Postnet.decode),
        (.planet, Postnet.decodePlanet),
    ]

    private let symbologies: Set<Symbology>

    /// Creates a reader of some symbologies.
    public init(symbologies: Set<Symbology>) {
        self.symbologies = symbologies
    }

    /// Decodes the bars of a whole symbol, from left to right or, upside down, from right to left.
    ///
    /// - Returns: the symbol; `nil` if the bars are not a symbol, or are ambiguous.
    public func read(_ bars: [PostalBar]) -> Answer? {
        var answers: [Answer] = []
        for (isTurned, bars) in [(false, bars), (true, bars.reversed().map(\.turned))] {
            for decoder in Self.decoders where symbologies.contains(decoder.symbology) {
                guard let bytes = decoder.decode(bars) else { continue }
                answers.append(Answer(symbology: decoder.symbology, bytes: bytes, isTurned: isTurned))
            }
        }
        return answers.count == 1 ? answers.first : nil
    }
}
