public import BarcodeCore
@_exported public import BarcodeDecoding

/// The result of decoding one frame.
public struct FrameReading: Sendable, Hashable {
    /// All decoded symbols, with corners in pixels of the full frame.
    public var symbols: [Symbol]
    /// The symbols that satisfy ``ConsensusPolicy``, already reported or not.
    public var confirmed: [Symbol]
    /// The symbols to report: confirmed, and due by ``RepeatPolicy``.
    public var newSymbols: [Symbol]
    /// Indicates whether the whole frame, or the whole region, was searched.
    public var isFullSearch: Bool
    /// The symbols that were located but not read, with corners in pixels of the full frame; empty unless
    /// ``isFullSearch``.
    public var unread: [UnreadSymbol]
}

/// Decodes the frames of one camera in order, and tracks symbols between frames to save time.
///
/// A value type without a clock: the caller gives the time of each frame. It first searches around the symbols of
/// the last frame. It searches the whole frame if one of them is missing, and every few frames.
public struct FrameDecoder: Sendable {
    /// Options for decoding frames and for reporting codes.
    public struct Settings: Sendable, Hashable {
        /// The symbologies to look for, and the effort.
        public var options: DecodeOptions
        /// The part of each frame to search; `nil` for the whole frame.
        public var region: FrameRegion?
        /// The number of frames that must agree on a weak result.
        public var consensus: ConsensusPolicy
        /// The rule for reporting the same code again.
        public var repeatPolicy: RepeatPolicy
        /// The number of frames from one search of the whole frame to the next; 1 switches tracking off.
        ///
        /// A new code beside one that stays in view is found after at most this many frames.
        public var fullSearchInterval: Int

        /// Creates settings.
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

    /// Decodes the symbols in an image.
    public typealias Reader = @Sendable (LumaImage, DecodeOptions) throws(DecodeError) -> [Symbol]

    /// The decoded symbols of an image, and those that were located but not read.
    package typealias Found = (symbols: [Symbol], unread: [UnreadSymbol])

    private var settings: Settings
    private let find: @Sendable (LumaImage, DecodeOptions) throws(DecodeError) -> Found
    private var tracker: SymbolTracker
    private var votes: AgreementVotes
    private var repeatFilter: RepeatFilter

    /// The symbologies to look for.
    package var symbologies: Set<Symbology> { settings.options.symbologies }

    /// Creates a frame decoder that uses `BarcodeDecoder` in this process.
    public init(settings: Settings = .init()) {
        let decoder = BarcodeDecoder()
        self.init(
            settings: settings,
            find: { (image, options) throws(DecodeError) in
                let result = try decoder.search(image, options: options)
                return (result.symbols, result.unread)
            })
    }

    /// Creates a frame decoder that uses a closure.
    public init(settings: Settings, read: @escaping Reader) {
        self.init(
            settings: settings,
            find: { (image, options) throws(DecodeError) in (try read(image, options), []) })
    }

    /// Creates a frame decoder that uses a closure, which may locate symbols without reading them.
    package init(
        settings: Settings, find: @escaping @Sendable (LumaImage, DecodeOptions) throws(DecodeError) -> Found
    ) {
        self.settings = settings
        self.find = find
        tracker = SymbolTracker(fullSearchInterval: settings.fullSearchInterval)
        votes = AgreementVotes(rule: settings.consensus)
        repeatFilter = RepeatFilter(rule: settings.repeatPolicy)
    }

    /// Decodes the next frame.
    ///
    /// - Parameters:
    ///   - image: the frame.
    ///   - time: the time of exposure, on any monotonic clock.
    ///   - scale: the factor by which the image was reduced; regions and corners are in pixels of the full frame.
    /// - Throws: `DecodeError` with the code `too_large` or `out_of_memory`, and `invalid_request` for a region
    ///   that lies outside of the frame.
    public mutating func decode(
        _ image: LumaImage, at time: Duration, scale: Int = 1
    ) throws(DecodeError) -> FrameReading {
        var ((symbols, unread), isFullSearch) = try search(image, scale: scale)
        tracker.note(symbols, isFullSearch: isFullSearch)
        if scale > 1 {
            for index in symbols.indices {
                symbols[index].corners = symbols[index].corners.scaled(by: Double(scale))
                symbols[index].moduleSize = symbols[index].moduleSize.map { $0 * Double(scale) }
            }
            for index in unread.indices {
                unread[index].corners = unread[index].corners.scaled(by: Double(scale))
                unread[index].moduleSize *= Double(scale)
            }
        }
        let confirmed = votes.confirmed(among: symbols)
        let newSymbols = repeatFilter.newSymbols(among: confirmed, at: time)
        return FrameReading(
            symbols: symbols, confirmed: confirmed, newSymbols: newSymbols, isFullSearch: isFullSearch, unread: unread)
    }

    /// Changes the symbologies and the region, from the next frame on.
    ///
    /// Codes that were already reported stay so: a code that is in view before and after is not reported again.
    public mutating func set(symbologies: Set<Symbology>, region: FrameRegion?) {
        settings.options.symbologies = symbologies
        settings.region = region
        tracker = SymbolTracker(fullSearchInterval: settings.fullSearchInterval)
    }

    private mutating func search(
        _ image: LumaImage, scale: Int
    ) throws(DecodeError) -> (found: Found, isFullSearch: Bool) {
        let known = tracker.count
        let parts = tracker.parts(width: image.width, height: image.height)
        if !parts.isEmpty {
            var found: [Symbol] = []
            for part in parts { found += try find(in: part, of: image).symbols }
            if found.count >= known { return ((found, []), false) }
        }
        guard let region = settings.region else { return (try find(image, settings.options), true) }
        let (x, y) = region.ranges(width: image.width, height: image.height, scale: scale)
        guard !x.isEmpty, !y.isEmpty else {
            throw DecodeError(
                .invalidRequest,
                "the region is outside the frame, which is \(image.width * scale)x\(image.height * scale)")
        }
        return (try find(in: SymbolTracker.Part(x: x, y: y), of: image), true)
    }

    /// Decodes a part of the image, and shifts the corners to the coordinates of the image.
    private func find(in part: SymbolTracker.Part, of image: LumaImage) throws(DecodeError) -> Found {
        var found = try find(image.cropped(x: part.x, y: part.y), settings.options)
        let (right, down) = (Double(part.x.lowerBound), Double(part.y.lowerBound))
        for index in found.symbols.indices {
            found.symbols[index].corners = found.symbols[index].corners.moved(right: right, down: down)
        }
        for index in found.unread.indices {
            found.unread[index].corners = found.unread[index].corners.moved(right: right, down: down)
        }
        return found
    }
}
