import BarcodeCore
import Testing

/// The limits of a picture.
@Suite(.timeLimit(.minutes(10))) struct LimitsTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var width: Int
        var height: Int
        var error: DecodeError?
        var testDescription: String { "\(width) x \(height)" }

        init(_ width: Int, _ height: Int, _ code: DecodeError.Code? = nil, _ message: String = "") {
            self.width = width
            self.height = height
            error = code.map { DecodeError($0, message) }
        }
    }

    static let cases: [Case] = [
        Case(1, 1), Case(65_535, 1), Case(1, 65_535), Case(20_000, 10_000), Case(65_535, 3_051),
        Case(0, 1, .corrupt, "the picture has an invalid size of 0 x 1 pixels"),
        Case(1, 0, .corrupt, "the picture has an invalid size of 1 x 0 pixels"),
        Case(-1, 5, .corrupt, "the picture has an invalid size of -1 x 5 pixels"),
        Case(65_536, 1, .tooLarge, "the picture is 65536 x 1 pixels; the limit for a side is 65535"),
        Case(1, 65_536, .tooLarge, "the picture is 1 x 65536 pixels; the limit for a side is 65535"),
        Case(20_000, 10_001, .tooLarge, "the picture is 20000 x 10001 pixels; the limit is 200 megapixels"),
        Case(60_000, 60_000, .tooLarge, "the picture is 60000 x 60000 pixels; the limit is 200 megapixels"),
    ]

    static func failure(_ body: () throws(DecodeError) -> Void) -> DecodeError? {
        do throws(DecodeError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: cases) func size(_ test: Case) {
        let error = Self.failure { () throws(DecodeError) in
            try Limits().check(width: test.width, height: test.height)
        }
        #expect(error == test.error)
    }

    @Test func sidesWhoseProductOverflows() {
        let limits = Limits(maximumPixels: .max, maximumSide: .max)
        let error = Self.failure { () throws(DecodeError) in try limits.check(width: .max, height: 2) }
        #expect(error?.code == .tooLarge)
    }

    @Test(arguments: [(0, true), (10, true), (11, false)]) func fileBytes(_ count: Int, _ isAllowed: Bool) {
        let error = Self.failure { () throws(DecodeError) in try Limits(maximumFileBytes: 10).check(fileBytes: count) }
        #expect(error == (isAllowed ? nil : DecodeError(.tooLarge, "the file has 11 bytes; the limit is 10 bytes")))
    }

    /// The limits in units for people.
    @Test func limitsOfOtherSizes() {
        let limits = Limits(maximumPixels: 1_500_000, maximumFileBytes: 256 << 20)
        let file = Self.failure { () throws(DecodeError) in try limits.check(fileBytes: 256 << 20 + 1) }
        #expect(file?.message == "the file has 256.1 MB; the limit is 256 MB")
        let picture = Self.failure { () throws(DecodeError) in try limits.check(width: 2000, height: 1000) }
        #expect(picture?.message == "the picture is 2000 x 1000 pixels; the limit is 1.5 megapixels")
    }

    @Test func anErrorNamesItsSubject() {
        let error = DecodeError(.corrupt, "is damaged")
        #expect(error.description == "is damaged")
        #expect(error.about("a.png").description == "a.png: is damaged")
        #expect(error.about("a.png").about("b.png").subject == "b.png")
    }

    @Test func symbologies() {
        #expect(Set(Symbology.all).count == Symbology.all.count)
        #expect(Symbology.standard.isSubset(of: Symbology.all))
        #expect(Symbology.retail.isSubset(of: Symbology.all))
        #expect(Symbology.qrCode.description == "qr_code")
        #expect(Symbology(rawValue: "qr_code") == .qrCode)
    }
}
