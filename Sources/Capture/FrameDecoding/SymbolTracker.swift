internal import BarcodeCore

/// Chooses the parts of the next frame to search: around the symbols of the last one, or now and then the whole
/// frame.
struct SymbolTracker: Sendable {
    /// A part of a frame, in whole pixels.
    struct Part: Sendable, Hashable {
        var x: Range<Int>
        var y: Range<Int>

        var area: Int { x.count * y.count }

        func overlaps(_ other: Part) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }

        func union(_ other: Part) -> Part {
            Part(
                x: min(x.lowerBound, other.x.lowerBound)..<max(x.upperBound, other.x.upperBound),
                y: min(y.lowerBound, other.y.lowerBound)..<max(y.upperBound, other.y.upperBound))
        }
    }

    /// The largest number of symbols that are tracked one by one.
    private static let maximumSymbols = 4
    /// The share of the frame above which searching the whole frame costs no more.
    private static let largestShare = 0.5
    /// The largest movement of a symbol between two frames, as a fraction of its longer side.
    private static let reach = 0.5
    /// The smallest margin around a symbol in pixels, which leaves room for a quiet zone.
    private static let leastReach = 24.0

    /// The number of frames from one search of the whole frame to the next.
    let fullSearchInterval: Int
    private var boxes: [Rectangle] = []
    private var sinceFullSearch = 0

    init(fullSearchInterval: Int) {
        self.fullSearchInterval = fullSearchInterval
    }

    /// The number of tracked symbols.
    var count: Int { boxes.count }

    /// Returns the parts to search first, without overlaps; empty if the whole frame is to be searched.
    mutating func parts(width: Int, height: Int) -> [Part] {
        sinceFullSearch += 1
        guard !boxes.isEmpty, boxes.count <= Self.maximumSymbols, sinceFullSearch < fullSearchInterval else {
            return []
        }
        var parts: [Part] = []
        for box in boxes {
            guard var part = Self.part(around: box, width: width, height: height) else { return [] }
            // Overlapping parts would be searched twice.
            while let index = parts.firstIndex(where: { $0.overlaps(part) }) {
                part = part.union(parts.remove(at: index))
            }
            parts.append(part)
        }
        let area = parts.reduce(0) { $0 + $1.area }
        return Double(area) > Self.largestShare * Double(width * height) ? [] : parts
    }

    /// Records the symbols of a frame for tracking.
    mutating func note(_ symbols: [Symbol], isFullSearch: Bool) {
        boxes = symbols.map(\.corners.boundingBox)
        if isFullSearch { sinceFullSearch = 0 }
    }

    private static func part(around box: Rectangle, width: Int, height: Int) -> Part? {
        let reach = max(leastReach, Self.reach * max(box.width, box.height))
        let left = max(0, Int(box.x - reach))
        let top = max(0, Int(box.y - reach))
        let right = min(width, Int((box.x + box.width + reach).rounded(.up)))
        let bottom = min(height, Int((box.y + box.height + reach).rounded(.up)))
        return left < right && top < bottom ? Part(x: left..<right, y: top..<bottom) : nil
    }
}
