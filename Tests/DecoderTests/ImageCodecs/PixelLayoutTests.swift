import BarcodeCore
import ImageCodecs
import Testing

/// Pixels in memory in every format, and layouts that do not fit their bytes.
@Suite struct PixelLayoutTests {
    struct Conversion: Sendable, CustomTestStringConvertible {
        var format: PixelLayout.Format
        /// Two pixels.
        var bytes: [UInt8]
        var luma: [UInt8]
        var testDescription: String { "\(format)" }
    }

    /// The luma of red is 76, of blue 29 (BT.601); half of black over white is 127.
    static let conversions: [Conversion] = [
        Conversion(format: .gray, bytes: [7, 200], luma: [7, 200]),
        Conversion(format: .rgb, bytes: [255, 0, 0, 0, 0, 255], luma: [76, 29]),
        Conversion(format: .bgr, bytes: [255, 0, 0, 0, 0, 255], luma: [29, 76]),
        Conversion(format: .rgbx, bytes: [255, 0, 0, 9, 0, 0, 255, 9], luma: [76, 29]),
        Conversion(format: .bgrx, bytes: [255, 0, 0, 9, 0, 0, 255, 9], luma: [29, 76]),
        Conversion(format: .rgba, bytes: [255, 0, 0, 255, 0, 0, 0, 128], luma: [76, 127]),
        Conversion(format: .bgra, bytes: [255, 0, 0, 255, 0, 0, 0, 128], luma: [29, 127]),
        Conversion(format: .yuyv, bytes: [7, 1, 200, 2], luma: [7, 200]),
        Conversion(format: .uyvy, bytes: [1, 7, 2, 200], luma: [7, 200]),
    ]

    @Test(arguments: conversions) func convertsToLuma(_ test: Conversion) throws {
        let padded = test.bytes + [50, 60, 70] + test.bytes
        let layout = PixelLayout(width: 2, height: 2, bytesPerRow: test.bytes.count + 3, format: test.format)
        let image = try Self.image(layout, in: padded).get()
        for y in 0..<2 { #expect([image[x: 0, y: y], image[x: 1, y: y]] == test.luma) }
    }

    @Test func everyFormatIsConverted() {
        #expect(Set(Self.conversions.map(\.format)) == Set(PixelLayout.Format.allCases))
    }

    struct Misfit: Sendable, CustomTestStringConvertible {
        var layout: PixelLayout
        var bytes: Int
        var code: DecodeError.Code
        var testDescription: String { "\(layout) in \(bytes)" }
    }

    static let misfits: [Misfit] = [
        Misfit(layout: PixelLayout(width: 3, height: 2, format: .rgb), bytes: 17, code: .invalidRequest),
        Misfit(
            layout: PixelLayout(width: 3, height: 2, bytesPerRow: 8, format: .rgb), bytes: 99, code: .invalidRequest),
        Misfit(
            layout: PixelLayout(width: 3, height: 2, bytesPerRow: 20, format: .rgb), bytes: 28, code: .invalidRequest),
        Misfit(
            layout: PixelLayout(width: 3, height: 3, bytesPerRow: .max, format: .gray), bytes: 99,
            code: .invalidRequest),
        Misfit(
            layout: PixelLayout(width: 3, height: 2, bytesPerRow: -1, format: .gray), bytes: 99, code: .invalidRequest),
        Misfit(layout: PixelLayout(width: 0, height: 2, format: .gray), bytes: 99, code: .corrupt),
        Misfit(layout: PixelLayout(width: 3, height: -2, format: .gray), bytes: 99, code: .corrupt),
        Misfit(layout: PixelLayout(width: 70_000, height: 1, format: .gray), bytes: 99, code: .tooLarge),
    ]

    @Test(arguments: misfits) func rejectsLayoutsThatDoNotFit(_ test: Misfit) {
        let result = Self.image(test.layout, in: [UInt8](repeating: 0, count: test.bytes))
        #expect(throws: DecodeError.self) { try result.get() }
        if case .failure(let error) = result { #expect(error.code == test.code) }
    }

    private static func image(_ layout: PixelLayout, in bytes: [UInt8]) -> Result<LumaImage, DecodeError> {
        bytes.withUnsafeBytes { bytes in
            Result { () throws(DecodeError) in try layout.image(in: bytes, limits: Limits()) }
        }
    }
}
