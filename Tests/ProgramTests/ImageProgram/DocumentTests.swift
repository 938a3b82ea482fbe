import Foundation
import TestSupport
import Testing

extension ProgramTests {
    /// PDFs, multi-page TIFFs and animated GIFs.
    @Suite struct DocumentTests {
        /// The compared fields of a JSON line.
        struct Answer: Decodable, Hashable {
            struct Failure: Decodable, Hashable {
                var code: String
                var message: String
            }
            struct Corner: Decodable, Hashable {
                var x: Double
                var y: Double
            }
            struct Symbol: Decodable, Hashable {
                var rawValue: String
                var pagePoints: [Corner]?
            }

            var width: Int
            var height: Int
            var page: Int?
            var pages: Int?
            var resolution: Double?
            var error: Failure?
            var symbols: [Symbol]

            var texts: [String] { symbols.map(\.rawValue) }
        }

        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func answers(
            _ arguments: [String], input: [UInt8] = [], path: String? = nil
        ) async throws -> (answers: [Answer], status: Int32?) {
            var program = ProgramTests.decodeImage
            if let path { program.environment = ["LC_ALL=C.UTF-8", "PATH=\(path)"] }
            let result = try await program(["--json"] + arguments, input: input)
            let lines = result.output.split(separator: 0x0A)
            let answers = try lines.map { try JSONDecoder().decode(Answer.self, from: Data($0)) }
            let status: Int32? = if case .exit(let status) = result.ending { status } else { nil }
            return (answers.sorted { $0.page ?? .max < $1.page ?? .max }, status)
        }

        private static func pages(_ count: Int) throws -> PDFDocument {
            PDFDocument(try (1...count).map { try .qr("page \($0)") })
        }

        @Test func everyPageIsAnswered() async throws {
            var document = try Self.pages(5)
            document.pages[2].content = ""
            let (answers, status) = try await answers([try folder.file("a.pdf", document.bytes)])
            #expect(answers.map(\.page) == [1, 2, 3, 4, 5])
            #expect(answers.allSatisfy { $0.pages == 5 && $0.error == nil })
            #expect(answers.map(\.texts) == [["page 1"], ["page 2"], [], ["page 4"], ["page 5"]])
            // A page without a code is not a failure of the document.
            #expect(status == 0)
        }

        @Test(arguments: [
            ("2-3", [2, 3]), ("4,1", [1, 4]), ("4-", [4, 5]), ("5,5,3-5", [3, 4, 5]), ("1-1", [1]),
        ])
        func wantedPages(text: String, pages: [Int]) async throws {
            let path = try folder.file("a.pdf", try Self.pages(5).bytes)
            #expect(try await answers(["--pages", text, path]).answers.map(\.page) == pages)
        }

        @Test(arguments: ["0", "-2", "3-1", "", "1,,2", "a", "1-2-3", "99999999999999999999"])
        func noPages(text: String) async throws {
            let result = try await ProgramTests.decodeImage(["--pages=" + text, Samples.path("qr.png")])
            #expect(result.ending == .exit(64))
        }

        @Test func aPageThatIsNotThere() async throws {
            let path = try folder.file("a.pdf", try Self.pages(2).bytes)
            for arguments in [["--pages", "7", path], ["--pages", "2", Samples.path("qr.png")]] {
                let (answers, status) = try await answers(arguments)
                #expect(answers.map(\.error?.code) == ["no_such_page"])
                #expect(status == 1)
            }
        }

