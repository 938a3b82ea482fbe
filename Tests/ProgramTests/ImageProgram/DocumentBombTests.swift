import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// Small PDFs that take forever, or all memory, to render: each only costs its own page.
    @Suite struct DocumentBombTests {
        /// Returns a PDF of objects, without a cross-reference table.
        private static func file(_ objects: [String]) -> [UInt8] {
            let body = objects.enumerated().map { "\($0.offset + 1) 0 obj\n\($0.element)\nendobj\n" }.joined()
            return Array("%PDF-1.4\n\(body)trailer<</Root 1 0 R/Size \(objects.count + 1)>>\n%%EOF\n".utf8)
        }

        private static func stream(_ entries: String, _ data: String) -> String {
            "<<\(entries)/Length \(data.utf8.count)>>stream\n\(data)\nendstream"
        }

        private static func page(_ content: Int, _ resources: String) -> String {
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 216 216]/Contents \(content) 0 R/Resources<</XObject<<\(resources)>>>>>>"
        }

        /// A JBIG2 of 60,000 x 60,000 pixels in less than a hundred bytes, in hexadecimal digits.
        ///
        /// Source: ITU-T T.88, 7.2 "Segment header syntax", 7.4.6 "Generic region", 7.4.8 "Page information".
        private static let jbig2: String = {
            let side = "0000ea60"
            let size = side + side
            let information = "00000000" + "30" + "00" + "01" + "00000013" + size + "0000000000000000" + "00" + "0000"
            let region =
                size + "0000000000000000" + "00" + "00" + "03fffdff02fefefe" + String(repeating: "00", count: 20)
            return information + "00000001" + "27" + "00" + "01" + "0000002e" + region + ">"
        }()

        @Test func pagesThatTakeForever() async throws {
            let levels = 12
            let good = try PDFDocument.Page.qr("good").content
            let forms = (0..<levels).map { level in
                let isLast = level == levels - 1
                let inner = isLast ? "" : "/Resources<</XObject<</F \(11 + level) 0 R>>>>"
                return Self.stream(
                    "/Type/XObject/Subtype/Form/BBox[0 0 216 216]\(inner)",
                    isLast ? "0 0 9 9 re f" : String(repeating: "/F Do ", count: 10))
            }
            let picture = Self.stream(
                "/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 1/ColorSpace/DeviceGray"
                    + "/Filter[/ASCIIHexDecode/JBIG2Decode]", Self.jbig2)
            let document = Self.file(
                [
                    "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[5 0 R 3 0 R 4 0 R]/Count 3>>",
                    Self.page(6, "/F 10 0 R"), Self.page(7, "/I 9 0 R"), Self.page(8, ""),
                    Self.stream("", "/F Do"), Self.stream("", "216 0 0 216 0 0 cm /I Do"), Self.stream("", good),
                    picture,
                ] + forms)
            #expect(document.count - good.utf8.count < 4500)
            let folder = try TemporaryFolder()
            let path = try folder.file("bombs.pdf", document)
            let result = try await decodeImage(["--json", "--jobs", "2", "--timeout", "5", path])
            let answers = try result.lines.map { try Answer($0) }
            let outcomes = answers.map(\.outcome)
            #expect(outcomes.count == 3 && outcomes.contains("good"), "\(result.messages)")
            for outcome in outcomes where outcome != "good" {
                // Debian 13's Poppler leaves one of them blank.
                #expect(["timed_out", "too_large", "out_of_memory", ""].contains(outcome), "\(outcome)")
            }
            #expect(outcomes.contains { $0 != "good" && !$0.isEmpty })
            #expect(result.ending == .exit(1))
        }

        /// A font of 1.6 GB in 239 bytes, deflated three times, in hexadecimal digits.
        private static let font: String =
            "78daabb8f5f68ea25f0ca348db45f3971d9758667085f09e3e308167d93236c65d898c1531ea8a153caf1d3632c8582f"
            + "c8d54a636c99d015b8e4b2c1ee07b5cf751e9eb237bf7ff4fdf2df275324da8e7edd7ffb79ff7c36060686842762fbf5"
            + "ecf7f4321efef7ebe3eb8f9a402183b2f4ddd697cf6a7cf8f5f7f4c462a0c08117b1b27267cce499eaebe7f8cf65068a"
            + "b8e5e76f9d93bfada1fdebdde7c2df81020d177f6b4a006906cd264620794109ccd1057304949138a332a332a332a332"
            + "a332a332a332a332a3324353c67cf5d347b95c33ecd7c86fdf0e6a475698c7a5d5efe39dfc7f51bbc406000df95f08"

        /// The renderer reports it itself, with a C++ exception.
        @Test func aFontThatTakesAllMemory() async throws {
            let document = Self.file([
                "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 216 216]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
                Self.stream("", "BT /F 20 Tf 20 20 Td (Hello) Tj ET"),
                "<</Type/Font/Subtype/TrueType/BaseFont/X/FontDescriptor 6 0 R/FirstChar 65/LastChar 66"
                    + "/Widths[500 500]>>",
                "<</Type/FontDescriptor/FontName/X/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 1/Descent 0"
                    + "/CapHeight 1/StemV 1/FontFile2 7 0 R>>",
                Self.stream("/Filter[/ASCIIHexDecode/FlateDecode/FlateDecode/FlateDecode]", Self.font + ">"),
            ])
            #expect(document.count < 1500)
            let folder = try TemporaryFolder()
            // Long enough for a machine that is busy: the memory is to run out, not the time.
            let result = try await decodeImage(["--json", "--timeout", "600", try folder.file("font.pdf", document)])
            #expect(try result.answer().error?.code == "too_large", "\(result.text)")
        }

        /// The first page takes its worker down; the other pages are decoded.
        @Test func theFirstPageCostsItsWorker() async throws {
            let folder = try TemporaryFolder()
            var pages = try (1...3).map { try PDFDocument.Page.qr("page \($0)") }
            // 92 megapixels at the usual resolution: a worker has no memory to search all of them.
            pages[0] = PDFDocument.Page(width: 2300, height: 2300, content: "0 0 50 50 re f")
            let path = try folder.file("a.pdf", PDFDocument(pages).bytes)
            let result = try await decodeImage(["--jobs", "2", "--worker-megabytes", "112", "--timeout", "600", path])
            #expect(result.text == "page 2: qr_code: page 2\npage 3: qr_code: page 3\n", "\(result.messages)")
            #expect(
                result.messages.contains("a.pdf, page 1: needs more memory than the limit of a worker"),
                "\(result.messages)")
            #expect(result.ending == .exit(1))
        }

        /// A renderer that is taken over cannot send signals to its worker or its helper.
        @Test(.enabled(if: Machine.hasSandbox)) func rendererCannotKillItsWorker() async throws {
            let folder = try TemporaryFolder()
            let document = PDFDocument(try (1...3).map { try .qr("page \($0)") })
            let path = try folder.file("a.pdf", document.bytes)
            let tools = try folder.folder("tools")
            try folder.file(
                "tools/pdftoppm",
                Array(
                    """
                    #!/bin/sh
                    case "$*" in *"-f 1 "*) kill -9 $PPID; exit 1;; esac
                    exec /usr/bin/pdftoppm "$@"

                    """.utf8))
            try makeExecutable("\(tools)/pdftoppm")
            var program = decodeImage
            program.environment = ["LC_ALL=C.UTF-8", "PATH=\(tools):/usr/local/bin:/usr/bin:/bin"]
            let result = try await program(["--jobs", "2", path])
            #expect(result.text == "page 2: qr_code: page 2\npage 3: qr_code: page 3\n", "\(result.messages)")
            #expect(result.messages.contains("a.pdf, page 1: could not be rendered"), "\(result.messages)")
            #expect(result.ending == .exit(1))
        }
    }
}
