import BarcodeCore
import BarcodeDecoding
import Symbols
import Synchronization
import Testing

/// Pictures designed to slow a search down: fragments of symbols, side by side over the whole picture.
@Suite("Time limit of the search")
struct SearchTimeTests {
    struct Texture: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// Rows of modules; `#` is dark.
        var rows: [String]
        var modulePixels = 2

        func picture(width: Int, height: Int) -> LumaImage {
            let tile = rows.map { $0.map { $0 == "#" } }
            return LumaImage(width: width, height: height) { target in
                for y in 0..<height {
                    let row = tile[y / modulePixels % tile.count]
                    for x in 0..<width { target[y * width + x] = row[x / modulePixels % row.count] ? 20 : 230 }
                }
            }
        }
    }

    static let finderPatterns = Texture(
        testDescription: "finder patterns of QR Code",
        rows: [
            "#######..", "#.....#..", "#.###.#..", "#.###.#..", "#.###.#..", "#.....#..", "#######..", ".........",
        ])
    static let checkers = Texture(testDescription: "checkers", rows: ["#.", ".#"])
    static let textures = [
        finderPatterns, checkers,
        Texture(
            testDescription: "corner patterns of Han Xin Code",
            rows: [
                "#######..", "#........", "#.#####..", "#.#......", "#.#.###..", "#.#.###..", "#.#.###..", ".........",
            ]),
        Texture(testDescription: "slanted stripes", rows: ["##..", ".##.", "..##", "#..#"]),
        Texture(testDescription: "dots", rows: ["#...", "....", "..#.", "...."]),
        Texture(testDescription: "postal bars", rows: ["......", ".#.#..", ".#.#.#", ".#.#.#", "...#.#", "......"]),
        Texture(testDescription: "start patterns of PDF417", rows: ["########.#.#.#...##"]),
    ]

    /// The search checks the time at each step, and must stop once the time is over.
    @Test("A search ends at its time limit", arguments: textures, [0, 3, 40, 600])
    func ends(texture: Texture, steps: Int) throws {
        let image = texture.picture(width: 700, height: 500)
        let calls = Atomic(0)
        let options = DecodeOptions(symbologies: Set(Symbology.all), effort: .thorough)
        _ = try SearchTime.limited(by: { calls.add(1, ordering: .relaxed).newValue > steps }) {
            try BarcodeDecoder().decode(image, options: options)
        }
        // Each strategy checks again, once for each size of the picture and each of its loops.
        #expect(calls.load(ordering: .relaxed) <= steps + 1500)
    }

    @Test("Finder patterns side by side give a limited number of candidates")
    func limits() {
        let locator = QRLocator(Self.finderPatterns.picture(width: 2600, height: 2000))
        #expect((8000...9000).contains(locator.patterns.count))
        #expect(locator.candidates.count <= 50_000)
    }

    @Test("Symbols that were read before the time limit are the result")
    func result() throws {
        let image = SearchTimeTests.checkers.picture(width: 200, height: 200)
        #expect(
            try SearchTime.limited(by: { true }) { try BarcodeDecoder().decode(image, options: DecodeOptions()) } == [])
        #expect(!SearchTime.isOver)
    }
}
