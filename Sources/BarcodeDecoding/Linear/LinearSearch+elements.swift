internal import BarcodeCore
internal import LinearReader
internal import SymbolLocator

extension LinearSearch {
    /// Layers of a strip in which the rows of a stacked symbol are looked for: three for each of eleven rows.
    private static let layers = 33

    /// Our own readings of what is not EAN or UPC, corners in pixels of the picture that the strip was made of.
    func readLinear(_ image: LumaImage, _ strip: LinearStrip) -> [Found] {
        let found = readLinear(strip.withPaperOutside(image))
        guard found.isEmpty, LinearReader.hasNarrowBars(strip.profile(from: 0, to: 1).values) else { return found }
        return readLinear(strip.finer(image).withPaperOutside(image))
    }

    private func readLinear(_ strip: LinearStrip) -> [Found] {
        var answers = linear.read(([strip.profile(from: 0, to: 1)] + strip.bands(Self.bands)).map(\.values))
        let isStacked = answers.isEmpty
        if isStacked { answers = linear.readStacked(strip.layers(Self.layers).map(\.values)) }
        return answers.map { answer in
            let corners = strip.corners(
                answer.range, isReversed: answer.isReversed, rows: isStacked ? strip.allRows : strip.rowRange)
            return Found(
                reading: Reading(
                    symbology: answer.symbology, bytes: answer.bytes, corners: corners,
                    orientation: corners.orientation,
                    quality: answer.votes, isGS1: answer.isGS1, isAIM: answer.isAIM))
        }
    }
}
