internal import BarcodeCore

extension LinearSearch {
    /// Layers of a strip in which the rows of a stacked symbol are looked for: three for each of eleven rows.
    private static let layers = 33
    /// Rows of a field in which a part of one is looked for.
    private static let glances = 6

    /// What is clear in a strip, EAN and UPC too; corners in pixels of the picture that it was made of.
    func readClear(_ strip: LinearStrip, _ lines: inout LinearReader.Lines) -> [Found] {
        linear.readClear(&lines).compactMap { named($0, strip, strip.rowRange) }
    }

    /// An answer by the symbology that was asked for, EAN and UPC too; `nil` if it was not.
    private func named(_ answer: LinearReader.Answer, _ strip: LinearStrip, _ rows: Range<Int>) -> Found? {
        guard Symbology.retail.contains(answer.symbology) else { return found(answer, strip, rows) }
        guard let (symbology, bytes) = EANStripReader.named(answer.symbology, answer.bytes, symbologies: symbologies)
        else { return nil }
        var answer = answer
        (answer.symbology, answer.bytes) = (symbology, bytes)
        return found(answer, strip, rows)
    }

    /// The messages that enough rows of a strip agree on; corners are in pixels of its picture.
    func readRows(_ strip: LinearStrip, in image: LumaImage, count: Int) -> [Found] {
        let strip = strip.withPaperOutside(image)
        let layers = strip.layers(count)
        let answers = linear.readRows(
            layers.map(\.values), seen: strip.columnsInside(image), isBackward: strip.region.angle < -.pi / 4)
        return answers.compactMap { answer in
            // Rows of pixels, as the lines of other readers are.
            var counted = answer
            counted.votes = max(1, answer.votes * strip.allRows.count / layers.count)
            guard var found = named(counted, strip, strip.allRows) else { return nil }
            found.reading.corners = strip.grownCorners(answer.range, isReversed: answer.isReversed, in: image)
            found.reading.orientation = found.reading.corners.orientation
            return found
        }
    }

    /// Our own readings of what is not EAN or UPC, corners in pixels of the picture that the strip was made of.
    func readLinear(_ strip: LinearStrip, _ lines: inout LinearReader.Lines) -> [Found] {
        linear.read(&lines).compactMap { found($0, strip, strip.rowRange) }
    }

    /// The profiles that vote: the mean of all rows that show the bars, then the bands.
    static func lines(_ strip: LinearStrip) -> LinearReader.Lines {
        // Bars beside each other are read from left to right, bars above each other downwards.
        LinearReader.Lines(
            ([strip.profile(from: 0, to: 1)] + strip.bands(bands)).map(\.values),
            isBackward: strip.region.angle < -.pi / 4)
    }

    /// DataBar symbols of several rows in a strip, corners in pixels of the picture that it was made of.
    func readStacked(_ strip: LinearStrip) -> [Found] {
        linear.readStacked(strip.layers(Self.layers).map(\.values)).compactMap { found($0, strip, strip.allRows) }
    }

    /// The symbology of a DataBar of which some rows of a strip show a part; `nil` for none.
    func symbologyOfPart(_ strip: LinearStrip) -> Symbology? {
        linear.symbologyOfPart(strip.layers(Self.glances).map(\.values))
    }

    /// DataBar symbols of several rows in a place that reaches beyond them, in pixels of the full picture.
    func readStack(_ place: Place) -> [Found] {
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

    /// DataBar symbols of several rows in a place of which no mean shows bars, in pixels of the full picture.
    func readRows(_ place: Place) -> [Found] {
        readStacked(place.strip.withPaperOutside(place.image)).map { $0.scaled(by: place.scale) }
    }

    /// Nil for a form of a symbology that was not asked for.
    private func found(_ answer: LinearReader.Answer, _ strip: LinearStrip, _ rows: Range<Int>) -> Found? {
        // Any part of an ITF is an ITF: it ends where paper is seen, not at the edge of the picture or of what covers it.
        guard answer.symbology != .itf || strip.showsPaper(beside: answer.range) else { return nil }
        let corners = strip.corners(answer.range, isReversed: answer.isReversed, rows: rows)
        var reading = Reading(
            symbology: answer.symbology, bytes: answer.bytes, corners: corners, orientation: corners.orientation,
            quality: answer.votes, isGS1: answer.isGS1, isAIM: answer.isAIM, modifier: answer.modifier)
        reading.linkage = answer.linkage
        return LinearForm.named(reading, symbologies: symbologies).map(Found.init(reading:))
    }
}
