public import BarcodeCore
@_exported public import BarcodeDecoding

/// What one frame came to.
public struct FrameReading: Sendable, Hashable {
    /// Every symbol that was read, in pixels of the frame.
    public var symbols: [Symbol]
    /// Those of them that can be believed by the rule of ``ConsensusPolicy``, news or not.
    public var believed: [Symbol]
    /// Those that are to be reported: believed, and news by the rule of ``RepeatPolicy``.
    public var news: [Symbol]
    /// Whether all of the frame, or of its region, was searched.
    public var isFullSearch: Bool
}

/// Reads the frames of one camera, one after the other, and remembers between them what makes the next one quick.
///
/// A value without a clock: time is what the caller says of each frame. It first searches where the symbols of the last
/// frame were, and at all of the frame where it misses one of them, and every few frames.
public struct FrameDecoder: Sendable {
    /// How frames are read, and when a code is reported.
    public struct Settings: Sendable, Hashable {
        /// What to look for, and how hard.
        public var options: DecodeOptions
        /// The part of each frame to search; nil for all of it.
        public var region: FrameRegion?
        /// How many frames have to agree on a weak reading.
        public var consensus: ConsensusPolicy
        /// When a code may be reported again.
        public var repeatPolicy: RepeatPolicy
        /// Frames from one search of all of it to the next; 1 for no tracking.
        ///
        /// A new code beside one that stays is found so many frames later at most.
        public var fullSearchInterval: Int

        /// The given choices.
        public init(
            options: DecodeOptions = DecodeOptions(effort: .fast), region: FrameRegion? = nil,
            consensus: ConsensusPolicy = .init(), repeatPolicy: RepeatPolicy = .init(), fullSearchInterval: Int = 4
        ) {
            self.options = options
            self.region = region
            self.consensus = consensus
            self.repeatPolicy = repeatPolicy
            self.fullSearchInterval = fullSearchInterval
        }
    }

    /// Reads the symbols in a picture.
    public typealias Reader = @Sendable (LumaImage, DecodeOptions) throws(DecodeError) -> [Symbol]

    private var settings: Settings
    private let read: Reader
    private var tracker: SymbolTracker
    private var votes: AgreementVotes
    private var gate: RearmGate

    /// A decoder of frames that reads with `BarcodeDecoder`.
    public init(settings: Settings = .init()) {
        let decoder = BarcodeDecoder()
        self.init(settings: settings) { (image, options) throws(DecodeError) in
            try decoder.decode(image, options: options)
        }
    }

    /// A decoder of frames that reads with a closure.
    public init(settings: Settings, read: @escaping Reader) {
        self.settings = settings
        self.read = read
        tracker = SymbolTracker(fullSearchInterval: settings.fullSearchInterval)
        votes = AgreementVotes(rule: settings.consensus)
        gate = RearmGate(rule: settings.repeatPolicy)
    }

    /// Reads the next frame.
    ///
    /// - Parameters:
    ///   - image: the frame.
    ///   - time: when it was exposed, on any clock that does not go back.
    ///   - scale: by what it was reduced; regions and corners are in pixels of what the camera saw.
    /// - Throws: `DecodeError` with the code `too_large` or `out_of_memory`, and `invalid_request` for a region that
    ///   lies outside of the frame.
    public mutating func decode(
        _ image: LumaImage, at time: Duration, scale: Int = 1
    ) throws(DecodeError) -> FrameReading {
        var (symbols, isFullSearch) = try search(image, scale: scale)
        tracker.note(symbols, isFullSearch: isFullSearch)
        if scale > 1 {
            for index in symbols.indices { symbols[index].corners = symbols[index].corners.scaled(by: Double(scale)) }
        }
        let believed = votes.believed(among: symbols)
        let news = gate.news(among: believed, at: time)
        return FrameReading(symbols: symbols, believed: believed, news: news, isFullSearch: isFullSearch)
    }

    /// Searches for something else, or elsewhere, from the next frame on.
    ///
    /// What was reported stays reported: a code that is in view before and after is no news.
    public mutating func search(for symbologies: Set<Symbology>, in region: FrameRegion?) {
        settings.options.symbologies = symbologies
        settings.region = region
        tracker = SymbolTracker(fullSearchInterval: settings.fullSearchInterval)
    }

    private mutating func search(
        _ image: LumaImage, scale: Int
    ) throws(DecodeError) -> (symbols: [Symbol], isFullSearch: Bool) {
        let known = tracker.count
        let parts = tracker.parts(width: image.width, height: image.height)
        if !parts.isEmpty {
            var found: [Symbol] = []
            for part in parts { found += try read(part, of: image) }
            if found.count >= known { return (found, false) }
        }
        guard let region = settings.region else { return (try read(image, settings.options), true) }
        let (x, y) = region.ranges(width: image.width, height: image.height, scale: scale)
        guard !x.isEmpty, !y.isEmpty else {
            throw DecodeError(
                .invalidRequest,
                "the region lies outside of the frame, which is \(image.width * scale)x\(image.height * scale)")
        }
        return (try read(SymbolTracker.Part(x: x, y: y), of: image), true)
    }

    /// Reads a part, and puts what it holds where it is in the frame.
    private func read(_ part: SymbolTracker.Part, of image: LumaImage) throws(DecodeError) -> [Symbol] {
        try read(image.cropped(x: part.x, y: part.y), settings.options).map { symbol in
            var moved = symbol
            moved.corners = symbol.corners.moved(right: Double(part.x.lowerBound), down: Double(part.y.lowerBound))
            return moved
        }
    }
}