        @Test func cornersInPointsOfThePage() async throws {
            // The symbol of 25 modules with 4 points each is at (40, 30) on the unrotated page.
            let document = PDFDocument([try .qr("upright"), try .qr("turned", rotation: 90)])
            let path = try folder.file("a.pdf", document.bytes)
            for dpi in ["150", "300"] {
                let (answers, _) = try await answers(["--dpi", dpi, path])
                #expect(answers.map(\.resolution) == [Double(dpi), Double(dpi)])
                for (answer, expected) in zip(answers, [[40.0, 30, 140, 130], [86, 40, 186, 140]]) {
                    let points = try #require(answer.symbols.first?.pagePoints)
                    let box = [
                        points.map(\.x).min(), points.map(\.y).min(), points.map(\.x).max(), points.map(\.y).max(),
                    ].compactMap(\.self)
                    for (value, wanted) in zip(box, expected) { #expect(abs(value - wanted) < 1, "\(box)") }
                }
            }
        }

        @Test func smallPrintIsRenderedOnceMore() async throws {
            // A module is slightly less than a pixel at 300 dpi.
            let page = try PDFDocument.Page.qr("tiny", module: 0.22, x: 40.1, y: 30.1)
            let path = try folder.file("a.pdf", PDFDocument([page]).bytes)
            let (answers, _) = try await answers([path])
            #expect(answers.map(\.texts) == [["tiny"]])
            #expect(answers.first?.resolution == 600)
        }

        @Test func scanIsReadPixelForPixel() async throws {
            // At 72 dpi, which is otherwise never used to render a page.
            let path = try folder.file("scan.pdf", PDFDocument([try .scan("scanned")]).bytes)
            let (answers, _) = try await answers([path])
            #expect(answers.map(\.texts) == [["scanned"]])
            #expect(answers.first?.resolution == 72)
        }

        /// Pages that are not square: their sides are swapped if they are displayed on their side.
        @Test(arguments: [0, 90, 180, 270, -90])
        func turnedPages(rotation: Int) async throws {
            var drawn = try PDFDocument.Page.qr("drawn", rotation: rotation)
            drawn.width = 360
            let scan = try PDFDocument.Page.scan("scanned", rowsBelow: 60, rotation: rotation)
            let path = try folder.file("turned.pdf", PDFDocument([drawn, scan]).bytes)
            let (answers, status) = try await answers([path])
            #expect(answers.map(\.error?.code) == [nil, nil] && status == 0)
            #expect(answers.map(\.texts) == [["drawn"], ["scanned"]])
            #expect(answers.map(\.resolution) == [300, 72])
            let isTurned = rotation % 180 != 0
            let sides = [(1500, 900), (scan.width, scan.height)]
            for (answer, (width, height)) in zip(answers, sides) {
                #expect(answer.width == (isTurned ? height : width) && answer.height == (isTurned ? width : height))
            }
            // The symbol is 100 points wide, 40 from the left and 30 from the top of the unrotated page.
            let corner: (Double, Double) =
                switch rotation {
                case 90: (86, 40)
                case 180: (220, 86)
                case 270, -90: (30, 220)
                default: (40, 30)
                }
            let points = try #require(answers.first?.symbols.first?.pagePoints)
            let (left, top) = (points.map(\.x).min() ?? 0, points.map(\.y).min() ?? 0)
            #expect(abs(left - corner.0) < 1 && abs(top - corner.1) < 1)
        }

        @Test func whatIsWrongWithOnePageCostsOnePage() async throws {
            let document = try Self.pages(3)
            for page in 0..<3 {
                var document = document
                document.pages[page].width = 1_000_000
                document.pages[page].height = 1_000_000
                let (answers, status) = try await answers([try folder.file("a.pdf", document.bytes)])
                #expect(answers.map { $0.error?.code } == (0..<3).map { $0 == page ? "too_large" : nil })
                // Libraries have the same message, and a parameter of another name.
                #expect(answers[page].error?.message.hasSuffix("at 300 pixels per inch; choose fewer (--dpi)") == true)
                #expect(answers.map(\.texts) == (0..<3).map { $0 == page ? [] : ["page \($0 + 1)"] })
                #expect(status == 1)
            }
        }

        @Test func documentsThatCannotBeRead() async throws {
            let whole = try Self.pages(2).bytes
            let path = try folder.file("whole.pdf", whole)
            let locked = folder["locked.pdf"]
            let qpdf = try await ProgramRunner(executable: "/usr/bin/env")(
                ["qpdf", "--encrypt", "secret", "owner", "256", "--", path, locked])
            #expect(qpdf.ending == .exit(0))
            let cases: [(String, [String?])] = [
                (locked, ["encrypted"]),
                (try folder.file("cut.pdf", Array(whole[..<200])), ["corrupt"]),
                (try folder.file("none.pdf", PDFDocument([]).bytes), ["no_such_page"]),
                (try folder.file("long.pdf", try Self.pages(5).bytes), [nil, nil, "too_large"]),
            ]
            for (path, codes) in cases {
                let (answers, status) = try await answers(["--max-pages", "2", path])
                #expect(answers.map(\.error?.code) == codes, "\(path)")
                #expect(status == 1)
            }
        }

        @Test func rendererThatIsMissingOrHangs() async throws {
            let path = try folder.file("a.pdf", try Self.pages(3).bytes)
            let nothing = try folder.folder("nothing")
            let (missing, _) = try await answers([path], path: nothing)
            #expect(missing.map(\.error?.code) == ["missing_codec"])

            // The second page hangs; the programs for page information are the real ones.
            let tools = try folder.folder("tools")
            try folder.file(
                "tools/pdftoppm",
                Array(
                    """
                    #!/bin/sh
                    case "$*" in *"-f 2 "*) exec sleep 1000;; esac
                    exec /usr/bin/pdftoppm "$@"

                    """.utf8))
            try makeExecutable(tools + "/pdftoppm")
            let (hung, status) = try await answers(
                ["--timeout", "5", path], path: tools + ":/usr/local/bin:/usr/bin:/bin")
            #expect(hung.map(\.error?.code) == [nil, "timed_out", nil])
            #expect(hung.map(\.page) == [1, 2, 3])
            #expect(status == 1)
        }

        @Test func orderIsKeptWhereItIsAsked() async throws {
            let one = try folder.file("one.pdf", try Self.pages(12).bytes)
            let two = try folder.file("two.pdf", try Self.pages(3).bytes)
            let result = try await ProgramTests.decodeImage(["--jobs", "2", one, Samples.path("qr.png"), two])
            let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(String.init)
            #expect(
                lines == (1...12).map { "\(one), page \($0): qr_code: page \($0)" }
                    + ["\(Samples.path("qr.png")): qr_code: https://example.org/quietzone"]
                    + (1...3).map { "\(two), page \($0): qr_code: page \($0)" })
            let alone = try await ProgramTests.decodeImage([two])
            #expect(
                String(decoding: alone.output, as: UTF8.self)
                    == (1...3).map { "page \($0): qr_code: page \($0)\n" }.joined())
        }

