internal import BarcodeCore
internal import SymbolLocator
internal import ZBarReader

/// Has zbar read a strip several times over, sharpened and enlarged, and believes what the readings agree on.
///
/// EAN and UPC are left out: of a blurred one zbar makes another number often enough to win a vote.
struct LinearVote {
    /// One way to prepare a profile.
    private struct Variant {
        /// 0 for the mean of the whole strip, or the number of a band.
        var band: Int
        var scale: Int
        var radius: Float
        var strength: Float
    }

    /// Rows of the picture that zbar gets: it wants 4 lines that agree, and reads a DataBar in every other one.
    private static let drawnRows = 12
    /// Readings that must agree; every variant sees the same bars, so that two may share one error.
    private static let votes = 3
    /// The same for symbologies without a check digit of their own.
    private static let votesWithoutCheck = 5

    /// How far from the ends of zbar's lines the bars may begin and end, as a part of the length.
    private static let largestDifference = 0.08

    /// Variants after which a strip of which nothing was read is left alone: most regions are no symbol of these.
    private static let firstVariants = 4

    // The mean twice and three times as large, as it is and sharpened by the blur of a pixel or two; then the bands.
    // The order is that of how many blurred symbols of the EAN family each read.
    private static let variants: [Variant] = {
        let sharpness: [(Float, Float)] = [(0, 0), (1, 2), (1.5, 4), (1, 4), (2.5, 2)]
        let mean = [2, 3].flatMap { scale in
            sharpness.map { Variant(band: 0, scale: scale, radius: $0.0, strength: $0.1) }
        }
        let bands = (1...5).flatMap { band in
            sharpness.prefix(2).map { Variant(band: band, scale: 2, radius: $0.0, strength: $0.1) }
        }
        return mean + bands
    }()

    private let reader = ZBarReader(scansColumns: false)
    private let formats: Set<Symbology>

    init(formats: Set<Symbology>) {
        self.formats = formats.subtracting(Symbology.retail).subtracting([.qrCode, .sqCode, .ean2, .ean5])
    }

    /// What is told by enough readings, and by clearly more than anything else in its place.
    func read(
        _ strip: LinearStrip, whole: LinearProfile, bands: [LinearProfile]
    ) throws(DecodeError) -> [Reading] {
        guard !formats.isEmpty else { return [] }
        let profiles = [whole] + bands
        var candidates: [(reading: Reading, votes: Int)] = []
        for (count, variant) in Self.variants.enumerated() where variant.band < profiles.count {
            let profile = profiles[variant.band].enlarged(by: variant.scale)
                .sharpened(radius: variant.radius * Float(variant.scale), strength: variant.strength)
            for var reading in try reader.read(profile.drawn(rows: Self.drawnRows), formats: formats) {
                reading.corners = reading.corners.scaled(by: 1 / Double(variant.scale))
                if let index = candidates.firstIndex(where: {
                    $0.reading.format == reading.format && $0.reading.bytes == reading.bytes
                }) {
                    candidates[index].votes += 1
                } else {
                    candidates.append((reading, 1))
                }
            }
            if let first = candidates.first, candidates.count == 1, first.votes >= Self.needed(first.reading) { break }
            if count >= Self.firstVariants - 1, candidates.isEmpty { break }
        }
        return candidates.compactMap { candidate in
            let rival =
                candidates.filter {
                    $0.reading != candidate.reading && $0.reading.overlaps(candidate.reading)
                }.map(\.votes).max() ?? 0
            guard candidate.votes >= Self.needed(candidate.reading), candidate.votes >= 3 * rival else { return nil }
            return Self.placed(candidate.reading, votes: candidate.votes, bars: whole.barRange, in: strip)
        }
    }

    private static func needed(_ reading: Reading) -> Int {
        switch reading.format {
        case .itf, .codabar, .code39: votesWithoutCheck
        default: votes
        }
    }

    /// A reading of the strip's picture, its corners in the picture that the strip was made of.
    ///
    /// - Parameter bars: where the bars of the strip begin and end.
    private static func placed(
        _ reading: Reading, votes: Int, bars: Range<Double>?, in strip: LinearStrip
    ) -> Reading {
        var result = reading
        var box = reading.corners.boundingBox
        // zbar's lines end some modules before or behind the bars; what differs more is a symbol among other bars.
        if let bars, abs(bars.lowerBound - box.x) < largestDifference * box.width,
            abs(bars.upperBound - box.x - box.width) < largestDifference * box.width
        {
            box.x = bars.lowerBound
            box.width = bars.upperBound - bars.lowerBound
        }
        let isReversed = reading.orientation == 180
        result.corners = strip.corners(box.x..<box.x + max(1, box.width), isReversed: isReversed)
        result.orientation = result.corners.orientation
        result.quality = votes
        return result
    }
}

extension Reading {
    /// Whether two readings of one strip are of one place.
    fileprivate func overlaps(_ other: Reading) -> Bool {
        let (one, two) = (corners.boundingBox, other.corners.boundingBox)
        return one.x < two.x + two.width && two.x < one.x + one.width
    }
}
