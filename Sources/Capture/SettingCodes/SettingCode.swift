internal import CServices
internal import Glibc

/// A code that sets a gun: Code 128, drawn by zint.
public struct SettingCode: ~Copyable {
    private let zint: UnsafePointer<qz_zint>
    private let symbol: UnsafeMutablePointer<zint_symbol>
    private let caption: String

    /// The code of a setting.
    ///
    /// - Parameter text: the text of the setting; nil for one without.
    /// - Throws: ``SettingFault`` where that is none for it, or libzint is not installed.
    public init(_ setting: Setting, text: String?) throws(SettingFault) {
        try self.init(setting.content(text), beginsWithFNC3: setting.beginsWithFNC3)
    }

    /// The code of a content.
    ///
    /// - Parameter beginsWithFNC3: whether the function character 3 stands before it.
    /// - Throws: ``SettingFault`` where it cannot be written as Code 128, or libzint is not installed.
    public init(_ content: [UInt8], beginsWithFNC3: Bool = false) throws(SettingFault) {
        guard let zint = qz_zint_load() else {
            throw SettingFault("the code cannot be drawn without libzint: apt install zint")
        }
        guard let symbol = zint.pointee.ZBarcode_Create() else { throw SettingFault("there is no memory for a code") }
        let caption = String(decoding: content.map { (0x20...0x7E).contains($0) ? $0 : 0x20 }, as: UTF8.self)
        symbol.pointee.symbology = BARCODE_CODE128
        symbol.pointee.height = 50
        symbol.pointee.scale = 2
        // The quiet zone, which printers and pages would not leave by themselves.
        symbol.pointee.whitespace_width = 12
        symbol.pointee.whitespace_height = 6
        if beginsWithFNC3 { symbol.pointee.output_options |= READER_INIT }
        // It takes the bytes as they are: a symbol begins with DATA_MODE.
        if let fault = Self.fault(zint.pointee.ZBarcode_Encode(symbol, content, Int32(content.count)), zint, symbol) {
            zint.pointee.ZBarcode_Delete(symbol)
            throw fault
        }
        self.zint = zint
        self.symbol = symbol
        self.caption = caption
    }

    deinit { zint.pointee.ZBarcode_Delete(symbol) }

    /// Writes it as a picture, whose kind follows from the name: `.png` or `.svg`.
    ///
    /// - Throws: ``SettingFault`` where the file cannot be written.
    public func write(to path: String) throws(SettingFault) {
        let name = Array(path.utf8CString)
        guard name.count <= Int(QZ_ZINT_FILE_BYTES) else {
            throw SettingFault("the name of the file is longer than 255 bytes")
        }
        qz_zint_file(zint, symbol).update(from: name, count: name.count)
        try check(zint.pointee.ZBarcode_Print(symbol, 0))
    }

    /// A page of A4 with the code in its middle and what it holds below.
    ///
    /// - Throws: ``SettingFault`` where there is no memory for it.
    public func pdf() throws(SettingFault) -> [UInt8] {
        let (bars, width) = try drawing()
        return SettingPage.pdf(bars: bars, width: width, caption: caption)
    }

    /// A picture of SVG with what it holds below.
    ///
    /// - Throws: ``SettingFault`` where there is no memory for it.
    public func svg() throws(SettingFault) -> [UInt8] {
        let (bars, width) = try drawing()
        return SettingPicture.svg(bars: bars, width: width, caption: caption)
    }

    /// A picture with what it holds below: three bytes a pixel, rows from the top without a gap.
    ///
    /// - Throws: ``SettingFault`` where there is no memory for it.
    public func pixels() throws(SettingFault) -> (rgb: [UInt8], width: Int, height: Int) {
        try check(zint.pointee.ZBarcode_Buffer(symbol, 0))
        var (width, height): (Int32, Int32) = (0, 0)
        guard let bitmap = qz_zint_bitmap(zint, symbol, &width, &height), width > 0, height > 0 else {
            throw SettingFault("there is no memory for a code")
        }
        let count = 3 * Int(width) * Int(height)
        return (Array(UnsafeBufferPointer(start: bitmap, count: count)), Int(width), Int(height))
    }

    /// The bars, and how wide all is with its quiet zone.
    private func drawing() throws(SettingFault) -> (bars: [Rectangle], width: Int) {
        try check(zint.pointee.ZBarcode_Buffer_Vector(symbol, 0))
        guard let vector = qz_zint_vector(zint, symbol) else { throw SettingFault("there is no memory for a code") }
        var bars: [Rectangle] = []
        var next = vector.pointee.rectangles
        while let bar = next {
            bars.append(
                Rectangle(
                    x: Int(bar.pointee.x.rounded()), y: 0, width: Int(bar.pointee.width.rounded()),
                    height: Int(bar.pointee.height.rounded())))
            next = bar.pointee.next
        }
        return (bars, Int(vector.pointee.width.rounded()))
    }

    private func check(_ status: Int32) throws(SettingFault) {
        if let fault = Self.fault(status, zint, symbol) { throw fault }
    }

    private static func fault(
        _ status: Int32, _ zint: UnsafePointer<qz_zint>, _ symbol: UnsafeMutablePointer<zint_symbol>
    ) -> SettingFault? {
        // From here on it is an error; below are warnings.
        guard status >= ZINT_ERROR else { return nil }
        let bytes = UnsafeRawBufferPointer(start: qz_zint_error(zint, symbol), count: Int(QZ_ZINT_ERROR_BYTES))
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        return SettingFault("the code cannot be made: \(text)")
    }
}

/// A bar, in modules' units as they were drawn.
struct Rectangle: Sendable, Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
}

/// A page of PDF with a code (ISO 32000-1).
enum SettingPage {
    /// The page, of A4 (595 x 842 points); the code is as wide as fits with a margin, and at most two points a unit.
    static func pdf(bars: [Rectangle], width: Int, caption: String) -> [UInt8] {
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

    /// Hundredths of a point as a number.
    private static func points(_ hundredths: Int) -> String {
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func escaped(_ text: String) -> String {
        String(text.flatMap { ["(", ")", "\\"].contains($0) ? ["\\", $0] : [$0] })
    }
}