        @Test func pagesOfATIFF() async throws {
            let path = folder["pages.tif"]
            try await convert([
                Samples.path("qr.png"), "-type", "bilevel", "-compress", "group4", Samples.path("no-code.jpg"),
                Samples.path("code128.png"), path,
            ])
            let (answers, status) = try await answers([path])
            #expect(answers.map(\.page) == [1, 2, 3])
            #expect(answers.map(\.pages) == [3, 3, 3])
            #expect(answers.map { $0.texts.isEmpty } == [false, true, false])
            #expect(status == 0)
        }

        @Test func copiesAndExplanationsOfPages() async throws {
            let path = try folder.file("a.pdf", try Self.pages(3).bytes)
            let copies = folder["copies"]
            _ = try await answers([
                "--annotate", copies, "--dpi", "100", "--pages", "1,3", path, Samples.path("ean8.png"),
            ])
            let files = ["a.pdf-page-1.png", "a.pdf-page-3.png", "ean8.png.png"]
            #expect(try FileManager.default.contentsOfDirectory(atPath: copies).sorted() == files)

            let reasons = folder["why"]
            let (explained, status) = try await answers(["--explain", reasons, "--dpi", "100", "--pages", "2-", path])
            #expect(explained.map(\.texts) == [["page 2"], ["page 3"]] && status == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: reasons).sorted() == ["page-2", "page-3"])
            for page in [2, 3] {
                let text = try #require(readFile("\(reasons)/page-\(page)/index.html")).text
                #expect(text.contains("a.pdf, page \(page)") && text.contains("1 symbol was read"))
            }
        }

