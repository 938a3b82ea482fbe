internal import BarcodeCore
internal import BarcodeDecoding
internal import ImageCodecs
internal import Symbols
internal import ZBarReader

/// The stages of one picture's way, each ready to be run alone.
///
/// Each works on what the stages before it made, and was run once to make that; the time of that first run is kept,
/// and is the cold time where the process has done nothing before. A picture without a QR symbol has no stage that
/// straightens or reads one, and so on.
struct Stages {
    struct Stage {
        /// The name in the reports, see `bench/README.md`.
        var name: String
        /// One run; its result goes to ``keep(_:)``.
        var run: () throws -> Void
        /// Nanoseconds of the first run, by the clock and of the processor.
        var first: [UInt64]
    }

    /// The stages in the order of the way.
    private(set) var all: [Stage] = []
    /// Megapixels of the picture.
    private(set) var megapixels = 0.0

    /// The sizes that the decoder's normal effort begins with: up to a megapixel for regions of bars and large symbols,
    /// up to four for zbar.
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

    /// From the file to the codes, as the library's users call it.
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

    /// The halves of a picture down to the one in which a symbol is hardly readable, as the decoder makes them.
    private static func pyramid(_ image: LumaImage) -> LumaImage {
        var image = image
        while min(image.width, image.height) >= 192 { image = image.halved() }
        return image
    }

    /// Straightening and reading of the first QR symbol that can be read; whether there is one.
    private mutating func addQRStages(_ image: LumaImage, _ locator: QRLocator) -> Bool {
        for candidate in locator.candidates {
            let read = {
                try QRReader().read(
                    image, finderCorners: candidate.corners, size: candidate.size, isInverted: candidate.isInverted)
            }
            guard let reading = try? stage("read_qr", read) else { continue }
            _ = try? stage("straighten_qr") {
                try QRSampler.sample(
                    image, corners: reading.corners, version: reading.message.version, isInverted: reading.isInverted)
            }
            return true
        }
        return false
    }

    /// Straightening of the largest region of bars, and the fitting of an EAN to it.
    private mutating func addBarStages(_ image: LumaImage, _ region: LinearRegion) {
        guard let strip = stage("straighten_bars", { LinearStrip(image, region: region) }) else { return }
        let profiles = ([strip.profile(from: 0, to: 1)] + strip.bands(5)).map(\.values)
        stage("read_ean") { EANReader().bestAnswer(profiles, layout: .ean13) }
    }
}
