internal import BarcodeCore
internal import QRReader
internal import ZBarReader

/// The search through one picture: runs the passes of a plan and gathers what they read.
struct SymbolSearch {
    private let options: DecodeOptions
    private let plan: SearchPlan
    private let deadline: ContinuousClock.Instant?
    private let zbar = ZBarReader()
    private let linearSearch: LinearSearch
    private var qrSearch = QRSearch()
    private var pyramid: ImagePyramid
    private var found: [Symbol] = []

    init(image: LumaImage, options: DecodeOptions) {
        self.options = options
        plan = SearchPlan(width: image.width, height: image.height, effort: options.effort)
        deadline = options.timeBudget.map { ContinuousClock.now.advanced(by: $0) }
        linearSearch = LinearSearch(formats: options.formats)
        pyramid = ImagePyramid(image)
    }

    /// What has been read, from top to bottom, and from left to right at the same height.
    var symbols: [Symbol] {
        let sorted = found.sorted {
            let (one, other) = ($0.corners.centre, $1.corners.centre)
            return (one.y, one.x) < (other.y, other.x)
        }
        return Array(sorted.prefix(options.maximumCount ?? sorted.count))
    }

    mutating func run() throws(DecodeError) {
        for pass in plan.passes {
            if pass.isFallback && !found.isEmpty { continue }
            guard isWorthwhile(found.count) else { return }
            switch pass.reader {
            case .qr: lookForQR(atLevel: pass.level)
            case .linear: try lookForBars(atLevel: pass.level)
            case .zbarLinear: try lookWithZBar(pass, formats: options.formats.subtracting([.qrCode]))
            case .zbar: try lookWithZBar(pass, formats: options.formats)
            }
        }
    }

    /// Whether more is wanted, and there is time for it.
    private func isWorthwhile(_ count: Int) -> Bool {
        if let maximum = options.maximumCount, count >= maximum { return false }
        if let deadline, ContinuousClock.now >= deadline { return false }
        return true
    }

    private mutating func lookForQR(atLevel level: Int) {
        guard options.formats.contains(.qrCode) else { return }
        let before = qrSearch.readings.count
        qrSearch.look(at: level, of: &pyramid, isWorthwhile: isWorthwhile)
        for (reading, level) in qrSearch.readings[before...] {
            var symbol = Symbol(reading)
            symbol.corners = symbol.corners.scaled(by: Double(1 << level))
            note(symbol)
        }
    }

    private mutating func lookForBars(atLevel level: Int) throws(DecodeError) {
        let known = self
        let symbols = try linearSearch.look(at: level, of: &pyramid) { place, count in
            known.isWorthwhile(known.found.count + count)
                && !known.found.contains { $0.isSettled && $0.isInSamePlace(as: place) }
        }
        for item in symbols {
            var symbol = Symbol(item.reading, in: pyramid.image(atLevel: 0))
            // What fits the grey values of the whole strip outweighs a rival that some scan lines agreed on.
            if item.isCertain, let index = found.firstIndex(where: { $0.contradicts(symbol) }) {
                symbol.quality = max(symbol.quality, found[index].quality + 1)
            }
            note(symbol)
        }
    }

    private mutating func lookWithZBar(_ pass: SearchPlan.Pass, formats: Set<Symbology>) throws(DecodeError) {
        guard !formats.isEmpty else { return }
        var image = pyramid.image(atLevel: pass.level)
        if pass.isInverted { image = image.inverted() }
        for reading in try zbar.read(image, formats: formats) where Plausibility.accepts(reading) {
            add(reading, from: image, in: pass)
        }
    }

    private mutating func add(_ reading: Reading, from image: LumaImage, in pass: SearchPlan.Pass) {
        var symbol = Symbol(reading, in: image)
        symbol.corners = symbol.corners.scaled(by: Double(1 << pass.level))
        symbol.isInverted = pass.isInverted != symbol.isInverted
        note(symbol)
    }

    private mutating func note(_ symbol: Symbol) {
        if let index = found.firstIndex(where: { $0.isSameSymbol(as: symbol) }) {
            found[index].quality += symbol.quality
        } else if let index = found.firstIndex(where: { $0.contradicts(symbol) }) {
            // One place holds one number: of two readings that both pass their check digit, the one that more scan
            // lines agree on.
            if symbol.quality > found[index].quality { found[index] = symbol }
        } else {
            found.append(symbol)
        }
    }
}

extension Symbol {
    /// Whether two readings are of one symbol: the same message in the same place.
    fileprivate func isSameSymbol(as other: Symbol) -> Bool {
        format == other.format && bytes == other.bytes && isInSamePlace(as: other)
    }

    /// Whether two readings are different numbers of the EAN and UPC family in one place.
    fileprivate func contradicts(_ other: Symbol) -> Bool {
        Symbology.retail.contains(format) && Symbology.retail.contains(other.format) && bytes != other.bytes
            && isInSamePlace(as: other)
    }

    fileprivate func isInSamePlace(as other: Symbol) -> Bool { isInSamePlace(as: other.corners) }

    fileprivate func isInSamePlace(as place: Quadrilateral) -> Bool {
        corners.boundingBox.contains(place.centre) || place.boundingBox.contains(corners.centre)
    }

    /// Whether the symbol need not be read again: an EAN or UPC that few scan lines agree on can be another number.
    ///
    /// zbar counts each line across the symbol, in both directions of bars; of blurred photos, misreadings had up to
    /// ten lines.
    fileprivate var isSettled: Bool { !Symbology.retail.contains(format) || quality >= 20 }
}
