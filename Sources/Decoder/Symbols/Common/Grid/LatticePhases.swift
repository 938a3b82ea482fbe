internal import BarcodeCore
internal import Glibc

/// The phase of the edges in each module, folded at a period of one module.
struct LatticePhases {
    /// The sum of edges as phasors that rotate once per module, and the sum of their lengths.
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

    /// The phases of horizontal changes of brightness in each module, row by row.
    private(set) var across: [Phase]
    /// The phases of vertical changes of brightness in each module, row by row.
    private(set) var down: [Phase]

    /// - Parameters:
    ///   - shifts: the known part of the sheet's bend; `nil` if there is none.
    ///   - sampling: the number of samples along a module.
    ///   - margin: the number of modules around the symbol that are sampled too.
    ///   - strongest: the maximum weight of an edge, as a multiple of the mean.
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
                    // Without shifts, most points are inside the picture.
                    if isInside {
                        values[row * side + column] = pixels.brightnessInside(map.map(x, y))
                        continue
                    }
                    let shift = shifts?.shift(x, y) ?? Point(x: 0, y: 0)
                    values[row * side + column] = pixels.brightness(map.map(x + shift.x, y + shift.y))
                }
            }
        }
        // An edge between the last sample of a module and the first of the next has phase zero.
        let arrows = Self.arrows(sampling)
        // The module of each sample along a line, and its phasor.
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

    /// Returns the phasor of an edge after each sample of a module.
    private static func arrows(_ sampling: Int) -> [(re: Float, im: Float)] {
        (1...sampling).map { index in
            let angle = 2 * Float.pi * Float(index) / Float(sampling)
            return (cosf(angle), sinf(angle))
        }
    }
}
