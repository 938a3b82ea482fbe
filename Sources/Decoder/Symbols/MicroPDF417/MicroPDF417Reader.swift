public import BarcodeCore
internal import Glibc

/// Reads a MicroPDF417 symbol whose left side was found in an image.
///
/// The row address patterns there number the rows and leave few possible sizes. Those at the right tell the number
/// of columns and the end of the rows. The work is bounded, and deterministic for an image.
public struct MicroPDF417Reader: Sendable {
    /// The number of rows that lines may cross before they are placed again.
    private static let greatestDrift = 0.6
    /// The number of lines per row.
    private static let linesPerRow = 6.0
    private static let maximumLines = 280.0
    /// The changes of the module size from one module to the next that are tried, as a share: none, and those of a symbol
    /// that is tilted to one side or to the other.
    private static let growths = [0, -0.005, 0.005, -0.01, 0.01]
    /// The margin in modules along the side, for slanted lines that show only part of it.
    static let margin = 12.0

    /// Creates a reader.
    public init() {}

    /// Reads the symbol beside a side.
    ///
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that progressed furthest; `noFinderPattern` if no row
    ///   address patterns are beside it.
    public func read(_ image: LumaImage, side: PDF417Side) throws(MatrixDecodeFailure) -> MicroPDF417Reading {
        let read = try read(image, side: side, candidates: MicroPDF417Size.all, margin: Self.margin) {
            (codewords, confidences, size) throws(MatrixDecodeFailure) in
            try MicroPDF417Decoder.decode(codewords, confidences: confidences, size: size)
        }
        return MicroPDF417Reading(
            message: read.message, corners: read.corners, isInverted: side.isInverted, isMirrored: read.isMirrored)
    }

    /// A symbol decoded beside a side: its message and its outline.
    struct SideReading<Message> {
        var message: Message
        var corners: Quadrilateral
        var isMirrored: Bool
    }

    /// Decodes the codewords of a size, row by row, each with its confidence.
    typealias Decode<Message> =
        (_ codewords: [Int], _ confidences: [Float], _ size: MicroPDF417Size) throws(MatrixDecodeFailure) -> Message

    /// Reads a symbol of one of several sizes beside a side that has the row address patterns of these sizes.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - side: the side.
    ///   - candidates: the possible sizes.
    ///   - margin: the margin in modules along the side that may belong to the symbol.
    ///   - decode: decodes the codewords of a size.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that progressed furthest.
    func read<Message>(
        _ image: LumaImage, side: PDF417Side, candidates: [MicroPDF417Size], margin: Double, decode: Decode<Message>
    ) throws(MatrixDecodeFailure) -> SideReading<Message> {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image),
                let patterns = MicroPDF417RowPatterns(pixels, side, candidates: candidates, margin: margin)
            else {
                throw MatrixDecodeFailure(.noFinderPattern, "there are no row address patterns beside it")
            }
            var farthest = MatrixDecodeFailure(.formatUnreadable, "the row address patterns match no size")
            for growth in Self.growths {
                for size in patterns.sizes {
                    do throws(MatrixDecodeFailure) {
                        return try read(pixels, side, patterns, size, growth, decode)
                    } catch {
                        if error.rank > farthest.rank { farthest = error }
                    }
                }
            }
            throw farthest
        }
    }

    private func read<Message>(
        _ pixels: PixelSampler, _ side: PDF417Side, _ patterns: MicroPDF417RowPatterns, _ size: MicroPDF417Size,
        _ growth: Double, _ decode: Decode<Message>
    ) throws(MatrixDecodeFailure) -> SideReading<Message> {
        var farthest = MatrixDecodeFailure(.formatUnreadable, "there are no row address patterns on the opposite side")
        guard var mesh = mesh(pixels, side, patterns, size, growth, side.direction), let drift = mesh.drift(size)
        else { throw farthest }
        if abs(drift) > Self.greatestDrift {
            // The rows at the right differ from those at the left: rotate the lines.
            let angle = atan2(-drift / patterns.rows.slope, mesh.length) * 180 / .pi
            if let straight = self.mesh(pixels, side, patterns, size, growth, side.direction.turned(degrees: angle)),
                straight.drift(size) != nil
            {
                mesh = straight
            }
        }
        for templates in [PDF417Templates.middle, PDF417Templates.sharp] + PDF417Templates.all.suffix(1) {
            guard let (matches, corners) = mesh.codewords(size, templates) else { break }
            do throws(MatrixDecodeFailure) {
                let message = try decode(matches.map(\.value), matches.map(\.confidence), size)
                return SideReading(message: message, corners: corners, isMirrored: patterns.rows.slope < 0)
            } catch {
                if error.rank > farthest.rank { farthest = error }
            }
        }
        throw farthest
    }

    /// Places lines along the rows and follows the parts of the rows on them.
    private func mesh(
        _ pixels: PixelSampler, _ side: PDF417Side, _ patterns: MicroPDF417RowPatterns, _ size: MicroPDF417Size,
        _ growth: Double, _ direction: Point
    ) -> MicroPDF417Mesh? {
        let count = Int(min(Self.maximumLines, Self.linesPerRow * Double(size.rows)))
        var lines: [PDF417Lines.Line] = []
        var rows: [Double] = []
        for index in 0..<count {
            let row = Double(size.first) + (Double(index) + 0.5) / Double(count) * Double(size.rows)
            guard let origin = patterns.rows.place(row).map(side.position) else { continue }
            lines.append(.init(origin: origin, direction: direction, start: 0))
            rows.append(row)
        }
        let width = Double(size.parts.reduce(0) { $0 + $1.width } + 2) * side.module
        let before = size.partsBefore.reduce(0) { $0 + $1.width + RowAddressPatterns.width }
        guard rows.count >= 6,
            let field = PDF417Lines(
                pixels, lines, range: -Double(2 + before) * side.module...1.25 * width, module: side.module,
                isInverted: side.isInverted)
        else { return nil }
        return MicroPDF417Mesh(field, size: size, rows: rows, growth: growth)
    }
}
