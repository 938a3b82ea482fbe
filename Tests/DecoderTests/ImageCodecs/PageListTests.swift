import BarcodeCore
import TestSupport
import Testing

@testable import ImageCodecs

/// The output of Poppler's programs for a page, which includes the document's own metadata.
@Suite struct PageListTests {
    private static let information = """
        Title:           Pages:          7
        Page    3 size:  1 x 1 pts
        Pages:           12
        Encrypted:       no
        Page    3 size:  595.32 x 841.92 pts (A4)
        Page    3 rot:   90
        File size:       1234 bytes
        """
    private static func list(_ rows: String...) -> String {
        (["page   num  type   width height color comp bpc  enc interp  object ID x-ppi y-ppi size ratio", "-----"]
            + rows)
            .joined(separator: "\n")
    }
    private static let row =
        "   3     0 image    1654  2339  gray    1   8  jpeg   no         9  0   200   200  120K 3.2%"

    private static func page(_ information: String, _ number: Int = 3) throws(DecodeError) -> PDFPage {
        try PDFPage(number, information: information.split(separator: "\n"))
    }

    /// The last line counts: the document's metadata precedes it.
    @Test func aPage() throws {
        let page = try Self.page(Self.information)
        #expect(page.pages == 12 && page.width == 841.92 && page.height == 595.32)
        #expect(page.size(300) == PixelSize(width: 3508, height: 2481))
        #expect(page.scan(in: Self.list(Self.row)) == PixelSize(width: 2339, height: 1654))
        #expect(page.scan(in: Self.list(Self.row, Self.row)) == nil)
        #expect(page.scan(in: Self.list(Self.row.replacing("1654", with: "1600"))) == nil)
        #expect(page.scan(in: Self.list(Self.row.replacing("image", with: "smask"))) == nil)
    }

    @Test(arguments: [
        ("Pages: 2", 3, "no_such_page"), ("Pages: 0", 1, "corrupt"), ("Pages: -1", 1, "corrupt"), ("", 1, "corrupt"),
        ("Pages: 99999999999999999999", 1, "corrupt"), ("Pages: 3", 3, "corrupt"),
        ("Pages: 3\nPage 3 size: nan x nan pts", 3, "corrupt"), ("Pages: 3\nPage 3 size: inf x 1 pts", 3, "corrupt"),
        ("Pages: 3\nPage 3 size: 0 x 1 pts", 3, "corrupt"), ("Pages: 3\nPage 3 size: -5 x 1 pts", 3, "corrupt"),
        ("Pages: 3\nPage 3 size: 1 x", 3, "corrupt"),
    ]) func noPage(_ text: String, _ number: Int, _ code: String) {
        do throws(DecodeError) {
            Issue.record("\(try Self.page(text, number)) was read")
        } catch {
            #expect(error.code.rawValue == code)
        }
    }

    /// Arbitrary numbers and lines in any order: the result is an error or a page with a size, never a crash.
    @Test func anyText() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let words = [
            "9223372036854775807", "-9223372036854775808", "1e308", "5e-324", "nan", "-0", "", "3", "Page", "size:",
            "rot:", "Pages:", "x", "\n", "image", "\u{0}", "é", "0x10", "90", "180",
        ]
        var read = 0
        for _ in 0..<20_000 {
            func mutated(_ text: String) -> String {
                var parts = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<parts.count, using: &random)
                    parts[place] = words[Int.random(in: 0..<words.count, using: &random)]
                }
                return parts.joined(separator: " ")
            }
            guard let page = try? Self.page(mutated(Self.information)) else { continue }
            read += 1
            for resolution in [36.0, 300, 2400] {
                let size = page.size(resolution)
                #expect(size.width >= 1 && size.height >= 1 && size.width <= 1_000_000_000)
            }
            if let scan = page.scan(in: Self.list(mutated(Self.row))) { #expect(scan.width > 0 && scan.height > 0) }
        }
        #expect(read > 100)
    }
}
