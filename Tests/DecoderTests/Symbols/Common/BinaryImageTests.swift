import BarcodeCore
import Glibc
import TestSupport
import Testing

@testable import Symbols

/// Local thresholding to a binary image, and the runs along lines in it.
@Suite("Binary images")
struct BinaryImageTests {
    /// Random dots, a tenth to nine tenths of them dark.
    private static func dots(width: Int, height: Int, seed: UInt64) -> BinaryImage {
        var random = SeededGenerator(seed: seed)
        let share = UInt8.random(in: 25...230, using: &random)
        return BinaryImage(
            LumaImage(
                width: width, height: height,
                pixels: (0..<width * height).map { _ in
                    UInt8.random(in: 0...255, using: &random) < share ? 20 : 230
                }))
    }

    /// Returns a rotated square around a point.
    private static func square(x: Double, y: Double, reach: Double, degrees: Double) -> Quadrilateral {
        let (right, down) = (reach * cos(degrees * .pi / 180), reach * sin(degrees * .pi / 180))
        return Quadrilateral(
            topLeft: Point(x: x - right + down, y: y - down - right),
            topRight: Point(x: x + right + down, y: y + down - right),
            bottomRight: Point(x: x + right - down, y: y + down + right),
            bottomLeft: Point(x: x - right - down, y: y - down + right))
    }

    @Test(
        "Pixels in an outline become one tone, and no other pixel changes",
        arguments: [
            (50.0, 40.0, 20.0, 0.0), (50, 40, 20, 45), (30, 30, 17.3, 12), (5, 70, 25, 80), (99, 2, 30, 200),
            (-60, 40, 20, 0), (50, 40, 500, 30), (50, .nan, 20, 0), (.infinity, 40, 20, 10), (1e300, -1e300, 1e299, 20),
        ], [false, true])
    func blank(place: (x: Double, y: Double, reach: Double, degrees: Double), isDark: Bool) {
        let before = Self.dots(width: 100, height: 80, seed: 7)
        var after = before
        let corners = Self.square(x: place.x, y: place.y, reach: place.reach, degrees: place.degrees)
        after.blank(corners, isDark: isDark)
        let inner = Self.square(x: place.x, y: place.y, reach: place.reach - 1.5, degrees: place.degrees)
        let outer = Self.square(x: place.x, y: place.y, reach: place.reach + 1.5, degrees: place.degrees)
        guard place.x.isFinite, place.y.isFinite, abs(place.x) < 1e6 else { return }
        for y in 0..<before.height {
            for x in 0..<before.width {
                let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
                let pixel = after.pixels[y * after.width + x]
                if inner.contains(point) {
                    #expect(pixel == (isDark ? 1 : 0), "\(point) lies in the place")
                } else if !outer.contains(point) {
                    #expect(pixel == before.pixels[y * before.width + x], "\(point) lies outside")
                }
            }
        }
    }

    @Test("By the midrange, the ground around light print is dark on every side, and light far from it")
    func midrange() {
        let (width, height) = (160, 144)
        let (columns, rows) = (56..<101, 48..<93)
        let pixels = (0..<width * height).map { place -> UInt8 in
            let (x, y) = (place % width, place / width)
            return columns.contains(x) && rows.contains(y) && (x / 3 + y / 3) % 2 == 0 ? 150 : 40
        }
        let image = BinaryImage(LumaImage(width: width, height: height, pixels: pixels), by: .midrange)
        for y in rows.lowerBound - 6..<rows.upperBound + 6 {
            for x in columns.lowerBound - 6..<columns.upperBound + 6 {
                #expect(image.pixels[y * width + x] == (pixels[y * width + x] == 40 ? 1 : 0), "pixel \(x), \(y)")
            }
        }
        #expect(image.pixels[0] == 0 && image.pixels[width * height - 1] == 0)
    }

    @Test("Light print is as clear by its own rule as dark print on a light ground")
    func light() {
        let pixels = (0..<90 * 61).map { (place: Int) -> UInt8 in
            let row = place / 90
            return UInt8((place * 7919 + row * 31) % 251)
        }
        let image = LumaImage(width: 90, height: 61, pixels: pixels)
        let dark = BinaryImage(image.inverted())
        #expect(BinaryImage(image, by: .light).pixels == dark.pixels.map { $0 ^ 1 })
    }

    @Test("A picture of one tone other than black is light", arguments: [(7, 30), (30, 7), (8, 8), (40, 24)])
    func oneTone(width: Int, height: Int) {
        for tone in [9, 130, 255] as [UInt8] {
            let image = LumaImage(
                width: width, height: height, pixels: [UInt8](repeating: tone, count: width * height))
            for threshold in [BinaryImage.Threshold.mean, .pale, .midrange] {
                #expect(BinaryImage(image, by: threshold).pixels.allSatisfy { $0 == 0 }, "\(tone), \(threshold)")
            }
        }
    }

    @Test("A line's runs begin where its tone changes", arguments: [9, 16, 61, 64, 200], [1, 2, 4, 6])
    func runs(width: Int, step: Int) {
        let image = Self.dots(width: width, height: 47, seed: UInt64(width))
        /// The starts of the runs of a line, computed pixel by pixel.
        func starts(_ tones: [UInt8]) -> [Int32] {
            [0] + tones.indices.dropFirst().filter { tones[$0] != tones[$0 - 1] }.map(Int32.init) + [Int32(tones.count)]
        }
        var rows: [Int] = []
        RunLines.rows(image, step: step) { line in
            let tones = Array(image.pixels[line.number * width..<(line.number + 1) * width])
            #expect(Array(line.starts) == starts(tones), "row \(line.number)")
            #expect(line.isFirstDark == (tones[0] == 1))
            rows.append(line.number)
        }
        #expect(rows == Array(stride(from: step / 2, to: image.height, by: step)))
        var columns: [Int] = []
        RunLines.columns(image, isSparse: step > 4) { line in
            let tones = (0..<image.height).map { image.pixels[$0 * width + line.number] }
            #expect(Array(line.starts) == starts(tones), "column \(line.number)")
            #expect(line.isFirstDark == (tones[0] == 1))
            columns.append(line.number)
        }
        #expect(columns == (0..<width / 8).flatMap { word in (step > 4 ? [2] : [1, 5]).map { 8 * word + $0 } })
    }
}
