internal import BarcodeCore
internal import Glibc

/// The phase of the edges in each module, folded at the step of one module.
struct LatticePhases {
    /// The sum of edges as arrows that turn once a module, and of their lengths.
    struct Phase {
        var re: Float = 0
        var im: Float = 0
        var weight: Float = 0

        @inline(__always)
        mutating func add(_ edge: Float, _ arrow: (re: Float, im: Float)) {
            re += edge * arrow.re
            im += edge * arrow.im
            weight += edge
        }
    }

    /// Of the edges from left to right in each module, row by row.
    private(set) var across: [Phase]
    /// Of those from top to bottom.
    private(set) var down: [Phase]

    /// - Parameters:
    ///   - shifts: how the sheet is bent, as far as is known.
    ///   - sampling: samples along a module.
    ///   - margin: modules around the symbol that are sampled as well.
    ///   - strongest: how many times the mean an edge counts at most.
    init(
        _ pixels: PixelSampler, map: Homography, size: Int, shifts: LatticeField?, sampling: Int, margin: Int,
        strongest: Float
    ) {
        let side = (size + 2 * margin) * sampling
        var values = [Float](repeating: 0, count: side * side)
        let step = 1 / Double(sampling)
        let middle = Double(size) / 2
        let box = shifts == nil ? map.bounds(x: middle, y: middle, reach: middle + Double(margin)) : nil
        let isInside = box.map(pixels.isInside) ?? false
        values.withUnsafeMutableBufferPointer { values in
            for row in 0..<side {
                let y = (Double(row) + 0.5) * step - Double(margin)
                for column in 0..<side {
                    let x = (Double(column) + 0.5) * step - Double(margin)
                    // Where nothing is bent yet, most places lie inside of the picture.
                    if isInside {
                        values[row * side + column] = pixels.brightnessInside(map.map(x, y))
                        continue
                    }
                    let shift = shifts?.shift(x, y) ?? Point(x: 0, y: 0)
                    values[row * side + column] = pixels.brightness(map.map(x + shift.x, y + shift.y))
                }
            }
        }
        // An edge between the last sample of a module and the first of the next is in step.
        let arrows = Self.arrows(sampling)
        // The module of each sample along a line, and its arrow.
        let modules = (0..<side).map { min(max($0 / sampling - margin, 0), size - 1) }
        let turns = (0..<side).map { arrows[$0 % sampling] }
        var seen = (
            across: [Phase](repeating: Phase(), count: size * size),
            down: [Phase](repeating: Phase(), count: size * size)
        )
        values.withUnsafeBufferPointer { values in
            var sum: Float = 0
            for row in 0..<(side - 1) {
                for column in 0..<(side - 1) {
                    let place = row * side + column
                    sum += abs(values[place + 1] - values[place]) + abs(values[place + side] - values[place])
                }
            }
            let limit = strongest * sum / Float(2 * (side - 1) * (side - 1))
            seen.across.withUnsafeMutableBufferPointer { across in
                seen.down.withUnsafeMutableBufferPointer { down in
                    modules.withUnsafeBufferPointer { modules in
                        turns.withUnsafeBufferPointer { turns in
                            for row in 0..<(side - 1) {
                                let first = modules[row] * size
                                for column in 0..<(side - 1) {
                                    let place = row * side + column
                                    let module = first + modules[column]
                                    across[module].add(
                                        min(abs(values[place + 1] - values[place]), limit), turns[column])
                                    down[module].add(
                                        min(abs(values[place + side] - values[place]), limit), turns[row])
                                }
                            }
                        }
                    }
                }
            }
        }
        (across, down) = seen
    }

    /// The arrow of an edge behind each sample of a module.
    private static func arrows(_ sampling: Int) -> [(re: Float, im: Float)] {
        (1...sampling).map { index in
            let angle = 2 * Float.pi * Float(index) / Float(sampling)
            return (cosf(angle), sinf(angle))
        }
    }
}
