import BarcodeCore
import DecodeReports
import ImageCodecs
import ProgramSupport

/// A color image with its symbols outlined and labeled.
struct AnnotatedPicture {
    let width: Int
    let height: Int
    /// The RGB pixels, three bytes each, rows from the top.
    private(set) var pixels: [UInt8]

    /// Colors that are distinct on gray, assigned to the symbols in turn.
    private static let colors: [(UInt8, UInt8, UInt8)] = [
        (230, 30, 60), (20, 120, 230), (0, 150, 80), (200, 90, 0), (150, 40, 190),
    ]

    /// An outline with an optional label.
    struct Outline {
        var corners: Quadrilateral
        var label: String?
        /// The index of the color, which wraps around.
        var color: Int
    }

    /// Creates an image with each symbol outlined, numbered and labeled.
    init(_ image: LumaImage, symbols: [Symbol]) {
        self.init(
            image,
            outlines: symbols.enumerated().map { index, symbol in
                Outline(corners: symbol.corners, label: "\(index + 1) \(symbol.symbology)", color: index)
            })
    }

    /// Creates an image with given outlines.
    init(_ image: LumaImage, outlines: [Outline]) {
        width = image.width
        height = image.height
        let width = width
        let height = height
        pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { target, count in
            image.withUnsafePixels { source in
                for y in 0..<height {
                    for x in 0..<width {
                        let luma = source[y * image.bytesPerRow + x]
                        let place = (y * width + x) * 3
                        target[place] = luma
                        target[place + 1] = luma
                        target[place + 2] = luma
                    }
                }
            }
            count = width * height * 3
        }
        // About two pixels when the image is shown in a window.
        let thickness = max(2, max(width, height) / 400)
        for outline in outlines {
            let color = Self.colors[outline.color % Self.colors.count]
            let corners = outline.corners.points
            for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
                drawLine(from: start, to: end, thickness: thickness, color: color)
            }
            guard let label = outline.label else { continue }
            // Mark the top left of the upright symbol, to show its orientation.
            fill(around: outline.corners.topLeft, radius: 2 * thickness, color: color)
            drawLabel(label, at: outline.corners.boundingBox, scale: max(1, thickness), color: color)
        }
    }

    /// The text chunk by which a PNG of this program is told from those of the user, which are not replaced.
    static let mark = "Software\0decode-image"

    /// The image as a PNG with ``mark``.
    func png() throws(DecodeError) -> [UInt8] {
        try PNGWriter.encode(rgb: pixels, width: width, height: height, software: "decode-image")
    }

    /// Writes the image as a PNG.
    ///
    /// - Throws: ``DecodeError`` with the name of the file.
    func write(to path: PictureName) throws(DecodeError) {
        let bytes = try png()
        do throws(OutputFile.Fault) {
            try OutputFile.write(bytes, to: path.bytes, replacingOnly: Self.mark)
        } catch {
            throw DecodeError(
                .unreadable, "was read, but its annotated copy \(path.display) cannot be written: \(error)")
        }
    }

    private mutating func fill(
        x left: Int, y top: Int, width boxWidth: Int, height boxHeight: Int, color: (UInt8, UInt8, UInt8)
    ) {
        for y in max(0, top)..<max(0, min(height, top + boxHeight), max(0, top)) {
            for x in max(0, left)..<max(0, min(width, left + boxWidth), max(0, left)) {
                let place = (y * width + x) * 3
                pixels[place] = color.0
                pixels[place + 1] = color.1
                pixels[place + 2] = color.2
            }
        }
    }

    private mutating func fill(around point: Point, radius: Int, color: (UInt8, UInt8, UInt8)) {
        guard isNearPicture(point) else { return }
        fill(x: Int(point.x) - radius, y: Int(point.y) - radius, width: 2 * radius, height: 2 * radius, color: color)
    }

    private mutating func drawLine(
        from start: Point, to end: Point, thickness: Int, color: (UInt8, UInt8, UInt8)
    ) {
        guard isNearPicture(start), isNearPicture(end) else { return }
        let steps = max(1, Int(max(abs(end.x - start.x), abs(end.y - start.y)).rounded(.up)))
        for step in 0...steps {
            let part = Double(step) / Double(steps)
            let x = start.x + (end.x - start.x) * part
            let y = start.y + (end.y - start.y) * part
            fill(
                x: Int(x) - thickness / 2, y: Int(y) - thickness / 2, width: thickness, height: thickness,
                color: color)
        }
    }

    /// Indicates whether a point is close enough to draw to; a wild corner would cause an extremely long line.
    private func isNearPicture(_ point: Point) -> Bool {
        point.x.isFinite && point.y.isFinite && abs(point.x) < 4 * Double(width) && abs(point.y) < 4 * Double(height)
    }

    /// Draws the label above the box, or below its upper edge if there is no room above.
    private mutating func drawLabel(_ text: String, at box: Rectangle, scale: Int, color: (UInt8, UInt8, UInt8)) {
        guard isNearPicture(Point(x: box.x, y: box.y)) else { return }
        let glyphs = text.map(LabelFont.glyph)
        let labelWidth = (glyphs.count * LabelFont.advance + 1) * scale
        let labelHeight = (LabelFont.height + 2) * scale
        let left = max(0, min(Int(box.x), width - labelWidth))
        let above = Int(box.y) - labelHeight - scale
        let top = above >= 0 ? above : max(0, Int(box.y) + scale)
        fill(x: left, y: top, width: labelWidth, height: labelHeight, color: color)
        for (place, glyph) in glyphs.enumerated() {
            for (row, bits) in glyph.enumerated() {
                for column in 0..<LabelFont.width where bits & (1 << (LabelFont.width - 1 - column)) != 0 {
                    fill(
                        x: left + (1 + place * LabelFont.advance + column) * scale, y: top + (1 + row) * scale,
                        width: scale, height: scale, color: (255, 255, 255))
                }
            }
        }
    }
}
