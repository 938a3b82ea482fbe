internal import BarcodeCore
internal import Glibc

/// The phase of the edges in each module, folded at the step of one module.
struct LatticePhases {
    /// The sum of edges as arrows that turn once a module, and of their lengths.
    struct Phase {
        var re: Float = 0
        var im: Float = 0
        var weight: Float = 0
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
        for row in 0..<side {
            let y = (Double(row) + 0.5) * step - Double(margin)
            for column in 0..<side {
                let x = (Double(column) + 0.5) * step - Double(margin)
                let shift = shifts?.shift(x, y) ?? Point(x: 0, y: 0)
                values[row * side + column] = pixels.brightness(map.map(x + shift.x, y + shift.y))
            }
        }
        // An edge between the last sample of a module and the first of the next is in step.
        let arrows = Self.arrows(sampling)
        across = [Phase](repeating: Phase(), count: size * size)
        down = across
        var sum: Float = 0
        for row in 0..<(side - 1) {
            for column in 0..<(side - 1) {
                let place = row * side + column
                sum += abs(values[place + 1] - values[place]) + abs(values[place + side] - values[place])
            }
        }
        let limit = strongest * sum / Float(2 * (side - 1) * (side - 1))
        for row in 0..<(side - 1) {
            let y = min(max(row / sampling - margin, 0), size - 1)
            for column in 0..<(side - 1) {
                let x = min(max(column / sampling - margin, 0), size - 1)
                let place = row * side + column
                let right = min(abs(values[place + 1] - values[place]), limit)
                let lower = min(abs(values[place + side] - values[place]), limit)
                let arrowX = arrows[column % sampling]
                let arrowY = arrows[row % sampling]
                let module = y * size + x
                across[module].re += right * arrowX.re
                across[module].im += right * arrowX.im
                across[module].weight += right
                down[module].re += lower * arrowY.re
                down[module].im += lower * arrowY.im
                down[module].weight += lower
            }
        }
    }

    /// The arrow of an edge behind each sample of a module.
    private static func arrows(_ sampling: Int) -> [(re: Float, im: Float)] {
        (1...sampling).map { index in
            let angle = 2 * Float.pi * Float(index) / Float(sampling)
            return (cosf(angle), sinf(angle))
        }
    }
}
