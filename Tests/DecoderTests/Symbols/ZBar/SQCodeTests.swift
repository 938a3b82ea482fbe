import BarcodeCore
import ImageCodecs
import Symbols
import Testing

/// The quick check that avoids zbar's search for SQ Code.
@Suite struct SQCodeTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var mayBeSeen: Bool
        var isDark: @Sendable (_ x: Int, _ y: Int) -> Bool

        init(_ testDescription: String, _ mayBeSeen: Bool, isDark: @escaping @Sendable (Int, Int) -> Bool) {
            (self.testDescription, self.mayBeSeen, self.isDark) = (testDescription, mayBeSeen, isDark)
        }

        var image: LumaImage {
            let places = (0..<64).flatMap { y in (0..<64).map { ($0, y) } }
            return LumaImage(width: 64, height: 64, pixels: places.map { isDark($0.0, $0.1) ? 0 : 255 })
        }
    }

    static let cases: [Case] = [
        Case("nothing dark", false) { _, _ in false },
        Case("all dark", false) { _, _ in true },
        Case("one dot", false) { x, y in (20..<24).contains(x) && (20..<24).contains(y) },
        Case("a blot, and a dot beside it", false) { x, y in
            (10..<40).contains(x) && (10..<40).contains(y) || (44..<48).contains(x) && (20..<24).contains(y)
        },
        Case("a blot that begins with a dot", false) { x, y in
            x == 30 && y == 5 || (6..<50).contains(y) && abs(x - 30) <= y - 5
        },
        Case("a dot in a corner", false) { x, y in x == 0 && y == 0 },
        Case("a row of dots", true) { x, y in x % 8 < 4 && (20..<24).contains(y) },
        Case("a dot far to the left of another", true) { x, y in
            (20..<24).contains(y) && (x == 12 || (20..<24).contains(x)) || x == 21 && y == 19
        },
    ]

    @Test(arguments: cases) func look(_ item: Case) {
        #expect(ZBarReader.maySeeSQCode(in: item.image) == item.mayBeSeen)
    }

    @Test func sample() throws {
        #expect(ZBarReader.maySeeSQCode(in: try ReaderTests.sample("sq.png")))
    }

    /// zbar reads no picture that the check rejects: samples, unchanged and shifted by some pixels.
    @Test(arguments: ["sq.png", "qr.png", "data-matrix.png", "aztec.png", "no-code.jpg", "code128.png"])
    func agreesWithZBar(_ name: String) throws {
        for gap in [0, 1, 7, 40] {
            let image = try gap == 0 ? ReaderTests.sample(name) : ReaderTests.row([ReaderTests.sample(name)], gap: gap)
            let read = try ZBarReader(scansRows: false, scansColumns: false).read(image, symbologies: [.sqCode])
            #expect(read.isEmpty || ZBarReader.maySeeSQCode(in: image), "\(gap) pixels")
        }
    }
}
