import BarcodeCore
import Testing

@testable import VideoCapture

@Suite struct UnpackingTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var format: String
        var stride: Int
        var bytes: [UInt8]
        var testDescription: String { "\(format), \(stride) bytes a row" }
    }

    /// Three by two pixels, 10 20 30 above 40 50 60; bytes that must be ignored are 255 or 254.
    static let cases = [
        Case(format: "GREY", stride: 3, bytes: [10, 20, 30, 40, 50, 60]),
        Case(format: "GREY", stride: 5, bytes: [10, 20, 30, 255, 255, 40, 50, 60]),
        Case(format: "NV12", stride: 4, bytes: [10, 20, 30, 255, 40, 50, 60, 255, 254, 254, 254, 254]),
        Case(format: "NV21", stride: 4, bytes: [10, 20, 30, 255, 40, 50, 60, 255, 254, 254, 254, 254]),
        Case(format: "YU12", stride: 3, bytes: [10, 20, 30, 40, 50, 60, 254, 254, 254, 254]),
        Case(format: "YV12", stride: 3, bytes: [10, 20, 30, 40, 50, 60, 254, 254, 254, 254]),
        Case(format: "YUYV", stride: 6, bytes: [10, 254, 20, 254, 30, 254, 40, 254, 50, 254, 60, 254]),
        Case(format: "YVYU", stride: 8, bytes: [10, 254, 20, 254, 30, 254, 255, 255, 40, 254, 50, 254, 60, 254]),
        Case(format: "UYVY", stride: 6, bytes: [254, 10, 254, 20, 254, 30, 254, 40, 254, 50, 254, 60]),
        Case(format: "Y16", stride: 6, bytes: [255, 10, 255, 20, 255, 30, 255, 40, 255, 50, 255, 60]),
        Case(format: "Y10", stride: 6, bytes: [43, 0, 80, 0, 120, 0, 160, 0, 200, 0, 240, 0]),
        Case(format: "Y12", stride: 6, bytes: [0xA7, 0, 0x40, 1, 0xE0, 1, 0x80, 2, 0x20, 3, 0xC0, 3]),
        Case(format: "NM12", stride: 4, bytes: [10, 20, 30, 255, 40, 50, 60, 255]),
        Case(format: "Y10", stride: 7, bytes: [40, 0, 83, 0, 120, 0, 255, 163, 0, 200, 0, 240, 0]),
    ]

    @Test(arguments: cases) func lumaIsTakenOut(_ one: Case) throws {
        let format = try captureFormat(one.format, stride: one.stride)
        let image = try one.bytes.withUnsafeBytes { try LumaUnpacking.unpack($0, format: format).image }
        #expect(pixels(of: image) == [10, 20, 30, 40, 50, 60])
    }

    @Test(
        arguments: [
            ("RGGB", 1, 0), ("GRBG", 1, 0), ("GBRG", 1, 0), ("BA81", 1, 0), ("RG10", 2, 2), ("BA10", 2, 2),
            ("GB10", 2, 2), ("BG10", 2, 2), ("RG12", 2, 4), ("BA12", 2, 4), ("GB12", 2, 4), ("BG12", 2, 4),
        ])
    func grayBehindABayerFilterIsEven(name: String, size: Int, shift: Int) throws {
        // A gray of 100 above one of 20, which the filter lets through by half in red and blue.
        let order = [
            "R": "RGGB", "G": name.hasPrefix("GB") ? "GBRG" : "GRBG", "B": name.hasPrefix("BA1") ? "GRBG" : "BGGR",
        ]
        let colors = Array(try #require(order[String(name.prefix(1))]))
        var bytes: [UInt8] = []
        for y in 0..<4 {
            for x in 0..<6 {
                let gray = y < 2 ? 100 : 20
                let value = (colors[y % 2 * 2 + x % 2] == "G" ? gray : gray / 2) << shift
                bytes += size == 1 ? [UInt8(value)] : [UInt8(value & 0xFF), UInt8(value >> 8)]
            }
        }
        let format = CaptureFormat(
            pixelFormat: try #require(PixelFormat(name)), width: 6, height: 4, bytesPerLine: 6 * size,
            imageBytes: bytes.count)
        let image = try bytes.withUnsafeBytes { try LumaUnpacking.unpack($0, format: format).image }
        #expect(pixels(of: image) == [75, 45, 15, 15].flatMap { [UInt8](repeating: $0, count: 6) })
    }

    @Test func wideBitsReachTheTop() throws {
        let format = try captureFormat("Y10", stride: 6)
        let bytes: [UInt8] = [0xFF, 0x03, 0xFC, 0x03, 0x00, 0x02, 0x04, 0x01, 0x00, 0x01, 0x03, 0x00]
        let image = try bytes.withUnsafeBytes { try LumaUnpacking.unpack($0, format: format).image }
        #expect(pixels(of: image) == [255, 255, 128, 65, 64, 0])
    }

    @Test(arguments: cases) func oneByteLessIsShort(_ one: Case) throws {
        let format = try captureFormat(one.format, stride: one.stride)
        let step = ["YUYV", "YVYU", "UYVY", "Y16", "Y10", "Y12"].contains(one.format) ? 2 : 1
        let needed = one.stride + 3 * step
        let short = Array(one.bytes.prefix(needed - 1))
        #expect(throws: FrameFault.short(bytes: needed - 1, needed: needed)) {
            try short.withUnsafeBytes { _ = try LumaUnpacking.unpack($0, format: format) }
        }
    }

    @Test(
        arguments: [
            ([], nil), ([0xFF, 0xD8], nil), ([0xFF, 0xD8, 1, 2, 3], nil), ([1, 2, 0xFF, 0xD9], nil),
            ([0xFF, 0xD8, 0xFF, 0xD9], 4), ([0xFF, 0xD8, 7, 0xFF, 0xD9, 0, 0, 0], 5),
        ] as [([UInt8], Int?)])
    func jpegNeedsBothMarkers(bytes: [UInt8], end: Int?) {
        #expect(bytes.withUnsafeBytes { LumaUnpacking.jpegEnd(of: $0) } == end)
    }

    @Test func sizeOfAJPEGIsReadFromItsFrameHeader() {
        let bytes: [UInt8] =
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 17, 8, 0x04, 0x38, 0x07, 0x80, 3, 0, 0, 0]
        #expect(bytes.withUnsafeBytes { LumaUnpacking.jpegSize(of: $0) } == PixelSize(width: 1920, height: 1080))
    }

    @Test func brokenJPEGIsAFault() throws {
        let format = try captureFormat("MJPG", stride: 0)
        let bytes: [UInt8] = [0xFF, 0xD8, 7, 7, 7, 7, 0xFF, 0xD9]
        #expect(throws: FrameFault.self) {
            try bytes.withUnsafeBytes { _ = try LumaUnpacking.unpack($0, format: format) }
        }
    }

    private func captureFormat(_ name: String, stride: Int) throws -> CaptureFormat {
        CaptureFormat(
            pixelFormat: try #require(PixelFormat(name)), width: 3, height: 2, bytesPerLine: stride, imageBytes: 64)
    }

    private func pixels(of image: LumaImage) -> [UInt8] {
        image.withUnsafePixels { Array($0) }
    }
}
