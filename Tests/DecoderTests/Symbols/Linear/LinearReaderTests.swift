import BarcodeCore
import Symbols
import TestSupport
import Testing

@Suite("Linear symbols by the widths of their elements")
struct LinearReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var symbology: Symbology
        var text: String
        var modules: [Bool]

        init(_ label: String, _ symbology: Symbology, _ text: String, _ modules: [Bool]) {
            testDescription = label
            (self.symbology, self.text, self.modules) = (symbology, text, modules)
        }
    }

    static let cases = [
        Case("Code 128, letters", .code128, "Code 128", LinearModules.code128("Code 128")),
        Case("Code 128, digits in pairs", .code128, "123456", LinearModules.code128([105, 12, 34, 56])),
        Case("Code 93", .code93, "TEST93", LinearModules.code93([29, 14, 28, 29, 9, 3])),
        Case("Code 39", .code39, "CAFE-0123", LinearModules.code39("CAFE-0123")),
        Case("Code 39, wide gaps", .code39, "A 78+$", LinearModules.code39("A 78+$", gap: 3)),
        Case("Codabar", .codabar, "A294/586B", LinearModules.codabar("A294/586B")),
        Case("Codabar, no wide space", .codabar, "C1.+:7D", LinearModules.codabar("C1.+:7D")),
        Case("Interleaved 2 of 5", .itf, "1234567890", LinearModules.itf([1, 2, 3, 4, 5, 6, 7, 8, 9, 0])),
        Case("DataBar", .dataBar, "0100012345678905", DataBarModules.dataBar(1_234_567_890)),
        Case("DataBar, large number", .dataBar, "0199999999999997", DataBarModules.dataBar(9_999_999_999_999)),
        Case(
            "DataBar Expanded", .dataBarExpanded, "1012345678",
            DataBarModules.expanded(
                DataBarModules.characters(ofBits: "00000" + "0010011" + "0010101" + "0101101" + "1000101" + "1011101"))),
    ]

    static func reader(_ symbologies: Set<Symbology> = LinearReader.supportedSymbologies) -> LinearReader {
        LinearReader(symbologies: symbologies)
    }

    static func texts(_ answers: [LinearReader.Answer]) -> [String] {
        answers.map { "\($0.symbology) " + String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test("Each symbology is read at low resolution and blurred, in both directions", arguments: cases, [1.5, 2, 3.7])
    func readBack(item: Case, rate: Double) {
        for (seed, blur) in [0.2, 0.45].enumerated() {
            for isReversed in [false, true] {
                var renderer = ProfileRenderer(item.modules, rate: rate)
                renderer.blur = blur
                renderer.seed = UInt64(seed)
                let profiles = renderer.profiles(6).map { isReversed ? $0.reversed() : $0 }
                let answers = Self.reader().read(profiles)
                #expect(Self.texts(answers) == ["\(item.symbology) \(item.text)"], "blur \(blur), seed \(seed)")
                guard let answer = answers.first else { continue }
                #expect(answer.isReversed == isReversed)
                #expect(abs(answer.range.lowerBound - 10 * rate) < 2.5 * rate)
                #expect(abs(answer.range.upperBound - (10 + Double(item.modules.count)) * rate) < 2.5 * rate)
            }
        }
    }

    @Test("Spread and thin ink is tolerated", arguments: cases, [-0.35, 0.35])
    func growth(item: Case, growth: Double) {
        var renderer = ProfileRenderer(item.modules, rate: 3)
        renderer.growth = growth
        #expect(Self.texts(Self.reader().read(renderer.profiles(6))) == ["\(item.symbology) \(item.text)"])
    }

    @Test("Half a quiet zone is enough", arguments: cases)
    func quietZone(item: Case) {
        var renderer = ProfileRenderer(item.modules, rate: 2.5)
        renderer.quietZone = 6.5
        #expect(Self.texts(Self.reader().read(renderer.profiles(6))) == ["\(item.symbology) \(item.text)"])
    }

    /// The widths in modules of the line of a frame, of the gap between it and a symbol, and of the light beyond it.
    static let frames: [(line: Int, gap: Int, beyond: Double)] = [
        (1, 1, 6), (2, 1, 8), (3, 2, 10), (1, 2, 6), (6, 1, 0.5), (9, 2, 0.5),
    ]

    /// Returns a symbol with the line of a frame on its left or right or on both sides, and a quiet zone on the other.
    static func framed(
        _ modules: [Bool], _ frame: (line: Int, gap: Int, beyond: Double), _ sides: String
    ) -> ProfileRenderer {
        let line = [Bool](repeating: true, count: frame.line)
        let gap = [Bool](repeating: false, count: frame.gap)
        let quiet = [Bool](repeating: false, count: 10)
        var renderer = ProfileRenderer(
            (sides == "right" ? quiet : line + gap) + modules + (sides == "left" ? quiet : gap + line), rate: 3)
        renderer.quietZone = frame.beyond
        return renderer
    }

    @Test(
        "A line of a frame, or the dark ground of a label, may take the place of the quiet zone",
        arguments: frames.indices, ["left", "right", "both"])
    func frame(index: Int, sides: String) {
        let own: Set<Symbology> = [.code128, .code93, .code39]
        for item in Self.cases where own.contains(item.symbology) || item.text == "A294/586B" {
            let profiles = Self.framed(item.modules, Self.frames[index], sides).profiles(6)
            #expect(Self.texts(Self.reader().read(profiles)) == ["\(item.symbology) \(item.text)"])
        }
    }

    /// The end of a longer symbol, with one bar more beside it, may look like a short one.
    @Test("A short Codabar in a frame, and an ITF, are not read")
    func shortInFrame() {
        for modules in [LinearModules.codabar("A1234B"), LinearModules.itf([1, 2, 3, 4, 5, 6])] {
            let profiles = Self.framed(modules, Self.frames[0], "left").profiles(6)
            #expect(Self.texts(Self.reader([.codabar, .itf]).read(profiles)) == [])
        }
    }

    @Test("Most symbols of one value per module are read", arguments: cases)
    func coarse(item: Case) {
        var read = 0
        for seed in 0..<10 as Range<UInt64> {
            var renderer = ProfileRenderer(item.modules, rate: 1.3)
            renderer.seed = seed
            renderer.quietZone = 10 + Double(seed) / 13
            let texts = Self.texts(Self.reader().read(renderer.profiles(6)))
            #expect(texts.isEmpty || texts == ["\(item.symbology) \(item.text)"], "seed \(seed)")
            read += texts.count
        }
        #expect(read >= 7)
    }

    static let broken: [(label: String, modules: [Bool])] = [
        ("Code 128", LinearModules.code128([104, 33, 34, 35], checkError: 1)),
        ("Code 93", LinearModules.code93([1, 2, 3], checkError: 5)),
        ("DataBar", DataBarModules.dataBar(1_234_567_890, checkError: 3)),
        ("DataBar Expanded", DataBarModules.expanded([38, 678, 900, 77], checkError: 1)),
    ]

    @Test("A symbol whose check is wrong is not read", arguments: broken.indices)
    func wrongCheck(index: Int) {
        let (label, modules) = Self.broken[index]
        for rate in [1.5, 3] {
            let answers = Self.reader().read(ProfileRenderer(modules, rate: rate).profiles(6))
            #expect(answers.isEmpty, "\(label), \(rate) values a module")
        }
    }

    static let unchecked = cases.filter { [.code39, .codabar, .itf].contains($0.symbology) }

    @Test("Three profiles must agree on a symbology without a check character", arguments: unchecked, 0...6)
    func agreement(item: Case, count: Int) {
        let profiles = ProfileRenderer(item.modules, rate: 3).profiles(6).enumerated().map { place, profile in
            place < count ? profile : profile.map { _ in 200 }
        }
        #expect(Self.texts(Self.reader().read(profiles)) == (count < 3 ? [] : ["\(item.symbology) \(item.text)"]))
    }

    @Test("Contradictory profiles have no result")
    func contradiction() {
        let one = ProfileRenderer(LinearModules.codabar("A12345B"), rate: 3).profiles(3)
        let two = ProfileRenderer(LinearModules.codabar("A12346B"), rate: 3).profiles(3)
        #expect(Self.reader().read(one + two).isEmpty)
        #expect(Self.reader().read(one).count == 1)
    }

    @Test("Symbologies that were not requested are not read", arguments: cases)
    func supportedSymbologies(item: Case) {
        let profiles = ProfileRenderer(item.modules, rate: 3).profiles(6)
        #expect(Self.reader(LinearReader.supportedSymbologies.subtracting([item.symbology])).read(profiles).isEmpty)
        #expect(Self.reader([item.symbology]).read(profiles).count == 1)
        #expect(Self.reader([]).read(profiles).isEmpty)
    }

    static let stacks: [(label: String, text: String, rows: [[Bool]])] = [
        ("DataBar", "databar 0100012345678905", DataBarModules.stacked(1_234_567_890)),
        (
            "DataBar Expanded", "databar_expanded 10123456789012",
            DataBarModules.expandedStacked(
                DataBarModules.characters(
                    ofBits: "00000" + "0010011" + "0010101" + "0101101" + "1000101" + "1011101" + "1101011" + "0010101"),
                partsInRow: 1)
        ),
    ]

    @Test("Stacked symbols are read from their rows", arguments: stacks.indices, [false, true])
    func stacked(index: Int, isUpsideDown: Bool) {
        let (_, text, rows) = Self.stacks[index]
        let longest = rows.map(\.count).max() ?? 0
        var profiles = rows.flatMap { row in
            ProfileRenderer(row + Array(repeating: false, count: longest - row.count), rate: 2).profiles(3)
        }
        if isUpsideDown { profiles = profiles.reversed().map { $0.reversed() } }
        #expect(Self.texts(Self.reader().readStacked(profiles)) == [text])
        #expect(Self.reader().read(Array(profiles.prefix(3))).isEmpty)
    }

    @Test("Random bars are not read", arguments: 0..<8 as Range<UInt64>)
    func randomBars(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for round in 0..<30 {
            // Elements of up to two, four or nine widths.
            let widest = [[1, 1, 3], [1, 2, 3, 4], Array(1...9)][round % 3]
            let widths = (0..<60).map { _ in widest.randomElement(using: &random) ?? 1 }
            var renderer = ProfileRenderer(LinearModules.modules(ofWidths: widths), rate: 2.3)
            renderer.seed = seed
            let profiles = renderer.profiles(6)
            #expect(Self.texts(Self.reader().read(profiles)).isEmpty, "round \(round)")
            #expect(Self.texts(Self.reader().readStacked(profiles)).isEmpty, "round \(round)")
        }
    }

    @Test("EAN and UPC are not read by these readers", arguments: 0..<4 as Range<UInt64>)
    func retail(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let digits = LinearModules.checked((0..<12).map { _ in Int.random(in: 0...9, using: &random) })
            let answers = Self.reader().read(ProfileRenderer(LinearModules.ean13(digits), rate: 2).profiles(6))
            #expect(Self.texts(answers).isEmpty, "\(digits)")
        }
    }

    @Test("Profiles without a symbol have no result", arguments: [0, 1, 15, 16, 40, 5000])
    func degenerate(length: Int) {
        for value in [Float(0), 255] {
            let flat = [Float](repeating: value, count: length)
            #expect(Self.reader().read([flat]).isEmpty)
            #expect(Self.reader().readStacked([flat, flat, flat]).isEmpty)
        }
        #expect(Self.reader().read([]).isEmpty)
        #expect(Self.reader().readStacked([]).isEmpty)
    }

    /// Returns the mean of five bands of an Interleaved 2 of 5, and the bands, in which a narrow bar has a share of its
    /// contrast.
    ///
    /// - Parameter share: the share of a narrow bar, by its number from the left and its band.
    private static func brokenBars(_ digits: [Int], share: (_ bar: Int, _ band: Int) -> Float) -> [[Float]] {
        let modules = LinearModules.itf(digits)
        let rate = 3
        var bands = [[Float]](repeating: [Float](repeating: 200, count: (modules.count + 24) * rate), count: 5)
        let starts = modules.indices.filter { modules[$0] && ($0 == 0 || !modules[$0 - 1]) }
        for (number, start) in starts.enumerated() {
            let end = modules[start...].firstIndex(of: false) ?? modules.count
            for band in bands.indices {
                let darkness = end - start == 1 ? share(number, band) : 1
                for place in (start + 12) * rate..<(end + 12) * rate { bands[band][place] -= 150 * darkness }
            }
        }
        // The edges are not quite sharp.
        bands = bands.map { band in
            band.indices.map { place in
                (band[max(0, place - 1)] + 2 * band[place] + band[min(band.count - 1, place + 1)]) / 4
            }
        }
        let mean = bands[0].indices.map { place in bands.reduce(0) { $0 + $1[place] } / Float(bands.count) }
        return [mean] + bands
    }

    @Test("Interleaved 2 of 5 is read if every narrow bar is seen in some rows", arguments: 0..<8 as Range<UInt64>)
    func brokenBars(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let digits = (0..<10).map { _ in Int.random(in: 0...9, using: &random) }
        let shares = (0..<60).map { _ in
            (0..<5).map { _ in Bool.random(using: &random) ? 0 : Float.random(in: 0.1...0.5, using: &random) }
        }
        let profiles = Self.brokenBars(digits) { bar, band in
            // Each bar is seen in one of the odd bands and in one of the even ones.
            band == bar % 2 || band == 3 - bar % 2 ? max(0.2, shares[bar][band]) : shares[bar][band]
        }
        let text = digits.map(String.init).joined()
        #expect(Self.texts(Self.reader([.itf]).read(profiles)) == ["itf \(text)"], "seed \(seed)")
    }

    @Test("The mean of all rows alone is enough for a long Interleaved 2 of 5 only", arguments: [10, 18])
    func brokenBarInOneBand(count: Int) {
        let digits = (0..<count).map { ($0 * 7 + 3) % 10 }
        // A narrow bar in the middle is seen in the first band only.
        let profiles = Self.brokenBars(digits) { bar, band in bar == 14 ? (band == 0 ? 0.3 : 0) : 0.3 }
        let text = digits.map(String.init).joined()
        #expect(Self.texts(Self.reader([.itf]).read(profiles)) == (count == 18 ? ["itf \(text)"] : []))
    }
}
