public import BarcodeCore
public import FoundationEssentials

/// What one picture, frame or device has shown: the one form in which every source hands in what it read.
public struct ScanSighting: Sendable, Hashable {
    /// What was read, each of which may become an event.
    public var symbols: [ScannedSymbol]
    /// Where it was read.
    public var source: ScanSource
    /// The picture that it was read in, where that is kept; nil where it is not.
    public var evidence: Evidence?
    /// The time of the reading; `nil` for the time at which it is handed in.
    public var time: Date?
    /// Who read it; nil where nobody had signed in.
    public var `operator`: String?
    /// Where it was read; nil where that is not known.
    public var place: String?
    /// What was counted, of the event that closes a count; nil of any other.
    public var count: CountedLines?

    /// What a source has shown.
    public init(symbols: [ScannedSymbol], source: ScanSource, evidence: Evidence? = nil) {
        self.symbols = symbols
        self.source = source
        self.evidence = evidence
    }

    /// What a picture or a frame of a size has shown.
    public init(_ symbols: [Symbol], image: PixelSize, source: ScanSource, evidence: Evidence? = nil) {
        self.init(symbols: symbols.map { ScannedSymbol($0, image: image) }, source: source, evidence: evidence)
    }
}
