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
        let values = Self.brightness(pixels, map, size: size, shifts, sampling: sampling, margin: margin)
        let limit = strongest * Self.sumOfChanges(values, side: side) / Float(2 * (side - 1) * (side - 1))
        // An edge between the last sample of a module and the first of the next has phase zero.
        let arrows = Self.arrows(sampling)
        // The module of each sample along a line, and its phasor.
        let modules = (0..<side).map { min(max($0 / sampling - margin, 0), size - 1) }
        let turns = (0..<side).map { arrows[$0 % sampling] }
        (across, down) = Self.folded(values, side: side, limit: limit, modules: modules, turns: turns, size: size)
    }

    /// Returns the brightness at the samples, row by row.
    private static func brightness(
        _ pixels: PixelSampler, _ map: Homography, size: Int, _ shifts: LatticeField?, sampling: Int, margin: Int
    ) -> [Float] {
        let side = (size + 2 * margin) * sampling
        let step = 1 / Double(sampling)
        let middle = Double(size) / 2
        let box = shifts == nil ? map.bounds(x: middle, y: middle, reach: middle + Double(margin)) : nil
        let isInside = box.map(pixels.isInside) ?? false
        return [Float](unsafeUninitializedCapacity: side * side) { values, count in
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
            count = side * side
        }
    }

    /// Returns the sum of the changes of brightness between neighbors.
    private static func sumOfChanges(_ values: [Float], side: Int) -> Float {
        values.withUnsafeBufferPointer { values in
            var sum: Float = 0
            for row in 0..<(side - 1) {
                for column in 0..<(side - 1) {
                    let place = row * side + column
                    sum += abs(values[place + 1] - values[place]) + abs(values[place + side] - values[place])
                }
            }
            return sum
        }
    }

    /// Returns the phases of the changes of brightness, row by row.
    ///
    /// - Parameters:
    ///   - limit: the maximum weight of an edge.
    ///   - modules: the module of each sample along a line.
    ///   - turns: the phasor of an edge after each sample along a line.
    private static func folded(
        _ values: [Float], side: Int, limit: Float, modules: [Int], turns: [(re: Float, im: Float)], size: Int
    ) -> (across: [Phase], down: [Phase]) {
        let (values, modules, turns) = (values.span, modules.span, turns.span)
        var across = [Phase](repeating: Phase(), count: size * size)
        var down = across
        var acrossSpan = across.mutableSpan
        var downSpan = down.mutableSpan
        for row in 0..<(side - 1) {
            let first = modules[row] * size
            for column in 0..<(side - 1) {
                let place = row * side + column
                let module = first + modules[column]
                acrossSpan[module].add(min(abs(values[place + 1] - values[place]), limit), turns[column])
                downSpan[module].add(min(abs(values[place + side] - values[place]), limit), turns[row])
            }
        }
        return (across, down)
    }

    /// Returns the phasor of an edge after each sample of a module.
    private static func arrows(_ sampling: Int) -> [(re: Float, im: Float)] {
        (1...sampling).map { index in
            let angle = 2 * Float.pi * Float(index) / Float(sampling)
            return (cosf(angle), sinf(angle))
        }
    }
}
