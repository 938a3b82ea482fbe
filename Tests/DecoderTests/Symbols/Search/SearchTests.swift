import BarcodeCore
import Testing

@testable import Symbols

/// The strategies of a search, and the merging of readings.
@Suite(.timeLimit(.minutes(10))) struct SearchTests {
    struct SizesCase: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var sizes: SearchStrategy.Sizes
        /// The levels of 640 x 480, 4000 x 3000 and 60,000 x 100 pixels; the last one is a strip, whose half size is
        /// the limit of `fast`.
        var levels: [[Int]]

        init(_ label: String, _ sizes: SearchStrategy.Sizes, _ levels: [Int]...) {
            (testDescription, self.sizes, self.levels) = (label, sizes, levels)
        }
    }

    @Test(arguments: [
        SizesCase("coarse", .coarse, [0], [2], [1]),
        SizesCase("coarse and smaller", .coarseAndSmaller, [2, 1, 0], [4, 3, 2], [1]),
        SizesCase("the same from the largest", .coarseAndSmallerFromLargest, [0, 1, 2], [2, 3, 4], [1]),
        SizesCase("smaller than coarse", .smallerThanCoarse, [2, 1], [4, 3], []),
        SizesCase("half of coarse", .halfOfCoarse, [1], [3], []),
        SizesCase("fine", .fine, [], [1], [0]),
        SizesCase("coarse and fine", .coarseAndFine, [0], [2, 1], [1, 0]),
        SizesCase("fine and smaller", .fineAndSmaller, [2, 1, 0], [4, 3, 2, 1], [1, 0]),
        SizesCase("finest", .finest, [], [0], []),
        SizesCase("twice fine", .twiceFine, [], [0], []),
        SizesCase("larger than coarse", .largerThanCoarse, [], [1, 0], [0]),
        SizesCase("coarse and larger", .coarseAndLarger, [0], [2, 1, 0], [1, 0]),
        SizesCase("full", .full, [0], [0], [0]),
        SizesCase("all", .all, [2, 1, 0], [4, 3, 2, 1, 0], [1, 0]),
        SizesCase("all from the largest", .allFromLargest, [0, 1, 2], [0, 1, 2, 3, 4], [0, 1]),
    ])
    func sizes(_ test: SizesCase) {
        let pictures = [(640, 480), (4000, 3000), (60_000, 100)]
        #expect(pictures.map { test.sizes.levels(PyramidLevels(width: $0, height: $1)) } == test.levels)
    }

    /// Rows with the same method name have the same symbologies, and each method has its own name.
    @Test func methodsHaveNames() {
        let methods = SearchStrategy.schedule.map(\.method)
        for (name, rows) in Dictionary(grouping: methods, by: \.name) {
            #expect(Set(rows.map(\.title)).count == 1 && Set(rows.map(\.symbologies)).count == 1, "\(name)")
        }
    }

    /// The search of camera frames is fast: it has few last resorts.
    @Test func framesGetFewLastResorts() {
        let rows = SearchStrategy.schedule.filter { $0.effort == .fast && $0.condition.isLastResort }
        #expect(rows.map(\.method.name) == ["defocused", "zbarSquare", "zbarBarsInverted"])
    }

    /// Every level of every strategy has pixels to search.
    @Test func noPassSearchesNothing() {
        for (width, height) in [(1, 1), (2, 2), (1, 65_535), (65_535, 1), (65_535, 3), (10_000, 10_000)] {
            let levels = PyramidLevels(width: width, height: height)
            for row in SearchStrategy.schedule {
                for level in row.sizes.levels(levels) {
                    #expect(level < 16)
                    #expect(width >> level > 0 && height >> level > 0, "\(width) x \(height) \(row.title) \(level)")
                }
            }
        }
    }

    // MARK: - A custom strategy

    private static func toy(
        _ name: String, _ symbology: Symbology, effort: DecodeOptions.Effort = .fast,
        if condition: SearchStrategy.Condition = .always, times: Int = 1
    ) -> SearchStrategy {
        let method = SearchStrategy.Method(name: name, title: name, symbologies: [symbology]) { scene, _ in
            let point = Point(x: Double(scene.found.count) * 100, y: 0)
            scene.found.add(
                Symbol(
                    symbology: symbology, symbologyIdentifier: "]X0", bytes: Array(name.utf8), text: name,
                    charset: Charset(name: "us-ascii", source: .symbology),
                    corners: Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point)))
        }
        let sizes = SearchStrategy.Sizes { _ in [Int](repeating: 0, count: times) }
        return SearchStrategy(method, effort, sizes, if: condition)
    }

    private static let dots = Symbology(rawValue: "dots")

    struct ToyCase: CustomTestStringConvertible, Sendable {
        var label: String
        var effort = DecodeOptions.Effort.normal
        var symbologies: Set<Symbology> = [SearchTests.dots]
        var maximumCount: Int?
        var strategies: [SearchStrategy]
        var texts: [String]
        var testDescription: String { label }
    }

    static let toyCases: [ToyCase] = [
        ToyCase(label: "a row reads", strategies: [toy("a", dots)], texts: ["a"]),
        ToyCase(label: "not wanted", symbologies: [.qrCode], strategies: [toy("a", dots)], texts: []),
        ToyCase(label: "too dear", effort: .fast, strategies: [toy("a", dots, effort: .normal)], texts: []),
        ToyCase(label: "one size is searched once", strategies: [toy("a", dots, times: 2)], texts: ["a"]),
        ToyCase(
            label: "the requested number", maximumCount: 1, strategies: [toy("a", dots), toy("b", dots)], texts: ["a"]),
        ToyCase(
            label: "last resort after a symbol was read",
            strategies: [toy("a", dots), toy("b", dots, if: .nothingRead)],
            texts: ["a"]),
        ToyCase(
            label: "beside others of its kind",
            strategies: [
                toy("a", dots, if: .oneWasRead), toy("b", dots), toy("c", dots, if: .oneWasRead),
            ], texts: ["b", "c"]),
        ToyCase(label: "last resort if nothing was read", strategies: [toy("b", dots, if: .nothingRead)], texts: ["b"]),
        ToyCase(
            label: "last resort of less effort after a symbol of more effort",
            strategies: [toy("a", dots, effort: .normal), toy("b", dots, if: .nothingRead)], texts: ["a", "b"]),
    ]

    @Test(arguments: toyCases) func strategyFromOutside(_ test: ToyCase) throws {
        let image = LumaImage(width: 4, height: 4, pixels: [UInt8](repeating: 255, count: 16))
        var search = SymbolSearch(
            image: image,
            options: DecodeOptions(symbologies: test.symbologies, effort: test.effort, maximumCount: test.maximumCount),
            strategies: test.strategies, budget: nil)
        try search.run()
        #expect(search.symbols.map(\.text) == test.texts)
    }

    @Test func pyramid() {
        let image = LumaImage(width: 40, height: 20, pixels: [UInt8](repeating: 9, count: 800))
        var pyramid = ImagePyramid(image)
        let sizes = [3, 0, 1].map { level in
            let image = pyramid.image(atLevel: level)
            return [image.width, image.height]
        }
        #expect(sizes == [[5, 2], [40, 20], [20, 10]])
    }

    @Test(arguments: [
        ("04252614", "042100005264"), ("01234505", "012000003455"), ("01278906", "012000007896"),
        ("01234531", "012300000451"), ("01234543", "012340000053"), ("01234558", "012345000058"),
        ("01234596", "012345000096"), ("12345670", "123456000070"),
    ])
    func upcE(_ short: String, _ full: String) {
        let expanded = UPCENumber.expanded(Array(short.utf8))
        #expect(expanded.map { String(decoding: $0, as: UTF8.self) } == full)
    }

    @Test(arguments: [
        ("316148410X", "9783161484100"), ("0306406152", "9780306406157"), ("030640615", nil), ("03064O6152", nil),
    ])
    func bookNumber(_ isbn: String, _ ean: String?) {
        #expect(BookNumber.ean13(ofISBN10: Array(isbn.utf8)).map { String(decoding: $0, as: UTF8.self) } == ean)
        if let ean { #expect(BookNumber.isbn10(ofEAN13: Array(ean.utf8)) == Array(isbn.utf8)) }
    }

    @Test(arguments: [
        ("9783161484100", true), ("9791234567896", true), ("9790260000438", false), ("9771234567003", false),
        ("4006381333931", false),
    ])
    func isISBN13(_ digits: String, _ isISBN: Bool) { #expect(BookNumber.isISBN13(Array(digits.utf8)) == isISBN) }

    @Test(arguments: ["", "1234567", "123456789", "0425261A", "0425261\u{0}"]) func upcEThatIsNone(_ text: String) {
        #expect(UPCENumber.expanded(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        (Symbology.itf, 3, false), (.itf, 4, true), (.codabar, 1, false), (.code39, 3, false), (.code39, 4, true),
        (.qrCode, 1, true), (.ean13, 1, true), (.code128, 1, true), (.ean13, 0, false),
    ])
    func plausibility(_ symbology: Symbology, _ quality: Int, _ isAccepted: Bool) {
        let point = Point(x: 0, y: 0)
        let reading = Reading(
            symbology: symbology, bytes: [0x31],
            corners: Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point),
            quality: quality)
        #expect(Plausibility.accepts(reading) == isAccepted)
    }

    @Test("Of two messages without a check character in one position, the one with three times the lines wins")
    func rivalsOfZBar() {
        let point = Point(x: 0, y: 0)
        let corners = Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point)
        func reading(_ symbology: Symbology, _ digit: UInt8, _ quality: Int) -> Reading {
            Reading(symbology: symbology, bytes: [digit], corners: corners, quality: quality)
        }
        let (strong, near, weak) = (reading(.itf, 0x31, 13), reading(.itf, 0x32, 9), reading(.itf, 0x32, 4))
        #expect(!Plausibility.hasNoRival(strong, among: [strong, near]))
        #expect(!Plausibility.hasNoRival(near, among: [strong, near]))
        #expect(Plausibility.hasNoRival(strong, among: [strong, weak]))
        #expect(!Plausibility.hasNoRival(weak, among: [strong, weak]))
        #expect(Plausibility.hasNoRival(reading(.ean13, 0x31, 5), among: [reading(.ean13, 0x32, 5)]))
    }

    @Test func emptyQRSymbolOfZBarIsNone() {
        let point = Point(x: 0, y: 0)
        let corners = Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point)
        #expect(!Plausibility.accepts(Reading(symbology: .qrCode, bytes: [], corners: corners, quality: 1)))
    }
}
