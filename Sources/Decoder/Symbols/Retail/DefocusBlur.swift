internal import Glibc

/// The blur of a lens that is out of focus, across bars.
///
/// Such a lens images a point as a disk (circle of confusion; Hecht, Optics, 5.2). Summed along the bars, the disk is a
/// semicircle. A Gaussian stands for the rest of the optics.
struct DefocusBlur {
    /// The number of samples per module.
    static let samplesPerModule = 4

    /// A module of ink on paper, blurred, centered in the array.
    let module: [Float]
    /// The number of samples from the first of ``module`` to the left edge of the module.
    let reach: Int
    /// The products of a blurred module with one that is `index` modules away.
    let products: [Float]

    /// The number of nodes that stand for the semicircle (Gauss–Chebyshev quadrature of the second kind).
    private static let nodes = 12

    /// - Parameters:
    ///   - radius: the radius of the disk, in modules.
    ///   - softness: the standard deviation of the Gaussian, in modules.
    init(radius: Float, softness: Float) {
        let rate = Self.samplesPerModule
        reach = Int(((radius + 3 * softness) * Float(rate)).rounded(.up))
        let nodes = (1...Self.nodes).map { node in
            let angle = Float(node) * .pi / Float(Self.nodes + 1)
            return (offset: radius * cosf(angle), weight: sinf(angle) * sinf(angle))
        }
        let kernel = (-reach...reach).map { sample in
            nodes.reduce(Float(0)) { sum, node in
                let distance = (Float(sample) / Float(rate) - node.offset) / softness
                return sum + node.weight * expf(-0.5 * distance * distance)
            }
        }
        let sum = kernel.reduce(0, +)
        var module = [Float](repeating: 0, count: kernel.count + rate - 1)
        for (place, value) in kernel.enumerated() {
            for offset in 0..<rate { module[place + offset] += value / sum }
        }
        self.module = module
        products = (0...module.count / rate).map { distance in
            zip(module, module.dropFirst(distance * rate)).reduce(0) { $0 + $1.0 * $1.1 }
        }
    }

    /// Returns the product of two blurred modules `distance` modules apart.
    func product(_ distance: Int) -> Float { distance < products.count ? products[distance] : 0 }
}
