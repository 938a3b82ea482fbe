public import BarcodeCore
public import FoundationEssentials

/// The symbols in one image, frame or device reading: the common form in which all sources submit their results.
public struct ScanSubmission: Sendable, Hashable {
    /// The symbols, each of which may become an event.
    public var symbols: [ScannedSymbol]
    /// The source of the symbols.
    public var source: ScanSource
    /// A reference to the image, if it is stored; otherwise `nil`.
    public var evidence: Evidence?
    /// The time of the reading; `nil` for the time at which it is submitted.
    public var time: Date?
    /// The operator; `nil` if nobody had signed in.
    public var `operator`: String?
    /// The location of the scan; `nil` if unknown.
    public var place: String?
    /// The counted lines, for the event that closes a count; `nil` for any other.
    public var count: CountedLines?

    /// Creates a submission.
    public init(symbols: [ScannedSymbol], source: ScanSource, evidence: Evidence? = nil) {
        self.symbols = symbols
        self.source = source
        self.evidence = evidence
    }

    /// Creates a submission from the symbols in an image or a frame.
    public init(_ symbols: [Symbol], image: PixelSize, source: ScanSource, evidence: Evidence? = nil) {
        self.init(symbols: symbols.map { ScannedSymbol($0, image: image) }, source: source, evidence: evidence)
    }
}
