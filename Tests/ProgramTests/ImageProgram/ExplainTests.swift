import BarcodeCore
import ImageCodecs
import Symbols
import TestSupport
import Testing

extension ProgramTests {
    /// The page that explains how a picture was decoded.
    @Suite struct ExplainTests {
        /// Returns a symbol with a low correction level and a damaged middle: it is located, but not correctable.
        static func damaged() throws -> [UInt8] {
            var grid = try QREncoder.encode(
                [.bytes(Array("quietzone, a page of reasons".utf8))], version: 2, level: .low, mask: 3)
            for y in 10..<18 {
                for x in 9..<24 { grid[x, y] = false }
            }
            let image = SymbolRenderer(grid, modulePixels: 5, degrees: 8).image()
            return Pictures.pgm(
                width: image.width, height: image.height,
                (0..<image.height).flatMap { y in (0..<image.width).map { image[x: $0, y: y] } })
        }

        /// Returns the page, after checking each of its pictures.
        static func page(_ folder: TemporaryFolder) throws -> String {
            let page = try #require(readFile(folder["why/index.html"])).text
            let names = page.matches(of: #/<img src="(picture-\d+\.png)"/#).map { String($0.1) }
            #expect(names.count >= 2 && Set(names).count == names.count)
            for name in names {
                let picture = try ImageLoader().load(contentsOf: folder["why/\(name)"])
                #expect(picture.format == .png && picture.width > 1 && picture.height > 1, "\(name)")
            }
            // It loads nothing from elsewhere, so that it can be mailed.
            #expect(!page.contains("src=\"http") && !page.contains("href"))
            return page
        }

        @Test func pictureWithSymbols() async throws {
            let folder = try TemporaryFolder()
            let picture = Samples.path("order-form.png")
            let result = try await decodeImage(["--json", "--explain", folder["why"], picture])
            #expect(result.ending == .exit(0))
            let plain = try await decodeImage(["--json", picture])
            #expect(try result.answer().symbols.map(\.rawValue) == plain.answer().symbols.map(\.rawValue))
            let page = try Self.page(folder)
            for sentence in [
                "5 symbols were read", "ORDER-2024-0815", "QR symbols by three finder patterns, at 1/4 of its size",
                "3 finder patterns found, 1 candidate.", "read: version 2, level L, 0 codewords",
                "read: ean_13 4006381333931", "add-ons beside EAN and UPC", "Skipped: zbar, for SQ Code",
                "symbols were read before, and this pass seldom reads more",
            ] {
                #expect(page.contains(sentence), "\(sentence)")
            }
        }

        @Test func symbolThatCannotBeRead() async throws {
            let folder = try TemporaryFolder()
            let picture = try folder.file("damaged.pgm", Self.damaged())
            // Nothing is read, so the whole search runs twice, and a busy machine may not finish in half a minute.
            let result = try await decodeImage(["--timeout", "600", "--explain", folder["why"], picture])
            #expect(result.ending == .exit(4), "\(result.messages)")
            let page = try Self.page(folder)
            for sentence in [
                "No symbol was read", "3 finder patterns found",
                "block 1 of 1 has too many errors (version 2, level L, mask 3)",
                "zbar read nothing.", "in a part or a changed copy, at full size (",
            ] {
                #expect(page.contains(sentence), "\(sentence)")
            }
        }

        @Test func partOfACoveredSymbol() async throws {
            let quiet = [Bool](repeating: false, count: 12)
            // A valid message, and beyond paper more bars, which are none.
            let one = LinearModules.itf([7, 0, 2, 4, 0, 1])
            let modules = quiet + one + [Bool](repeating: false, count: 20) + one.prefix(30) + quiet
            let row = modules.flatMap { [UInt8](repeating: $0 ? 20 : 235, count: 3) }
            let pixels = Array(repeatElement(row, count: 80).joined())
            let folder = try TemporaryFolder()
            let picture = try folder.file("part.pgm", Pictures.pgm(width: row.count, height: 80, pixels))
            let result = try await decodeImage(["--formats", "itf", "--explain", folder["why"], picture])
            #expect(result.ending == .exit(4))
            #expect(try Self.page(folder).contains("itf 702401 is not reported: there are bars beyond its end"))
        }

        @Test func nameThatLooksLikeAPage() async throws {
            let folder = try TemporaryFolder()
            let picture = try folder.file("<b>&.pgm", Pictures.blank())
            let result = try await decodeImage(["--explain", folder["why"], picture])
            #expect(result.ending == .exit(4))
            let page = try #require(readFile(folder["why/index.html"])).text
            #expect(page.contains("&lt;b&gt;&amp;.pgm") && !page.contains("<b>"))
            #expect(page.contains("No finder pattern was found"))
        }

        @Test func severalPicturesAreRefused() async throws {
            let picture = Samples.path("qr.png")
            let result = try await decodeImage(["--explain", "why", picture, picture])
            #expect(result.ending == .exit(64))
            #expect(result.messages.contains("--explain takes one picture"))
        }

        @Test func folderThatCannotBeMade() async throws {
            let result = try await decodeImage(["--explain", "/dev/null/why", Samples.path("qr.png")])
            #expect(result.ending == .exit(1))
            #expect(result.messages.contains("/dev/null/why: the folder for the explanation cannot be created"))
        }
    }
}
