internal import BarcodeCore

extension LinearSearch {
    /// The number of layers of a strip in which the rows of a stacked symbol are searched: three for each of eleven
    /// rows.
    private static let layers = 33
    /// The number of rows of a field in which a part of a DataBar is searched.
    private static let glances = 6

    /// Returns the clear symbols in a strip, EAN and UPC too; corners are in pixels of the strip's image.
    func readClear(_ strip: LinearStrip, _ lines: inout LinearReader.Lines) -> [Found] {
        linear.readClear(&lines).compactMap { named($0, strip, strip.rowRange) }
    }

    /// Converts an answer to the requested symbology, EAN and UPC too; `nil` if it was not requested.
    ///
    /// - Parameter layers: the means of the rows that show the symbol; `nil` for those of all that show the bars.
    private func named(
        _ answer: LinearReader.Answer, _ strip: LinearStrip, _ rows: Range<Int>,
        shownBy layers: ArraySlice<LinearProfile>? = nil
    ) -> Found? {
        guard Symbology.retail.contains(answer.symbology) else {
            return found(answer, strip, rows, shownBy: layers)
        }
        guard let (symbology, bytes) = EANStripReader.named(answer.symbology, answer.bytes, symbologies: symbologies)
        else { return nil }
        var answer = answer
        (answer.symbology, answer.bytes) = (symbology, bytes)
        return found(answer, strip, rows)
    }

    /// Returns the messages on which enough rows of a strip agree; corners are in pixels of its image.
    func readRows(_ strip: LinearStrip, in image: LumaImage, count: Int) -> [Found] {
        let strip = strip.withPaperOutside(image)
        let layers = strip.layers(count)
        let answers = linear.readRows(
            layers.map(\.values), seen: strip.columnsInside(image), isBackward: strip.region.angle < -.pi / 4)
        return answers.compactMap { answer in
            // Count rows of pixels, as other readers do.
            var counted = answer
            counted.votes = max(1, answer.votes * strip.allRows.count / layers.count)
            counted.profiles = nil
            let shown = answer.profiles.map { layers[$0] }
            guard var found = named(counted, strip, strip.allRows, shownBy: shown) else { return nil }
            found.reading.corners = strip.grownCorners(answer.range, isReversed: answer.isReversed, in: image)
            found.reading.orientation = found.reading.corners.orientation
            return found
        }
    }

    /// Returns the symbols other than EAN and UPC in a strip; corners are in pixels of the strip's image.
    func readLinear(_ strip: LinearStrip, _ lines: inout LinearReader.Lines) -> [Found] {
        linear.read(&lines).compactMap { found($0, strip, strip.rowRange) }
    }

    /// Returns the profiles that vote: the mean of all rows that show the bars, then the bands.
    static func lines(_ strip: LinearStrip) -> LinearReader.Lines {
        // Bars side by side are read from left to right, bars above each other downwards.
        LinearReader.Lines(
            ([strip.profile(from: 0, to: 1)] + strip.bands(bands)).map(\.values),
            isBackward: strip.region.angle < -.pi / 4)
    }

    /// Returns the stacked DataBar symbols in a strip; corners are in pixels of the strip's image.
    func readStacked(_ strip: LinearStrip) -> [Found] {
        linear.readStacked(strip.layers(Self.layers).map(\.values)).compactMap { found($0, strip, strip.allRows) }
    }

    /// Returns the symbology of a DataBar of which some rows of a strip show a part; `nil` if there is none.
    func symbologyOfPart(_ strip: LinearStrip) -> Symbology? {
        linear.symbologyOfPart(strip.layers(Self.glances).map(\.values))
    }

    /// Returns the stacked DataBar symbols in a region that extends beyond them, in pixels of the full image.
    func readStack(_ place: SampledRegion) -> [Found] {
        for strip in [place.strip, place.strip.finer(place.image)] {
            let framed = strip.withPaperOutside(place.image)
            let layers = framed.layers(Self.layers)
            let rows = framed.allRows.count
            let found = linear.readStacked(layers.map(\.values), isStack: true).compactMap { answer -> Found? in
                guard let profiles = answer.profiles else { return nil }
                return self.found(
                    answer, framed,
                    profiles.lowerBound * rows / layers.count..<(profiles.upperBound + 1) * rows / layers.count)
            }
            guard found.isEmpty else { return found.map { $0.scaled(by: place.scale) } }
        }
        return []
    }

    /// Returns the stacked DataBar symbols in a region whose mean profile shows no bars, in pixels of the full
    /// image.
    func readRows(_ place: SampledRegion) -> [Found] {
        readStacked(place.strip.withPaperOutside(place.image)).map { $0.scaled(by: place.scale) }
    }

    /// The fewest digits of an ITF without quiet zones: of 2,000 drawn ones that were cut off on both sides, two
    /// were read as six digits and one as more.
    private static let fewestDigitsAcross = 8

    /// Creates the result for an answer; `nil` if its symbology or variant was not requested.
    private func found(
        _ answer: LinearReader.Answer, _ strip: LinearStrip, _ rows: Range<Int>,
        shownBy layers: ArraySlice<LinearProfile>? = nil
    ) -> Found? {
        // Any part of an ITF is a valid ITF: it must end at paper, not at one edge of the image or at that of an
        // object in front of it.
        func showsPaper() -> Bool {
            guard let layers else { return strip.showsPaper(beside: answer.range) }
            return layers.allSatisfy { strip.showsPaper(beside: answer.range, in: $0) }
        }
        guard
            answer.symbology != .itf || showsPaper()
                || answer.bytes.count >= Self.fewestDigitsAcross && strip.reachesAcrossImage(answer.range)
        else { return nil }
        let corners = strip.corners(answer.range, isReversed: answer.isReversed, rows: rows)
        var reading = Reading(
            symbology: answer.symbology, bytes: answer.bytes, corners: corners, orientation: corners.orientation,
            quality: answer.votes, isGS1: answer.isGS1, isAIM: answer.isAIM, modifier: answer.modifier)
        reading.isReaderProgramming = answer.isReaderProgramming
        reading.linkage = answer.linkage
        reading.modulesAcross = answer.modules
        return LinearForm.named(reading, symbologies: symbologies).map(Found.init(reading:))
    }
}
