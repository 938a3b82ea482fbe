import BarcodeCore
import Testing

@testable import BarcodeDecoding

/// The plan of a search, and what readings become.
@Suite(.timeLimit(.minutes(3))) struct SearchTests {
    struct Plan: CustomTestStringConvertible, Sendable {
        var width: Int
        var height: Int
        var effort: DecodeOptions.Effort
        /// Reader (`q` for our own QR reader, `g` for its guesses, `l` for zbar at a glance without QR, `b` for our own
        /// regions of bars, `y` for zbar and QR symbols, `z` for zbar) and level; `-` for inverted, `?` for a fallback.
        var passes: String
        var testDescription: String { "\(width) x \(height), \(effort)" }

        init(_ width: Int, _ height: Int, _ effort: DecodeOptions.Effort, _ passes: String) {
            self.width = width
            self.height = height
            self.effort = effort
            self.passes = passes
        }
    }

    static let plans: [Plan] = [
        Plan(132, 132, .fast, "q0 l0 b0? l0-?"), Plan(132, 132, .normal, "q0 l0 b0 g0? z0? l0-?"),
        Plan(132, 132, .thorough, "q0 b0 z0 z0-"), Plan(1, 1, .normal, "q0 l0 b0 g0? z0? l0-?"),
        Plan(1500, 1000, .fast, "q3 q2 q1 q0 l0 b0? l0-?"), Plan(1501, 1000, .fast, "q3 q2 q1 l1 b1? l1-?"),
        Plan(640, 480, .normal, "q2 q1 q0 l0 b0 g2? g1? g0? z0? y1? y2? l0-?"),
        Plan(640, 480, .thorough, "q2 q1 q0 b0 z0 z1 z2 z0- z1- z2-"),
        Plan(4000, 3000, .fast, "q4 q3 q2 l2 b2? l2-?"),
        Plan(4000, 3000, .normal, "q4 q3 q2 q1 l2 b2 b1? g4? g3? g2? g1? q0? z2? y3? y4? l2-?"),
        // A strip: its length asks for a level that its height alone would not reach.
        Plan(60_000, 100, .fast, "q1 l1 b1? l1-?"),
        Plan(60_000, 100, .normal, "q1 l1 b1 g1? q0? z1? l1-?"),
    ]

    @Test(arguments: plans) func plan(_ test: Plan) {
        let plan = SearchPlan(width: test.width, height: test.height, effort: test.effort)
        let letters: [SearchPlan.Pass.Reader: String] = [
            .qr: "q", .qrGuess: "g", .zbarQuick: "l", .linear: "b", .zbarQR: "y", .zbar: "z",
        ]
        let text = plan.passes.map {
            "\(letters[$0.reader] ?? "")\($0.level)\($0.isInverted ? "-" : "")\($0.isFallback ? "?" : "")"
        }
        #expect(text.joined(separator: " ") == test.passes)
    }

    /// Every level of every plan leaves pixels to look at.
    @Test func noPassLooksAtNothing() {
        for (width, height) in [(1, 1), (2, 2), (1, 65_535), (65_535, 1), (65_535, 3), (10_000, 10_000)] {
            for effort in DecodeOptions.Effort.allCases {
                for pass in SearchPlan(width: width, height: height, effort: effort).passes {
                    #expect(pass.level < 16)
                    #expect(
                        (width >> pass.level > 0 && height >> pass.level > 0), "\(width) x \(height) \(effort) \(pass)")
                }
            }
        }
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
    }

    @Test(arguments: ["", "1234567", "123456789", "0425261A", "0425261\u{0}"]) func upcEThatIsNone(_ text: String) {
        #expect(UPCENumber.expanded(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        (Symbology.itf, 1, false), (.itf, 2, true), (.codabar, 1, false), (.code39, 1, false), (.code39, 2, true),
        (.qrCode, 1, true), (.ean13, 1, true), (.code128, 1, true), (.ean13, 0, false),
    ])
    func plausibility(_ format: Symbology, _ quality: Int, _ isAccepted: Bool) {
        let point = Point(x: 0, y: 0)
        let reading = Reading(
            format: format, bytes: [0x31],
            corners: Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point),
            quality: quality)
        #expect(Plausibility.accepts(reading) == isAccepted)
    }

    @Test func emptyQRSymbolOfZBarIsNone() {
        let point = Point(x: 0, y: 0)
        let corners = Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point)
        #expect(!Plausibility.accepts(Reading(format: .qrCode, bytes: [], corners: corners, quality: 1)))
    }
}
