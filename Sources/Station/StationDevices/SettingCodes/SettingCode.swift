internal import ImageCodecs

/// A Code 128 symbol that configures a scanner.
public struct SettingCode: Sendable {
    /// A file format for a configuration barcode; the raw value is the file extension.
    public enum Format: String, Sendable, CaseIterable {
        /// A grayscale image of the bars, without the text below them.
        case png
        /// A vector drawing, with the content as text below.
        case svg
        /// An A4 page with the barcode and its content as text below.
        case pdf
    }

    /// The module width in drawing units or pixels.
    private static let module = 4
    /// The quiet zone on each side in modules, which printers and pages would not leave by themselves.
    private static let quietZone = 12
    /// The height of a PNG image and its margin above and below, in pixels.
    private static let (height, margin) = (248, 24)

    private let bars: [Bar]
    private let width: Int
    private let caption: String

    /// Creates the barcode of a setting.
    ///
    /// - Parameter text: the text of the setting; `nil` for a setting without text.
    /// - Throws: ``SettingFault`` if the setting does not take the text.
    public init(_ setting: Setting, text: String?) throws(SettingFault) {
        try self.init(setting.content(text), beginsWithFNC3: setting.beginsWithFNC3)
    }

    /// Creates a barcode with a content.
    ///
    /// - Parameter beginsWithFNC3: whether FNC3 precedes the content.
    /// - Throws: ``SettingFault`` if it is empty or not ASCII.
    public init(_ content: [UInt8], beginsWithFNC3: Bool = false) throws(SettingFault) {
        guard !content.isEmpty, content.allSatisfy({ $0 < 0x80 }) else {
            throw SettingFault("the content of a code must be printable ASCII")
        }
        var bars: [Bar] = []
        var x = Self.quietZone * Self.module
        for (index, width) in Code128Encoder.widths(content, beginsWithFNC3: beginsWithFNC3).enumerated() {
            if index.isMultiple(of: 2) { bars.append(Bar(x: x, width: width * Self.module)) }
            x += width * Self.module
        }
        self.bars = bars
        width = x + Self.quietZone * Self.module
        caption = String(decoding: content.map { (0x20...0x7E).contains($0) ? $0 : 0x20 }, as: UTF8.self)
    }

    /// Returns the barcode as the bytes of a file.
    ///
    /// - Throws: ``SettingFault`` if libpng cannot write the image.
    public func file(_ format: Format) throws(SettingFault) -> [UInt8] {
        switch format {
        case .pdf: return SettingPage.pdf(bars: bars, width: width, caption: caption)
        case .svg: return SettingPicture.svg(bars: bars, width: width, caption: caption)
        case .png:
            let blank = [UInt8](repeating: 255, count: width)
            var row = blank
            for bar in bars { row.replaceSubrange(bar.x..<bar.x + bar.width, with: repeatElement(0, count: bar.width)) }
            let rows = (0..<Self.height).flatMap {
                (Self.margin..<Self.height - Self.margin).contains($0) ? row : blank
            }
            do {
                return try PNGWriter.encode(gray: rows, width: width, height: Self.height)
            } catch {
                throw SettingFault("the picture cannot be made: \(error)")
            }
        }
    }
}

/// A bar in drawing units.
struct Bar: Sendable, Hashable {
    var x: Int
    var width: Int
}

/// Writes a PDF page with a barcode (ISO 32000-1).
enum SettingPage {
    /// Returns an A4 page (595 x 842 points); the barcode fills the width within a margin, with at most two points
    /// per unit.
    static func pdf(bars: [Bar], width: Int, caption: String) -> [UInt8] {
        let unit = max(1, min(200, 49_500 / max(1, width)))
        let left = (59_500 - width * unit) / 2
        var drawing = ""
        for bar in bars {
            drawing +=
                "\(points(left + bar.x * unit)) 600 \(points(bar.width * unit)) 100 re\n"
        }
        drawing += "f\nBT /F1 12 Tf 50 575 Td (\(escaped(caption))) Tj ET\n"
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
                + "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >> >> >>",
            "<< /Length \(drawing.utf8.count) >>\nstream\n\(drawing)endstream",
        ]
        var text = "%PDF-1.4\n"
        var places: [Int] = []
        for (index, object) in objects.enumerated() {
            places.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for place in places {
            let digits = String(place)
            text += String(repeating: "0", count: max(0, 10 - digits.count)) + digits + " 00000 n \n"
        }
        text += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(text.utf8)
    }

    /// Formats hundredths of a point as a number.
    private static func points(_ hundredths: Int) -> String {
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func escaped(_ text: String) -> String {
        String(text.flatMap { ["(", ")", "\\"].contains($0) ? ["\\", $0] : [$0] })
    }
}
