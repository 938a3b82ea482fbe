internal import BarcodeCore
internal import BarcodeDecoding
internal import ImageCodecs
internal import Symbols

/// The stages of one picture's decoding, each ready to run by itself.
///
/// Each stage works on the results of the earlier ones, and has run once to produce its own. The time of that first
/// run is kept; it is the cold time if the process has done nothing before. A picture without a QR code has no stages
/// that rectify or read one, and so on.
struct Stages {
    struct Stage {
        /// The name in reports, see `bench/README.md`.
        var name: String
        /// Runs the stage once; the result goes to ``keep(_:)``.
        var run: () throws -> Void
        /// The time of the first run in nanoseconds: wall-clock time and processor time.
        var first: [UInt64]
    }

    /// The stages, in order of execution.
    private(set) var all: [Stage] = []
    /// The size of the picture, in megapixels.
    private(set) var megapixels = 0.0

    /// The sizes that the decoder starts with at normal effort, in pixels: up to a megapixel to locate bars and large
    /// symbols, and up to four for zbar.
    private static let (coarsePixels, finePixels) = (1_000_000, 4_000_000)

    init(_ path: String) throws {
        let image = try stage("load") { try ImageLoader().load(contentsOf: path).image }
        megapixels = Double(image.pixelCount) / 1e6
        stage("pyramid") { Self.pyramid(image) }
        let coarse = Self.reduced(image, to: Self.coarsePixels)
        let fine = Self.reduced(image, to: Self.finePixels)
        let places = stage("find_qr") { QRLocator(coarse) }
        let regions = stage("find_bars") { LinearLocator(coarse) }.regions
        if !addQRStages(coarse, places), coarse.width != fine.width { _ = addQRStages(fine, QRLocator(fine)) }
        if let region = regions.first { addBarStages(coarse, region) }
        try stage("read_zbar") {
            try ZBarReader().read(fine, symbologies: Symbology.standard.subtracting([.qrCode]))
        }
    }

    /// Decodes a file completely, as users of the library do.
    static func whole(_ path: String) throws {
        keep(try BarcodeDecoder().decode(contentsOf: path))
    }

    @discardableResult
    private mutating func stage<Result>(_ name: String, _ body: @escaping () throws -> Result) rethrows -> Result {
        let (nanoseconds, processor, result) = try Timing.measure(body)
        all.append(Stage(name: name, run: { keep(try body()) }, first: [nanoseconds, processor]))
        return result
    }

    private static func reduced(_ image: LumaImage, to pixels: Int) -> LumaImage {
        var image = image
        while image.pixelCount > pixels { image = image.halved() }
        return image
    }

    /// Halves a picture repeatedly until a symbol is hardly readable, like the decoder's image pyramid.
    private static func pyramid(_ image: LumaImage) -> LumaImage {
        var image = image
        while min(image.width, image.height) >= 192 { image = image.halved() }
        return image
    }

    /// Adds the stage that reads the first readable QR code.
    ///
    /// Returns true if there is one.
    private mutating func addQRStages(_ image: LumaImage, _ locator: QRLocator) -> Bool {
        for candidate in locator.candidates {
            let read = {
                try QRReader().read(
                    image, finderCorners: candidate.corners, size: candidate.size, isInverted: candidate.isInverted)
            }
            if (try? stage("read_qr", read)) != nil { return true }
        }
        return false
    }

    /// Adds the stages that rectify the largest region of bars and read an EAN from it.
    private mutating func addBarStages(_ image: LumaImage, _ region: LinearRegion) {
        guard let strip = stage("straighten_bars", { LinearStrip(image, region: region) }) else { return }
        let profiles = ([strip.profile(from: 0, to: 1)] + strip.bands(5)).map(\.values)
        stage("read_ean") { EANReader().bestAnswer(profiles, layout: .ean13) }
    }
}