        @Test func standardInput() async throws {
            let document = try Self.pages(2).bytes
            // A pipe can only be read once: the unread rest is reported.
            let (piped, _) = try await answers(["-"], input: document)
            #expect(piped.map(\.error?.code) == [nil, "unreadable"])
            #expect(piped.first?.texts == ["page 1"])
            // Beside another picture the document is read in a worker.
            let (among, status) = try await answers(["-", Samples.path("qr.png")], input: document)
            #expect(among.filter { $0.pages == 2 }.map(\.error?.code) == [nil, "unreadable"])
            #expect(among.count == 3 && status == 1)
        }

        /// A file can be read again for each page, also as standard input.
        @Test(arguments: [[], ["--explain"], [Samples.path("qr.png")]])
        func standardInputThatIsAFile(_ others: [String]) async throws {
            let path = try folder.file("a.pdf", try Self.pages(3).bytes)
            var program = ProgramTests.decodeImage
            program.streams.input = .file(path)
            let arguments = others == ["--explain"] ? ["--explain", folder["why"]] : others
            let result = try await program(["--json", "--dpi", "100", "-"] + arguments)
            let answers = try result.output.split(separator: 0x0A).map {
                try JSONDecoder().decode(Answer.self, from: Data($0))
            }
            let pages = answers.filter { $0.pages == 3 }.sorted { $0.page ?? 0 < $1.page ?? 0 }
            #expect(pages.map(\.texts) == [["page 1"], ["page 2"], ["page 3"]], "\(result.text)")
            #expect(result.ending == .exit(0))
        }

        /// The summary counts the pages that were read, and not the sentence about the others.
        @Test(arguments: [
            (["--max-pages", "2"], "2 symbols in 1 picture with 2 pages, 1 that could not be read"),
            (["--pages", "5-"], "0 symbols in 1 picture, 1 that could not be read"),
            (["--pages", "2-"], "2 symbols in 1 picture with 2 pages"),
        ])
        func pagesOfTheSummary(_ options: [String], _ summary: String) async throws {
            let path = try folder.file("a.pdf", try Self.pages(3).bytes)
            let list = try folder.file("list", path)
            let result = try await ProgramTests.decodeImage(["--dpi", "100", "--files-from", list] + options)
            #expect(result.messages.hasSuffix("decode-image: \(summary)\n"), "\(result.messages)")
        }

        /// The visible part of a truncated file, or an error if there is none.
        @Test(arguments: [
            ("gif", ["-interlace", "none"], true), ("gif", ["-interlace", "line"], true), ("bmp", [], true),
            ("jxl", [], true), ("jp2", [], false), ("heic", [], false), ("avif", [], false),
        ])
        func picturesThatAreCutOff(format: String, options: [String], isRead: Bool) async throws {
            let path = folder["whole.\(format)"]
            try await convert([Samples.path("order-form.png")] + options + [path])
            let whole = try #require(readFile(path))
            let cut = try folder.file("cut.\(format)", Array(whole[..<(whole.count * 95 / 100)]))
            let result = try await ProgramTests.decodeImage(["--json", cut])
            let answer = try result.answer()
            if isRead {
                #expect(answer.error == nil && !answer.symbols.isEmpty)
                #expect(result.text.contains(#""truncated":true"#))
            } else {
                #expect(answer.error?.code == "corrupt")
                #expect(result.text.contains("that is cut off, so that no part of it can be decoded"), "\(result.text)")
            }
        }

        @Test func frameOfAGIFBehindTheFirst() async throws {
            let path = folder["frames.gif"]
            try await convert([
                Samples.path("no-code.jpg"), Samples.path("qr.png"), "-resize", "400x400!", "-delay", "10", path,
            ])
            let (answers, _) = try await answers([path])
            #expect(answers.map(\.texts) == [["https://example.org/quietzone"]])
        }

        private func convert(_ arguments: [String]) async throws {
            let result = try await ProgramRunner(executable: "/usr/bin/env")(["convert"] + arguments)
            #expect(result.ending == .exit(0), "\(String(decoding: result.error, as: UTF8.self))")
        }
    }
}
