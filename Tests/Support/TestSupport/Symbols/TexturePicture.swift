package import BarcodeCore
import Glibc

/// A picture that resembles symbols but has none: texture, text or noise, determined by number and seed.
package struct TexturePicture: Sendable, CustomStringConvertible {
    /// The kind of texture.
    package enum Kind: String, Sendable, CaseIterable {
        case whiteNoise, blurredNoise, clouds, woodGrain, stripes, gratings, checkerboard, bricks, halftone, text
        case randomBars, twoWidths, randomModules, maze, squares, rings, weave, ruler, fence, gradient
    }

    /// The index from 0; each kind recurs with other sizes and angles.
    package let number: Int
    /// The seed of the whole set.
    package let seed: UInt64
    package let width: Int
    package let height: Int

    package var kind: Kind { Kind.allCases[number % Kind.allCases.count] }

    package var description: String { "picture \(number) (\(kind.rawValue)), seed \(seed)" }

    /// Creates one of the pictures of a seed.
    package init(_ number: Int, seed: UInt64, width: Int = 640, height: Int = 480) {
        self.number = number
        self.seed = seed
        self.width = width
        self.height = height
    }

    /// Renders the picture: the pattern with a random rotation and scale, then random blur and noise.
    package func image() -> LumaImage {
        var random = SeededGenerator(seed: seed &+ UInt64(number) &* 7919)
        let brightness = Brightness(of: kind, random: &random)
        let degrees = [0, 90, Double.random(in: 0..<360, using: &random)].randomElement(using: &random) ?? 0
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let (dark, light) = (
            Float.random(in: 0...90, using: &random), Float.random(in: 150...255, using: &random)
        )
        var canvas = GrayCanvas(width: width, height: height) { column, row in
            // 2 x 2 samples per pixel, so that slanted edges are gray as in a camera's picture.
            var sum = 0.0
            for part in 0..<4 {
                let x = Double(column - width / 2) + (Double(part % 2) + 0.5) / 2
                let y = Double(row - height / 2) + (Double(part / 2) + 0.5) / 2
                sum += brightness.value(x * cosine + y * sine, y * cosine - x * sine)
            }
            return dark + (light - dark) * Float(sum / 4)
        }
        canvas.blur([0, 0, 0.7, 1.5].randomElement(using: &random) ?? 0)
        if kind == .blurredNoise { canvas.blur(Double.random(in: 1...4, using: &random)) }
        canvas.addNoise([0, 5, 20].randomElement(using: &random) ?? 0, using: &random)
        return canvas.image()
    }
}

extension TexturePicture {
    /// The brightness of a pattern, 0 to 1, at each point of a plane; the unit is a pixel.
    private struct Brightness {
        let kind: Kind
        /// The size of the pattern's smallest part, in pixels.
        let unit: Double
        /// A second size, as a factor from 1 to 3.
        let ratio: Double
        let seed: UInt64
        /// The edges between dark and light, for random bars.
        let edges: [Double]

        init(of kind: Kind, random: inout SeededGenerator) {
            self.kind = kind
            unit = Double.random(in: 1.5...8, using: &random)
            ratio = Double.random(in: 1...3, using: &random)
            seed = random.next()
            let widths: [Double] = kind == .twoWidths ? [1, 2.5] : [1, 2, 3, 4]
            var place = 0.0
            var edges: [Double] = []
            for _ in 0..<200 {
                edges.append(place)
                place += (widths.randomElement(using: &random) ?? 1) * unit / 2
            }
            self.edges = edges
        }

        /// Returns a pseudorandom number from 0 to 1, determined by the cell.
        private func chance(_ x: Int, _ y: Int) -> Double {
            var random = SeededGenerator(
                seed: seed ^ UInt64(bitPattern: Int64(x)) &* 0x9E37_79B1 ^ UInt64(bitPattern: Int64(y)) &* 0x85EB_CA77)
            return Double(random.next() >> 40) / Double(1 << 24)
        }

        private func cell(_ value: Double, _ size: Double) -> Int { Int((value / size).rounded(.down)) }

        private func phase(_ value: Double, _ size: Double) -> Double {
            let part = value / size
            return part - part.rounded(.down)
        }

        /// Returns noise that changes smoothly between cells (value noise).
        private func smooth(_ x: Double, _ y: Double, _ size: Double) -> Double {
            let (column, row) = (cell(x, size), cell(y, size))
            let (u, v) = (phase(x, size), phase(y, size))
            let top = chance(column, row) * (1 - u) + chance(column + 1, row) * u
            let bottom = chance(column, row + 1) * (1 - u) + chance(column + 1, row + 1) * u
            return top * (1 - v) + bottom * v
        }

