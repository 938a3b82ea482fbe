public import BarcodeCore
internal import Glibc

/// Reads a MicroPDF417 symbol of which the left side was seen in a picture.
///
/// The row address patterns there number the rows, which tells the few sizes that it may be of; those at the right, how
/// many columns are between and where the rows end. The work is bounded, and the same for the same picture.
public struct MicroPDF417Reader: Sendable {
    /// Rows that lines may cross before they are laid again.
    private static let greatestDrift = 0.6
    /// Lines of a row.
    private static let linesPerRow = 6.0
    private static let maximumLines = 280.0

    /// A reader.
    public init() {}

    /// Reads the symbol beside a side.
    ///
    /// - Throws: ``MatrixDecodeFailure``: of all attempts the one that came farthest; `noFinderPattern` where the side is
    ///   none of such a symbol.
    public func read(_ image: LumaImage, side: PDF417Side) throws(MatrixDecodeFailure) -> MicroPDF417Reading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image), let survey = MicroPDF417Survey(pixels, side) else {
                throw MatrixDecodeFailure(.noFinderPattern, "no row address patterns are beside it")
            }
            var farthest = MatrixDecodeFailure(.formatUnreadable, "the row address patterns are of no size")
            for size in survey.sizes {
                do throws(MatrixDecodeFailure) {
                    return try read(pixels, side, survey, size)
                } catch {
                    if error.rank > farthest.rank { farthest = error }
                }
            }
            throw farthest
        }
    }

    private func read(
        _ pixels: PixelSampler, _ side: PDF417Side, _ survey: MicroPDF417Survey, _ size: MicroPDF417Size
    ) throws(MatrixDecodeFailure) -> MicroPDF417Reading {
        var farthest = MatrixDecodeFailure(.formatUnreadable, "there are no row address patterns opposite")
        guard var mesh = mesh(pixels, side, survey, size, side.direction), let drift = mesh.drift(size) else {
            throw farthest
        }
        if abs(drift) > Self.greatestDrift {
            // Rows further along the side than where they began.
            let angle = atan2(-drift / survey.rows.slope, mesh.length) * 180 / .pi
            if let straight = self.mesh(pixels, side, survey, size, side.direction.turned(degrees: angle)),
                straight.drift(size) != nil
            {
                mesh = straight
            }
        }
        for templates in [PDF417Templates.middle, PDF417Templates.sharp] + PDF417Templates.all.suffix(1) {
            guard let (matches, corners) = mesh.codewords(size, templates) else { break }
            do throws(MatrixDecodeFailure) {
                let message = try MicroPDF417Decoder.decode(
                    matches.map(\.value), confidences: matches.map(\.confidence), size: size)
                return MicroPDF417Reading(
                    message: message, corners: corners, isInverted: side.isInverted,
                    isMirrored: survey.rows.slope < 0)
            } catch {
                if error.rank > farthest.rank { farthest = error }
            }
        }
        throw farthest
    }

    /// Lays lines along the rows and follows the parts of the rows on them.
    private func mesh(
        _ pixels: PixelSampler, _ side: PDF417Side, _ survey: MicroPDF417Survey, _ size: MicroPDF417Size,
        _ direction: Point
    ) -> MicroPDF417Mesh? {
        let count = Int(min(Self.maximumLines, Self.linesPerRow * Double(size.rows)))
        var lines: [PDF417Lines.Line] = []
        var rows: [Double] = []
        for index in 0..<count {
            let row = Double(size.left) + (Double(index) + 0.5) / Double(count) * Double(size.rows)
            guard let origin = survey.rows.place(row).map(side.position) else { continue }
            lines.append(.init(origin: origin, direction: direction, start: 0))
            rows.append(row)
        }
        let width = Double(size.parts.reduce(0) { $0 + $1.width } + 2) * side.module
        guard rows.count >= 6,
            let field = PDF417Lines(
                pixels, lines, range: -2 * side.module...1.25 * width, module: side.module, isInverted: side.isInverted)
        else { return nil }
        return MicroPDF417Mesh(field, parts: size.parts, rows: rows)
    }
}
