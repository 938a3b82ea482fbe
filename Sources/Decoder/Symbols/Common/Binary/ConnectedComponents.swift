internal import BarcodeCore

/// The connected components of one tone in a binary image, each with its center and principal axes.
///
/// Components are merged run by run, row by row.
struct ConnectedComponents {
    /// A connected component.
    struct Component {
        var center: Point
        /// The direction of its length, as a unit vector.
        var axis: Point
        /// The length along the axis and the width across it, in pixels, of a rectangle with the same moments.
        var length: Double
        var width: Double
    }

    /// Sums over the pixels of a component: their coordinates, the squares and the products.
    private struct Sums {
        var count = 0
        var (x, y) = (0, 0)
        var (xx, yy, xy) = (0, 0, 0)

        mutating func add(from: Int, to: Int, y row: Int) {
            let length = to - from
            // The sum of consecutive numbers, and of their squares.
            let sum = (from + to - 1) * length / 2
            func squares(_ n: Int) -> Int { (n - 1) * n * (2 * n - 1) / 6 }
            count += length
            x += sum
            y += row * length
            xx += squares(to) - squares(from)
            yy += row * row * length
            xy += row * sum
        }

        mutating func add(_ other: Sums) {
            count += other.count
            x += other.x
            y += other.y
            xx += other.xx
            yy += other.yy
            xy += other.xy
        }

        var component: Component {
            let n = Double(count)
            let (meanX, meanY) = (Double(x) / n, Double(y) / n)
            // A pixel is a square, not a point.
            let a = Double(xx) / n - meanX * meanX + 1.0 / 12
            let c = Double(yy) / n - meanY * meanY + 1.0 / 12
            let b = Double(xy) / n - meanX * meanY
            let root = ((a - c) * (a - c) / 4 + b * b).squareRoot()
            let (large, small) = ((a + c) / 2 + root, max(0, (a + c) / 2 - root))
            // Of the two forms of the eigenvector, take the one that is not nearly zero.
            var axis = a > c ? Point(x: large - c, y: b) : Point(x: b, y: large - a)
            let size = (axis.x * axis.x + axis.y * axis.y).squareRoot()
            axis = size > 1e-9 ? Point(x: axis.x / size, y: axis.y / size) : Point(x: 0, y: 1)
            return Component(
                center: Point(x: meanX + 0.5, y: meanY + 0.5), axis: axis, length: (12 * large).squareRoot(),
                width: (12 * small).squareRoot())
        }
    }

    /// The components, in no particular order.
    private(set) var components: [Component] = []

    /// The number of components after which the rest of the image is skipped.
    private static let maximumRegions = 400_000

    /// Finds the components with a number of pixels in a range.
    ///
    /// - Parameters:
    ///   - isLight: true to find light components instead of dark ones.
    ///   - joinsCorners: true to also join pixels that touch only at a corner (8-connectivity, not 4-connectivity).
    init(_ image: BinaryImage, pixels: ClosedRange<Int>, isLight: Bool = false, joinsCorners: Bool = true) {
        let gap: Int32 = joinsCorners ? 0 : 1
        var sums: [Sums] = []
        var parents: [Int32] = []
        func root(_ label: Int32) -> Int32 {
            var label = label
            while parents[Int(label)] != label {
                parents[Int(label)] = parents[Int(parents[Int(label)])]
                label = parents[Int(label)]
            }
            return label
        }
        var above: [(from: Int32, to: Int32, label: Int32)] = []
        var lastRow = -1
        RunLines.rows(image, step: 1) { line in
            guard sums.count < Self.maximumRegions else { return }
            if line.number != lastRow + 1 { above = [] }
            lastRow = line.number
            var here: [(from: Int32, to: Int32, label: Int32)] = []
            var next = 0
            let starts = line.starts
            let base = starts.startIndex
            for run in stride(from: line.isFirstDark != isLight ? 0 : 1, to: starts.count - 1, by: 2) {
                let (from, to) = (starts[base + run], starts[base + run + 1])
                while next < above.count, above[next].to < from + gap { next += 1 }
                var label: Int32?
                var other = next
                while other < above.count, above[other].from + gap <= to {
                    let theirs = root(above[other].label)
                    if let mine = label, mine != theirs {
                        parents[Int(theirs)] = mine
                        let moved = sums[Int(theirs)]
                        sums[Int(mine)].add(moved)
                    } else {
                        label = theirs
                    }
                    other += 1
                }
                let mine = label ?? Int32(sums.count)
                if label == nil {
                    sums.append(Sums())
                    parents.append(mine)
                }
                sums[Int(mine)].add(from: Int(from), to: Int(to), y: line.number)
                here.append((from, to, mine))
            }
            above = here
        }
        for index in sums.indices where parents[index] == index && pixels.contains(sums[index].count) {
            components.append(sums[index].component)
        }
    }
}
