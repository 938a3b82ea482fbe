internal import BarcodeCore
internal import BarcodeDecoding
internal import ImageCodecs
internal import Symbols

/// Quietzone, called in this process.
final class QuietzoneReader: Reader {
    let name: String
    let namesPlaces = true
    let mostRounds: Int
    private let options: DecodeOptions

    init(effort: DecodeOptions.Effort = .normal) {
        name = effort == .normal ? "quietzone" : "quietzone-\(effort)"
        options = DecodeOptions(effort: effort)
        // This effort takes several times as long as the others, and is not compared closely.
        mostRounds = effort == .thorough ? 1 : .max
    }

    func read(_ picture: WorkPicture) throws -> Answer {
        let processor = Timing.processorTime()
        let start = Timing.now()
        let image = try ImageLoader().load(contentsOf: picture.path).image
        let loaded = Timing.now()
        let symbols = try BarcodeDecoder().decode(image, options: options)
        let end = Timing.now()
        return Answer(
            nanoseconds: end - start, loadNanoseconds: loaded - start,
            processorNanoseconds: Timing.processorTime() - processor,
            symbols: symbols.map { FoundSymbol($0) })
    }
}

/// libzbar, called in this process on the unscaled picture: one scan of each row and column.
///
/// Quietzone's loader loads the picture, so that only the decoding differs.
final class ZBarLibraryReader: Reader {
    let name = "zbar"
    let namesPlaces = true

    func read(_ picture: WorkPicture) throws -> Answer {
        let processor = Timing.processorTime()
        let start = Timing.now()
        let image = try ImageLoader().load(contentsOf: picture.path).image
        let loaded = Timing.now()
        let readings = try ZBarReader().read(image, symbologies: Symbology.standard)
        let end = Timing.now()
        return Answer(
            nanoseconds: end - start, loadNanoseconds: loaded - start,
            processorNanoseconds: Timing.processorTime() - processor,
            symbols: readings.map { FoundSymbol(forms: [$0.bytes], center: PicturePoint($0.corners.center)) })
    }
}

extension FoundSymbol {
    init(_ symbol: Symbol) {
        self.init(forms: [symbol.bytes, Array(symbol.text.utf8)], center: PicturePoint(symbol.corners.center))
    }
}

extension PicturePoint {
    init(_ point: Point) {
        self.init(x: point.x, y: point.y)
    }
}
