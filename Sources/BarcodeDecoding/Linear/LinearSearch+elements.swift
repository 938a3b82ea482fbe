internal import BarcodeCore
internal import LinearReader
internal import SymbolLocator

extension LinearSearch {
    /// Layers of a strip in which the rows of a stacked symbol are looked for: three for each of eleven rows.
    private static let layers = 33

    /// What is clear in a strip, EAN and UPC too; corners in pixels of the picture that it was made of.
    func readClear(_ strip: LinearStrip, _ profiles: [LinearProfile]) -> [Found] {
        linear.readClear(profiles.map(\.values)).compactMap { answer in
            guard Symbology.retail.contains(answer.format) else { return found(answer, strip, strip.rowRange) }
            guard let (format, bytes) = EANStripReader.named(answer.format, answer.bytes, formats: formats) else {
                return nil
            }
            var found = found(answer, strip, strip.rowRange)
            (found.reading.format, found.reading.bytes) = (format, bytes)
            return found
        }
    }

    /// Our own readings of what is not EAN or UPC, corners in pixels of the picture that the strip was made of.
    func readLinear(_ image: LumaImage, _ strip: LinearStrip) -> [Found] {
        let found = readLinear(strip.withPaperOutside(image))
        guard found.isEmpty, LinearReader.hasNarrowBars(strip.profile(from: 0, to: 1).values) else { return found }
        return readLinear(strip.finer(image).withPaperOutside(image))
    }

    private func readLinear(_ strip: LinearStrip) -> [Found] {
        let answers = linear.read(([strip.profile(from: 0, to: 1)] + strip.bands(Self.bands)).map(\.values))
        if !answers.isEmpty { return answers.map { found($0, strip, strip.rowRange) } }
        return linear.readStacked(strip.layers(Self.layers).map(\.values)).map { found($0, strip, strip.allRows) }
    }

    private func found(_ answer: LinearReader.Answer, _ strip: LinearStrip, _ rows: Range<Int>) -> Found {
        let corners = strip.corners(answer.range, isReversed: answer.isReversed, rows: rows)
        return Found(
            reading: Reading(
                format: answer.format, bytes: answer.bytes, corners: corners, orientation: corners.orientation,
                quality: answer.votes, isGS1: answer.isGS1, isAIM: answer.isAIM))
    }
}
