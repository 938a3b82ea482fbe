internal import BarcodeCore
internal import Glibc

/// The properties of a page from `pdfinfo` and `pdfimages`, before it is rendered.
struct PDFPage {
    /// Points in an inch.
    static let pointsPerInch = 72.0

    /// The number of pages of the document.
    var pages: Int
    /// The size of the page as shown, cropped and rotated, in points.
    var width: Double
    var height: Double
    /// Indicates whether the shown page is rotated by 90 or 270 degrees from the stored one.
    let isTurned: Bool
    /// The size in pixels, as shown, of the one scanned image that fills the page; `nil` for any other page.
    var scan: PixelSize?

    /// Returns the size of the page in pixels at a resolution in pixels per inch.
    func size(_ resolution: Double) -> PixelSize {
        func pixels(_ points: Double) -> Int {
            // Rounds like pdftoppm, and limits the size.
            Int(max(1, min(1e9, (points * resolution / Self.pointsPerInch - 1e-6).rounded(.up))))
        }
        return PixelSize(width: pixels(width), height: pixels(height))
    }

    /// Queries page `number` of an open document.
    init(_ number: Int, of document: CInt, timeout: Duration) throws(DecodeError) {
        let lines = try Self.information(["-f", "\(number)", "-l", "\(number)"], document, timeout, page: number)
        try self.init(number, information: lines)
        var program = try DocumentProgram(
            ["pdfimages", "-list", "-f", "\(number)", "-l", "\(number)", DocumentProgram.document],
            document: document, timeout: timeout)
        scan = scan(in: try program.text(atMost: 4096))
    }

    /// Parses the output of `pdfinfo` about page `number`.
    init(_ number: Int, information lines: [Substring]) throws(DecodeError) {
        let pages = try Self.pages(in: lines)
        self.pages = pages
        guard pages >= 1 else { throw .broken("a PDF", "it has no pages") }
        guard number <= pages else { throw .noSuchPage(number, of: pages) }
        var sides: [Double] = []
        var turn = 0
        for line in lines {
            let words = line.split(separator: " ")
            guard words.count >= 4, words[0] == "Page", Int(words[1]) == number else { continue }
            if words[2] == "size:" { sides = words[3...].prefix(3).compactMap { Double($0) } }
            if words[2] == "rot:" { turn = Int(words[3]) ?? 0 }
        }
        guard sides.count == 2, sides[0] > 0, sides[1] > 0, sides.allSatisfy(\.isFinite) else {
            throw .broken("a PDF", "page \(number) has no size")
        }
        isTurned = turn % 180 != 0
        (width, height) = isTurned ? (sides[1], sides[0]) : (sides[0], sides[1])
    }

    /// Parses the output of `pdfimages -list`: returns the size of the one scanned image that fills the page; `nil`
    /// for any other page.
    func scan(in list: String) -> PixelSize? {
        // The columns below a line of dashes: page num type width height color comp bpc enc interp object ID x-ppi
        // y-ppi size ratio.
        let rows = list.split(separator: "\n").dropFirst(2).map { $0.split(separator: " ") }
        guard rows.count == 1, let row = rows.first, row.count >= 14, row[2] == "image" || row[2] == "stencil",
            let columns = Int(row[3]), let lines = Int(row[4]), let resolution = Double(row[12]), columns > 0, lines > 0
        else { return nil }
        let size = isTurned ? PixelSize(width: lines, height: columns) : PixelSize(width: columns, height: lines)
        let across = Double(size.width) * Self.pointsPerInch / width
        let down = Double(size.height) * Self.pointsPerInch / height
        // It fills the page with square pixels if its resolution matches that measured by pdfimages.
        let isWhole = abs(across - resolution) <= max(1, across / 100)
        return isWhole && abs(across - down) <= across / 50 ? size : nil
    }

    /// Returns the number of pages of an open document.
    static func pages(of document: CInt, timeout: Duration) throws(DecodeError) -> Int {
        try pages(in: information([], document, timeout, page: 1))
    }

    private static func pages(in lines: [Substring]) throws(DecodeError) -> Int {
        // Titles and the like come before the page count and may look like it, so the last match counts.
        guard let last = lines.last(where: { $0.hasPrefix("Pages:") }),
            let pages = last.split(separator: " ").last.flatMap({ Int($0) })
        else { throw .broken("a PDF", "it has no pages") }
        return pages
    }

    /// Runs `pdfinfo` and returns its output lines.
    private static func information(
        _ arguments: [String], _ document: CInt, _ timeout: Duration, page: Int
    ) throws(DecodeError) -> [Substring] {
        var program = try DocumentProgram(
            ["pdfinfo"] + arguments + [DocumentProgram.document], document: document, timeout: timeout)
        let lines = try program.text(atMost: 64 << 10).split(separator: "\n")
        guard !lines.isEmpty || !program.isOutOfMemory else {
            throw DecodeError(.tooLarge, "is a PDF that needs more memory to read than is available")
        }
        guard !lines.isEmpty else { throw failure(program.complaint, page: page) }
        return lines
    }

    /// Returns the error for a document on which `pdfinfo` fails.
    private static func failure(_ complaint: String, page: Int) -> DecodeError {
        if complaint.contains("Incorrect password") {
            return DecodeError(
                .encrypted, "is a PDF with a password; remove it with `qpdf --decrypt --password=... in.pdf out.pdf`")
        }
        // The message is "the first page (50) can not be after the last page (10)".
        if complaint.contains("Wrong page range"),
            let pages = complaint.split(separator: "(").last.flatMap({ Int($0.prefix(while: \.isNumber)) })
        {
            return .noSuchPage(page, of: pages)
        }
        return .broken("a PDF", complaint)
    }
}
