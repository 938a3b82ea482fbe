internal import BarcodeCore

/// Scans some rows of a binary image and collects the corners of solid sides that cross them.
struct SolidCornerScan {
    private(set) var corners: [SolidCorner] = []

    /// Scans transitions outside of `taken`.
    init(
        _ field: ToneField, taken: [Quadrilateral], _ grain: (minimum: Int, rowStep: Int), maximumCount: Int
    ) {
        let rowStep = grain.rowStep
        let down = EdgeFollower(field, isSteep: true)
        let right = EdgeFollower(field, isSteep: false)
        let first = rowStep / 2
        let width = field.width
        // The transitions in the scanned rows that belong to an edge already followed.
        var isKnown = [Bool](repeating: false, count: ((field.height - first - 1) / rowStep + 1) * width)
        var positions = EdgePositions(longest: max(field.width, field.height))
        for (index, y) in stride(from: first, to: field.height, by: rowStep).enumerated() {
            guard !SearchTime.isOver else { return }
            let row = field.pixels + y * width
            let hidden = taken.compactMap { BinaryImage.columns(of: $0, atRow: y, width: width) }
            var x = 1
            while x < width {
                if !hidden.isEmpty, hidden.contains(where: { $0.lowerBound <= x && x + 8 <= $0.upperBound }) {
                    x += 8
                    continue
                }
                // A byte is 1 at a transition: eight pixels at once, most of which have none.
                var changes: UInt64
                if x + 8 <= width {
                    changes = Self.word(row + x) ^ Self.word(row + x - 1)
                } else {
                    changes = 0
                    for place in x..<width where row[place] != row[place - 1] {
                        changes |= 1 << UInt64(8 * (place - x))
                    }
                }
                while changes != 0 {
                    let place = x + changes.trailingZeroBitCount / 8
                    changes &= changes - 1
                    guard !isKnown[index * width + place],
                        hidden.isEmpty || !hidden.contains(where: { $0.contains(place) }),
                        let edge = down.edge(
                            along: y, across: place, minimum: grain.minimum, positions: &positions)
                    else { continue }
                    let walked = (max(0, edge.first - first) + rowStep - 1) / rowStep
                    var knownRow = walked
                    while first + knownRow * rowStep <= edge.last {
                        let middle = Int(edge.across(Double(first + knownRow * rowStep) + 0.5).rounded())
                        let start = knownRow * width
                        for near in (middle - 1..<middle + 2).clamped(to: 0..<width) { isKnown[start + near] = true }
                        knownRow += 1
                    }
                    SolidCorner.all(
                        at: edge, down, right, minimum: grain.minimum, positions: &positions, into: &corners)
                    if corners.count >= maximumCount { return }
                }
                x += 8
            }
        }
    }

    /// Returns eight pixels, the first in the lowest byte.
    @inline(__always)
    private static func word(_ pixels: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(pixels).loadUnaligned(as: UInt64.self))
    }
}
