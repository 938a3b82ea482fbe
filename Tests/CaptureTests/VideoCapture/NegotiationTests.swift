import BarcodeCore
import Testing

@testable import VideoCapture

@Suite struct NegotiationTests {
    static let hd = PixelSize(width: 1280, height: 720)
    static let vga = PixelSize(width: 640, height: 480)

    static func mode(_ format: PixelFormat, _ size: PixelSize, _ rates: Double...) -> CaptureMode {
        CaptureMode(pixelFormat: format, size: size, rates: rates)
    }

    @Test(
        arguments: [
            ("size before format", [mode(.gray, vga, 30), mode(.mjpg, hd, 30)], 1),
            ("rate before format", [mode(.yuyv, hd, 10), mode(.mjpg, hd, 30)], 1),
            ("a faster camera is not better", [mode(.mjpg, hd, 60), mode(.yuyv, hd, 30)], 1),
            ("29.97 is 30", [mode(.mjpg, hd, 30), mode(.yuyv, hd, 29.97)], 1),
            ("format at equal size and rate", [mode(.mjpg, hd, 30), mode(.yuyv, hd, 30), mode(.nv12, hd, 30)], 2),
            ("grey first", [mode(.nv12, hd, 30), mode(.gray, hd, 30)], 1),
            ("unknown rates are hoped for", [mode(.mjpg, hd, 15), mode(.yuyv, hd)], 1),
            ("what cannot be read is left out", [mode(PixelFormat(rawValue: 1), hd, 30), mode(.mjpg, vga, 5)], 1),
        ] as [(String, [CaptureMode], Int)])
    func bestComesFirst(label: String, modes: [CaptureMode], best: Int) {
        #expect(FormatNegotiation.candidates(modes, request: CaptureRequest()).first == modes[best])
    }

    @Test func theFormatAskedForIsTheOnlyOne() {
        let modes = [Self.mode(.gray, Self.hd, 30), Self.mode(.mjpg, Self.vga, 30)]
        let request = CaptureRequest(pixelFormat: .mjpg)
        #expect(FormatNegotiation.candidates(modes, request: request) == [modes[1]])
    }

    @Test func withoutBandwidthMJPGComesThenSmallerSizes() {
        let modes = [
            Self.mode(.yuyv, Self.hd, 30), Self.mode(.mjpg, Self.hd, 30), Self.mode(.yuyv, Self.vga, 30),
            Self.mode(.mjpg, Self.vga, 30),
        ]
        var order: [CaptureMode] = []
        var next: CaptureMode? = modes[0]
        while let mode = next {
            order.append(mode)
            next = FormatNegotiation.lighter(than: mode, in: modes, request: CaptureRequest())
        }
        #expect(order == [modes[0], modes[1], modes[3]])
    }

    @Test func aRangeOfSizesOffersTheWishAndTheUsualOnes() {
        let sizes = FormatNegotiation.sizes(
            from: PixelSize(width: 16, height: 16), to: PixelSize(width: 1400, height: 800),
            step: PixelSize(width: 2, height: 2), nearestTo: PixelSize(width: 1001, height: 9000))
        #expect(
            sizes == [
                PixelSize(width: 1000, height: 800), PixelSize(width: 320, height: 240), Self.vga, Self.hd,
            ])
    }

    @Test(arguments: [("GREY", PixelFormat.gray), ("Y16", .y16), ("MJPG", .mjpg)])
    func formatsHaveNames(name: String, format: PixelFormat) {
        #expect(PixelFormat(name) == format)
        #expect(format.description == name)
    }

    @Test(arguments: ["", "GREYS", "Gr\u{E9}y", "A\nB"]) func noSuchName(name: String) {
        #expect(PixelFormat(name) == nil)
    }
}