        private func clouds(_ x: Double, _ y: Double) -> Double {
            (smooth(x, y, 16 * unit) * 4 + smooth(x, y, 6 * unit) * 2 + smooth(x, y, 2 * unit)) / 7
        }

        private func bars(_ x: Double) -> Double {
            let place = x + (edges.last ?? 0) / 2
            var (low, high) = (0, edges.count)
            while low < high {
                let middle = (low + high) / 2
                if edges[middle] <= place { low = middle + 1 } else { high = middle }
            }
            return low % 2 == 0 || low == edges.count ? 1 : 0
        }

        func value(_ x: Double, _ y: Double) -> Double {
            switch kind {
            case .whiteNoise, .blurredNoise: return chance(Int((2 * x).rounded()), Int((2 * y).rounded()))
            case .clouds: return clouds(x, y)
            case .woodGrain:
                let rings = hypot(x / (6 * ratio), y) + 25 * unit * clouds(x / 5, y)
                return 0.5 + 0.5 * sin(rings * 1.5 / unit) * (0.6 + 0.4 * smooth(x / 20, y, 3))
            case .stripes: return phase(x, unit * (1 + ratio)) < 1 / (1 + ratio) ? 0 : 1
            case .gratings: return 0.5 + 0.25 * (sin(x * 2 / unit) + sin((x * 0.9 + y * 0.4) * 2 / (unit * ratio)))
            case .checkerboard: return (cell(x, 2 * unit) + cell(y, 2 * unit)) % 2 == 0 ? 0 : 1
            case .bricks:
                let row = cell(y, 4 * unit)
                let along = x + Double(row % 2) * 5 * unit
                let isMortar = phase(y, 4 * unit) < 0.15 || phase(along, 10 * unit) < 0.06
                return isMortar ? 1 : 0.5 * chance(cell(along, 10 * unit), row)
            case .halftone:
                let (u, v) = (phase(x, 2 * unit) - 0.5, phase(y, 2 * unit) - 0.5)
                return hypot(u, v) < 0.15 + 0.5 * smooth(x, y, 60) ? 0 : 1
            case .text:
                let dot = max(1, unit / 2)
                let (column, row) = (cell(x, 4 * dot), cell(y, 8 * dot))
                let (u, v) = (Int(phase(x, 4 * dot) * 4), Int(phase(y, 8 * dot) * 8))
                guard u < TinyFont.width, v < TinyFont.height, chance(column, row) > 0.15 else { return 1 }
                return TinyFont.isDark(Int(chance(column, row) * 36_000), x: u, y: v) ? 0 : 1
            case .randomBars, .twoWidths: return abs(y) < 30 * unit ? bars(x) : 1
            case .randomModules:
                guard abs(x) < 15 * unit, abs(y) < 15 * unit else { return 1 }
                return chance(cell(x, unit), cell(y, unit)) < 0.5 ? 0 : 1
            case .maze:
                let (column, row) = (cell(x, 3 * unit), cell(y, 3 * unit))
                let isWall = chance(column, row) < 0.5 ? phase(x, 3 * unit) < 0.34 : phase(y, 3 * unit) < 0.34
                return isWall ? 0 : 1
            case .squares, .rings:
                // Rings of equal width, unlike a finder pattern, whose center is three times as wide as its rings.
                let side = 12 * unit * ratio
                let (u, v) = (phase(x, side) * side - side / 2, phase(y, side) * side - side / 2)
                let radius = kind == .squares ? max(abs(u), abs(v)) : hypot(u, v)
                return radius > side * 0.45 || cell(radius, unit) % 2 == 0 ? 1 : 0
            case .weave:
                let isAcross = (cell(x, 3 * unit) + cell(y, 3 * unit)) % 2 == 0
                return phase(isAcross ? x : y, unit) < 0.5 ? 0.1 : 0.9
            case .ruler:
                let tick = cell(x, unit)
                let length = tick % 10 == 0 ? 12.0 : tick % 5 == 0 ? 9 : 6
                return y > -length * unit && y < 0 && phase(x, unit) < 0.4 ? 0 : 1
            case .fence:
                let board = chance(cell(x, unit * (2 + ratio)), 0)
                return phase(x, unit * (2 + ratio)) < 0.2 + 0.2 * board ? 0 : 0.6 + 0.4 * board
            case .gradient:
                return 0.5 + 0.3 * sin(x / 200) + 0.2 * sin(hypot(x, y) / (10 * unit))
            }
        }
    }
}
