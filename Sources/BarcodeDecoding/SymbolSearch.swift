internal import BarcodeCore
internal import QRReader

/// The search through one picture: runs the passes of a plan and gathers what they read.
struct SymbolSearch {
    private let options: DecodeOptions
    private let plan: SearchPlan
    private let deadline: ContinuousClock.Instant?
    private let linearSearch: LinearSearch
    private var qrSearch: QRSearch
    private let trace: SearchTrace?
    private var pyramid: ImagePyramid
    private var found: [Symbol] = []

    init(image: LumaImage, options: DecodeOptions, trace: SearchTrace? = nil) {
        self.trace = trace
        self.options = options
        plan = SearchPlan(width: image.width, height: image.height, effort: options.effort)
        deadline = options.timeBudget.map { ContinuousClock.now.advanced(by: $0) }
        linearSearch = LinearSearch(formats: options.formats, trace: trace)
        qrSearch = QRSearch(trace: trace)
        pyramid = ImagePyramid(image)
    }

    /// What has been read, from top to bottom, and from left to right in a row.
    var symbols: [Symbol] {
        var rows: [[Symbol]] = []
        for symbol in found.sorted(by: { $0.corners.centre.y < $1.corners.centre.y }) {
            // Side by side: the centre is not below the first one's lower quarter.
            if let first = rows.last?.first,
                symbol.corners.centre.y < first.corners.centre.y + first.corners.boundingBox.height / 4
            {
                rows[rows.count - 1].append(symbol)
            } else {
                rows.append([symbol])
            }
        }
        let sorted = rows.flatMap { $0.sorted { $0.corners.centre.x < $1.corners.centre.x } }
        return Array(sorted.prefix(options.maximumCount ?? sorted.count))
    }

    mutating func run() throws(DecodeError) {
        for pass in plan.passes {
            if pass.isFallback && !found.isEmpty {
                trace?(.leftOut(pass.title, reason: "something had been found already"))
                continue
            }
            guard Self.isWorthwhile(found.count, options, deadline) else {
                trace?(.note("The search ended here: as many symbols as wanted were found, or the time was up."))
                return
            }
            trace?(.look(pass.title, level: pass.level))
            switch pass.reader {
            case .qr: lookForQR { $0.look(at: pass.level, of: &$1, isWorthwhile: $2) }
            case .qrGuess: lookForQR { $0.guess(at: pass.level, of: &$1, isWorthwhile: $2) }
            case .linear: lookForBars(atLevel: pass.level)
            case .zbarQuick: try lookWithZBar(pass, formats: options.formats.subtracting([.qrCode]), ZBarSearch.quick)
            case .zbarQR:
                guard qrSearch.sawFinderPattern else { continue }
                try lookWithZBar(pass, formats: options.formats.intersection([.qrCode]), ZBarSearch.everyLine)
            case .zbar:
                let read = options.effort == .thorough ? ZBarSearch.everyLine : ZBarSearch.careful
                try lookWithZBar(pass, formats: options.formats, read)
            }
        }
    }

    /// Whether more is wanted, and there is time for it.
    private static func isWorthwhile(
        _ count: Int, _ options: DecodeOptions, _ deadline: ContinuousClock.Instant?
    ) -> Bool {
        if let maximum = options.maximumCount, count >= maximum { return false }
        if let deadline, ContinuousClock.now >= deadline { return false }
        return true
    }

    private mutating func lookForQR(
        _ look: (_ search: inout QRSearch, _ pyramid: inout ImagePyramid, _ isWorthwhile: (Int) -> Bool) -> Void
    ) {
        guard options.formats.contains(.qrCode) else { return }
        let before = qrSearch.readings.count
        let (options, deadline) = (options, deadline)
        look(&qrSearch, &pyramid) { Self.isWorthwhile($0, options, deadline) }
        for (reading, level) in qrSearch.readings[before...] {
            var symbol = Symbol(reading)
            symbol.corners = symbol.corners.scaled(by: Double(1 << level))
            note(symbol)
        }
    }

    private mutating func lookForBars(atLevel level: Int) {
        let known = self
        let symbols = linearSearch.look(at: level, of: &pyramid, known: found) { count in
            Self.isWorthwhile(known.found.count + count, known.options, known.deadline)
        }
        for item in symbols {
            if let known = item.known {
                guard let index = found.firstIndex(of: known) else { continue }
                found[index].corners = item.reading.corners
                found[index].orientation = item.reading.corners.orientation
                continue
            }
            let symbol = Symbol(item.reading, in: pyramid.image(atLevel: 0))
            if let index = found.firstIndex(where: { $0.isSameSymbol(as: symbol) }) {
                found[index].corners = symbol.corners
                found[index].orientation = symbol.orientation
            }
            // A slanted scan line reads a part of an ITF, which has no mark of its ends.
            found.removeAll { $0.isPart(of: symbol) }
            // What was read from the whole strip outweighs a rival that some scan lines agreed on.
            found.removeAll { $0.contradicts(symbol) || $0.isOtherMessage(than: symbol) }
            note(symbol)
        }
    }

    private mutating func lookWithZBar(
        _ pass: SearchPlan.Pass, formats: Set<Symbology>,
        _ read: (LumaImage, Set<Symbology>) throws(DecodeError) -> [Reading]
    ) throws(DecodeError) {
        guard !formats.isEmpty else { return }
        var image = pyramid.image(atLevel: pass.level)
        if pass.isInverted { image = image.inverted() }
        let readings = try read(image, formats)
        trace?(.note(readings.isEmpty ? "zbar read nothing." : "zbar read \(readings.map(Self.described))."))
        for reading in readings { add(reading, from: image, in: pass) }
    }

    private static func described(_ reading: Reading) -> String {
        "\(reading.format.rawValue) \(String(decoding: reading.bytes, as: UTF8.self))"
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
