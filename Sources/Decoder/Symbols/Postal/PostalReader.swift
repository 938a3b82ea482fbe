public import BarcodeCore

/// Reads the postal symbologies from the bars of a symbol.
///
/// None of them says where it begins: they are tried from both ends, and their check tells. Where two ways are read, none is.
public struct PostalReader: Sendable {
    /// What the bars say.
    public struct Answer: Sendable, Hashable {
        /// The symbology.
        public var symbology: Symbology
        /// The message, in digits, letters and what else the symbology has.
        public var bytes: [UInt8]
        /// Whether the bars were given upside down.
        public var isTurned: Bool
    }

    /// The symbologies that can be read.
    public static let supportedSymbologies = Set(decoders.map(\.symbology))

    private static let decoders: [(symbology: Symbology, decode: @Sendable ([PostalBar]) -> [UInt8]?)] = [
        (.intelligentMail, IntelligentMail.decode), (.royalMail, RoyalMail.decode), (.kix, RoyalMail.decodeKIX),
        (.australiaPost, AustraliaPost.decode), (.japanPost, JapanPost.decode), (.postnet, Postnet.decode),
        (.planet, Postnet.decodePlanet),
    ]

    private let symbologies: Set<Symbology>

    /// A reader of some symbologies.
    public init(symbologies: Set<Symbology>) {
        self.symbologies = symbologies
    }

    /// Reads the bars of a whole symbol, from left to right or upside down from right to left.
    ///
    /// - Returns: nil where they are no symbol, or could be two.
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
