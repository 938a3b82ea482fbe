import BarcodeCore
import Testing

@testable import BarcodeDecoding

/// The strategies of a search, and what readings become.
@Suite(.timeLimit(.minutes(10))) struct SearchTests {
    struct Schedule: CustomTestStringConvertible, Sendable {
        var width: Int
        var height: Int
        var effort: DecodeOptions.Effort
        /// Method and level of each pass in turn; `?` for a last resort.
        var passes: String
        var testDescription: String { "\(width) x \(height), \(effort)" }

        init(_ width: Int, _ height: Int, _ effort: DecodeOptions.Effort, _ passes: String) {
            self.width = width
            self.height = height
            self.effort = effort
            self.passes = passes
        }
    }

    /// Small letters for readers, capitals for what they do beside what was read or in vain, `-` for inverted: `q` QR,
    /// `g` `G` its guesses, `B` `R` bent sheets, `F` closer, `p` pale print; `m` Micro QR, `P` pale; `x` Aztec, `f`
    /// PDF417, `t` MicroPDF417, `h` Han Xin, `k` DotCode, `M` postal, `c` MaxiCode, `d` `D` Data Matrix, `T` at twice
    /// the size, `L` pale, `O` dots, `X` pale Aztec; `i` `I` `j` fields of bars, `V` `W` `Y` fields, PDF417
    /// and MicroPDF417 in pale print, `b` regions of bars, `E` edges of films; of zbar `l` a glance, `a` add-ons, `r` regions that were not read, `s` SQ Code, `z` `y` QR symbols, `e` each of
    /// its lines.
    static let letters = [
        "qr": "q", "qrGuess": "g", "qrGuessBeside": "G", "qrFineBeside": "F", "qrBent": "B", "qrBentRest": "R",
        "qrPale": "p", "microQR": "m", "microQRPale": "P", "aztec": "x", "pdf417": "f", "microPDF417": "t",
        "maxiCode": "c", "dataMatrix": "d", "dataMatrixBeside": "D", "dataMatrixDoubled": "T", "dataMatrixPale": "L",
        "dataMatrixDots": "O", "aztecPale": "X", "bars": "b", "fields": "i", "fieldsRest": "I", "fieldsFiner": "j",
        "filmEdge": "E", "hanXin": "h", "dotCode": "k", "postal": "M", "zbarGlance": "l", "zbarBeside": "a",
        "zbarBars": "r", "zbarBarsInverted": "r-", "zbarSquare": "s", "zbarCareful": "z", "zbarQR": "y",
        "zbarEveryLine": "e", "zbarEveryLineInverted": "e-", "composite": "A", "compositePDF417": "C",
        "compositeBelow": "U", "fieldsPale": "V", "pdf417Pale": "W", "microPDF417Pale": "Y",
    ]

    static let schedules: [Schedule] = [
        Schedule(
            132, 132, .fast,
            "q0 x0 m0 f0 i0 c0 d0 l0 b0 E0 a0 r0 t0 h0 k0 M0 s0? r-0?"),
        Schedule(
            132, 132, .normal,
            "q0 B0 x0 m0 f0 i0 c0 d0 l0 b0 E0 a0 r0 I0 t0 h0 k0 M0 s0? g0? T0? p0? P0? L0? X0? V0? W0? Y0? "
                + "G0 R0 z0 r-0? A0 C0 U0"),
        Schedule(
            132, 132, .thorough,
            "q0 B0 x0 m0 f0 i0 c0 d0 l0 b0 E0 a0 r0 I0 t0 h0 k0 M0 s0? g0? T0? p0? P0? L0? X0? V0? W0? Y0? "
                + "G0 R0 z0 r-0? q0 m0 d0 O0? g0 x0 c0 h0 b0 e0 e-0 A0 C0 U0"),
        Schedule(
            1, 1, .normal,
            "q0 B0 x0 m0 f0 i0 c0 d0 l0 b0 E0 a0 r0 I0 t0 h0 k0 M0 s0? g0? T0? p0? P0? L0? X0? V0? W0? Y0? "
                + "G0 R0 z0 r-0? A0 C0 U0"),
        Schedule(
            1500, 1000, .fast,
            "q3 q2 q1 q0 x3 x2 x1 x0 m3 m2 m1 m0 f0 i0 c3 c2 c1 c0 d3 d2 d1 d0 l0 b0 E0 a0 r0 t0 h0 k0 M0 s0? "
                + "r-0?"),
        Schedule(
            1501, 1000, .fast,
            "q3 q2 q1 x3 x2 x1 m3 m2 m1 f1 i1 c3 c2 c1 d3 d2 d1 l1 b1 E1 a1 r1 t1 h1 k1 M1 s1? r-1?"),
        Schedule(
            640, 480, .normal,
            "q2 q1 q0 B0 x2 x1 x0 m2 m1 m0 f0 i0 c2 c1 c0 d2 d1 d0 l0 i1 b0 E0 a0 r0 I0 t0 h0 k0 M0 s0? g2? g1? "
                + "g0? T0? p2? p1? p0? P2? P1? P0? L2? L1? L0? X2? X1? X0? V0? W0? Y0? G2 G1 G0 R0 z0 y1? y2? r-0? A0 C0 U0"
        ),
        Schedule(
            4000, 3000, .fast,
            "q4 q3 q2 x4 x3 x2 m4 m3 m2 f2 i2 c4 c3 c2 d4 d3 d2 l2 b2 E2 a2 r2 t2 h2 k2 M2 s2? r-2?"),
        Schedule(
            4000, 3000, .normal,
            "q4 q3 q2 q1 B2 x4 x3 x2 x1 m4 m3 m2 m1 f2 f1 i2 c4 c3 c2 c1 d4 d3 d2 l2 i1 i3 b2 E2 E1? a2 r2 I2 "
                + "I1 j0 t2 t1 h2 h1 k2 k1 M2 M1 D1 D0 b1? s2? g4? g3? g2? g1? q0? m0? x0? d1? d0? f0? t0? h0? k0? "
                + "M0? p4? p3? p2? P4? P3? P2? L4? L3? L2? X4? X3? X2? V2? W2? Y2? G4 G3 G2 G1 F0 R2 z2 y3? y4? r-2? A2 C2 U2"
        ),
        // A strip: its length asks for a level that its height alone would not reach.
        Schedule(
            60_000, 100, .fast,
            "q1 x1 m1 f1 i1 c1 d1 l1 b1 E1 a1 r1 t1 h1 k1 M1 s1? r-1?"),
        Schedule(
            60_000, 100, .normal,
            "q1 B1 x1 m1 f1 i1 c1 d1 l1 b1 E1 a1 r1 I1 j0 t1 h1 k1 M1 D0 s1? g1? q0? m0? x0? d0? f0? t0? h0? "
                + "k0? M0? p1? P1? L1? X1? V1? W1? Y1? G1 F0 R1 z1 r-1? A1 C1 U1"),
    ]

    static func rows(_ effort: DecodeOptions.Effort) -> [SearchStrategy] {
        SearchStrategy.all.filter { $0.effort <= effort }
    }

    @Test(arguments: schedules) func schedule(_ test: Schedule) {
        let levels = PyramidLevels(width: test.width, height: test.height)
        let text = Self.rows(test.effort).flatMap { row in
            row.levels(levels).map {
                "\(Self.letters[row.method.name] ?? row.method.name)\($0)\(row.isLastResort ? "?" : "")"
            }
        }
        #expect(text.joined(separator: " ") == test.passes)
    }

    /// Every level of every strategy leaves pixels to search.
    @Test func noPassSearchesNothing() {
        for (width, height) in [(1, 1), (2, 2), (1, 65_535), (65_535, 1), (65_535, 3), (10_000, 10_000)] {
            let levels = PyramidLevels(width: width, height: height)
            for row in SearchStrategy.all {
                for level in row.levels(levels) {
                    #expect(level < 16)
                    #expect(width >> level > 0 && height >> level > 0, "\(width) x \(height) \(row.title) \(level)")
                }
            }
        }
    }

    // MARK: - A strategy from outside

    private static func toy(
        _ name: String, _ symbology: Symbology, effort: DecodeOptions.Effort = .fast, isLastResort: Bool = false,
        times: Int = 1
    ) -> SearchStrategy {
        SearchStrategy(
            title: name, symbologies: [symbology], effort: effort, isLastResort: isLastResort,
            levels: { _ in [Int](repeating: 0, count: times) },
            method: SearchStrategy.Method(name: name) { scene, _ in
                let point = Point(x: Double(scene.found.count) * 100, y: 0)
                scene.found.add(
                    Symbol(
                        symbology: symbology, symbologyIdentifier: "]X0", bytes: Array(name.utf8), text: name,
                        charset: Charset(name: "us-ascii", source: .symbology),
                        corners: Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point)))
            })
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
            label: "as many as wanted", maximumCount: 1, strategies: [toy("a", dots), toy("b", dots)], texts: ["a"]),
        ToyCase(
            label: "last resort after a find", strategies: [toy("a", dots), toy("b", dots, isLastResort: true)],
            texts: ["a"]),
        ToyCase(label: "last resort after none", strategies: [toy("b", dots, isLastResort: true)], texts: ["b"]),
        ToyCase(
            label: "last resort of less effort after a find of more",
            strategies: [toy("a", dots, effort: .normal), toy("b", dots, isLastResort: true)], texts: ["a", "b"]),
    ]

    @Test(arguments: toyCases) func strategyFromOutside(_ test: ToyCase) throws {
        let image = LumaImage(width: 4, height: 4, pixels: [UInt8](repeating: 255, count: 16))
        var search = SymbolSearch(
            image: image,
            options: DecodeOptions(symbologies: test.symbologies, effort: test.effort, maximumCount: test.maximumCount),
            strategies: test.strategies)
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
        (Symbology.itf, 1, false), (.itf, 2, true), (.codabar, 1, false), (.code39, 1, false), (.code39, 2, true),
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

    @Test func emptyQRSymbolOfZBarIsNone() {
        let point = Point(x: 0, y: 0)
        let corners = Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point)
        #expect(!Plausibility.accepts(Reading(symbology: .qrCode, bytes: [], corners: corners, quality: 1)))
    }
}
