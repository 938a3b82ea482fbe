internal import BarcodeCore
internal import Glibc

/// What `pdfinfo` and `pdfimages` tell of a page before it is rendered.
struct PDFPage {
    /// Points in an inch.
    static let pointsPerInch = 72.0

    /// The pages of the document.
    var pages: Int
    /// The page as it is shown, cropped and turned, in points.
    var width: Double
    var height: Double
    /// Whether that is on its side from how it is stored.
    let isTurned: Bool
    /// The page as one scanned picture: its pixels, as the page shows it; nil where it is more, or less, than that.
    var scan: PixelSize?

    /// Pixels of the page in a resolution.
    func size(_ resolution: Double) -> PixelSize {
        func pixels(_ points: Double) -> Int {
            // As pdftoppm computes it; no page has more than a picture may have.
            Int(max(1, min(1e9, (points * resolution / Self.pointsPerInch - 1e-6).rounded(.up))))
        }
        return PixelSize(width: pixels(width), height: pixels(height))
    }

    /// Asks for page `number` of a document that is open.
    init(_ number: Int, of document: CInt, timeout: Duration) throws(DecodeError) {
        let lines = try Self.information(["-f", "\(number)", "-l", "\(number)"], document, timeout, page: number)
        try self.init(number, information: lines)
        var program = try DocumentProgram(
            ["pdfimages", "-list", "-f", "\(number)", "-l", "\(number)", DocumentProgram.document],
            document: document, timeout: timeout)
        scan = scan(in: try program.text(atMost: 4096))
    }

    /// Reads what `pdfinfo` printed of page `number`.
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

    /// The page as one scanned picture, by what `pdfimages -list` printed of it; nil where it is more, or less, than that.
    func scan(in list: String) -> PixelSize? {
        // page num type width height color comp bpc enc interp object ID x-ppi y-ppi size ratio, below a line of dashes.
        let rows = list.split(separator: "\n").dropFirst(2).map { $0.split(separator: " ") }
        guard rows.count == 1, let row = rows.first, row.count >= 14, row[2] == "image" || row[2] == "stencil",
            let columns = Int(row[3]), let lines = Int(row[4]), let resolution = Double(row[12]), columns > 0, lines > 0
        else { return nil }
        let size = isTurned ? PixelSize(width: lines, height: columns) : PixelSize(width: columns, height: lines)
        let across = Double(size.width) * Self.pointsPerInch / width
        let down = Double(size.height) * Self.pointsPerInch / height
        // It covers the page, in square pixels, as pdfimages measures it where it stands.
        let isWhole = abs(across - resolution) <= max(1, across / 100)
        return isWhole && abs(across - down) <= across / 50 ? size : nil
    }

    /// The pages of a document that is open.
    static func pages(of document: CInt, timeout: Duration) throws(DecodeError) -> Int {
        try pages(in: information([], document, timeout, page: 1))
    }

    private static func pages(in lines: [Substring]) throws(DecodeError) -> Int {
        // Titles and the like stand before what is asked for, and may look like it.
        guard let last = lines.last(where: { $0.hasPrefix("Pages:") }),
            let pages = last.split(separator: " ").last.flatMap({ Int($0) })
        else { throw .broken("a PDF", "it has no pages") }
        return pages
    }

    /// What `pdfinfo` prints.
    private static func information(
        _ arguments: [String], _ document: CInt, _ timeout: Duration, page: Int
    ) throws(DecodeError) -> [Substring] {
        var program = try DocumentProgram(
            ["pdfinfo"] + arguments + [DocumentProgram.document], document: document, timeout: timeout)
        let lines = try program.text(atMost: 64 << 10).split(separator: "\n")
        guard !lines.isEmpty || !program.isOutOfMemory else {
            throw DecodeError(.tooLarge, "is a PDF that takes more memory to be read than there is")
        }
        guard !lines.isEmpty else { throw failure(program.complaint, page: page) }
        return lines
    }

    /// The error for a document that `pdfinfo` says nothing about.
    private static func failure(_ complaint: String, page: Int) -> DecodeError {
        if complaint.contains("Incorrect password") {
            return DecodeError(
                .encrypted, "is a PDF with a password; remove it with `qpdf --decrypt --password=... in.pdf out.pdf`")
        }
        // "the first page (50) can not be after the last page (10)"
        if complaint.contains("Wrong page range"),
            let pages = complaint.split(separator: "(").last.flatMap({ Int($0.prefix(while: \.isNumber)) })
        {
            return .noSuchPage(page, of: pages)
        }
        return .broken("a PDF", complaint)
    }
}
