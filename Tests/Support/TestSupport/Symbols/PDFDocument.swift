internal import Symbols

/// A PDF of drawn pages, written byte by byte without another program.
package struct PDFDocument {
    /// A page with its size in points, and its content as PDF operators.
    package struct Page {
        package var width: Int
        package var height: Int
        /// The rotation for display, in degrees.
        package var rotation = 0
        package var content = ""
        /// A gray picture that fills the page, as a scanner creates it, with one pixel per point.
        package var scan: [UInt8]?

        package init(width: Int = 216, height: Int = 216, rotation: Int = 0, content: String = "") {
            self.width = width
            self.height = height
            self.rotation = rotation
            self.content = content
        }

        /// Creates a page that is a single picture: a QR code with three pixels per module, and white rows below it.
        package static func scan(_ text: String, rowsBelow: Int = 0, rotation: Int = 0) throws -> Page {
            let grid = try QREncoder.encode([.bytes(Array(text.utf8))], version: 2, level: .medium)
            let side = 3 * (grid.width + 8)
            let height = side + rowsBelow
            var page = Page(
                width: side, height: height, rotation: rotation, content: "\(side) 0 0 \(height) 0 0 cm /I Do")
            page.scan = (0..<side * height).map { index in
                let (x, y) = (index % side / 3 - 4, index / side / 3 - 4)
                let isInside = (0..<grid.width).contains(x) && (0..<grid.height).contains(y)
                return isInside && grid[x, y] ? 0 : 255
            }
            return page
        }

        /// Creates a page with a QR code, whose top left corner is at (`x`, `y`) from the top left of the page.
        package static func qr(
            _ text: String, module: Double = 4, x: Double = 40, y: Double = 30, rotation: Int = 0
        ) throws -> Page {
            let grid = try QREncoder.encode([.bytes(Array(text.utf8))], version: 2, level: .medium)
            var page = Page(rotation: rotation)
            for row in 0..<grid.height {
                for column in 0..<grid.width where grid[column, row] {
                    let left = x + Double(column) * module
                    // PDF coordinates start at the bottom.
                    let bottom = Double(page.height) - y - Double(row + 1) * module
                    page.content += "\(left) \(bottom) \(module) \(module) re f\n"
                }
            }
            return page
        }
    }

    package var pages: [Page]

    package init(_ pages: [Page]) {
        self.pages = pages
    }

    /// The pictures of pages as PDF objects, in hexadecimal digits.
    private var pictures: [(index: Int, object: String)] {
        pages.enumerated().compactMap { index, page in
            guard let scan = page.scan else { return nil }
            let digits = scan.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined() + ">"
            let object =
                "<</Type/XObject/Subtype/Image/Width \(page.width)/Height \(page.height)/ColorSpace/DeviceGray"
                + "/BitsPerComponent 8/Filter/ASCIIHexDecode/Length \(digits.utf8.count)>>stream\n\(digits)\nendstream"
            return (index, object)
        }
    }

    package var bytes: [UInt8] {
        let kids = pages.indices.map { "\(3 + 2 * $0) 0 R" }.joined(separator: " ")
        var objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[\(kids)]/Count \(pages.count)>>"]
        let pictures = pictures
        for (index, page) in pages.enumerated() {
            // The objects of pictures follow those of all pages.
            let picture = pictures.firstIndex { $0.index == index }
            let resources = picture.map { "/Resources<</XObject<</I \(3 + 2 * pages.count + $0) 0 R>>>>" } ?? ""
            objects.append(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(page.width) \(page.height)]/Rotate \(page.rotation)"
                    + "/Contents \(4 + 2 * index) 0 R\(resources)>>")
            objects.append("<</Length \(page.content.utf8.count)>>stream\n\(page.content)\nendstream")
        }
        objects += pictures.map(\.object)
        var file = "%PDF-1.4\n"
        var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for (index, object) in objects.enumerated() {
            let offset = String(file.utf8.count)
            table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = file.utf8.count
        file += table + "trailer<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
        return Array(file.utf8)
    }
}
