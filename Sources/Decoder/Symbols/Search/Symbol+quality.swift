internal import BarcodeCore

extension Symbol {
    /// The number of rows in which the contrast is sampled, and of samples in a row.
    private static let sampleRows = 16
    private static let samplesOfRow = 32
    /// The fewest samples within the image from which a contrast is given: half of them.
    private static let fewestSamples = sampleRows * samplesOfRow / 2
    /// One in this number of samples is left out at either end of the range of brightness: noise and specks.
    private static let outliers = 50

    /// Returns the symbol with the size of its modules and its contrast, measured at its final corners, and with its
    /// confidence.
    func measured(in image: LumaImage) -> Symbol {
        var symbol = self
        symbol.moduleSize = measuredModuleSize
        symbol.contrast = contrast(in: image)
        symbol.confidence = estimatedConfidence
        return symbol
    }

    private var measuredModuleSize: Double? {
        guard let columns = modules?.columns ?? modulesAcross ?? symbology.traits.retailBars?.modules, columns > 0
        else {
            return nil
        }
        let width =
            (corners.topLeft.distance(to: corners.topRight) + corners.bottomLeft.distance(to: corners.bottomRight)) / 2
        let across = width / Double(columns)
        // The rows of MaxiCode are closer to each other than the modules of a row.
        guard let rows = modules?.rows, rows > 0, symbology != .maxiCode else { return across > 0 ? across : nil }
        let height =
            (corners.topLeft.distance(to: corners.bottomLeft) + corners.topRight.distance(to: corners.bottomRight)) / 2
        let size = min(across, height / Double(rows))
        return size > 0 ? size : nil
    }

    private func contrast(in image: LumaImage) -> Double? {
        var tones = ToneHistogram()
        image.withUnsafePixels { pixels in
            for row in 0..<Self.sampleRows {
                let down = (Double(row) + 0.5) / Double(Self.sampleRows)
                let (left, right) = (
                    corners.topLeft.between(corners.bottomLeft, down),
                    corners.topRight.between(corners.bottomRight, down)
                )
                // Each row starts at a different offset, so that the samples of all rows do not fall on the same bars.
                let start = Double(row * 7 % Self.sampleRows) / Double(Self.sampleRows)
                for column in 0..<Self.samplesOfRow {
                    let point = left.between(right, (Double(column) + start) / Double(Self.samplesOfRow))
                    guard point.isInside(width: image.width, height: image.height) else { continue }
                    tones.add(pixels[Int(point.y) * image.bytesPerRow + Int(point.x)])
                }
            }
        }
        guard tones.total >= Self.fewestSamples else { return nil }
        let outliers = tones.total / Self.outliers
        return Double(tones.tone(ofRank: tones.total - 1 - outliers) - tones.tone(ofRank: outliers)) / 255
    }
}
