import Foundation
import FoundationXML
import TestSupport
import Testing

extension ProgramTests {
    /// The output formats.
    @Suite struct OutputFormatTests {
        let qr = Samples.path("qr.png")
        let ean = Samples.path("ean8.png")

        struct Case: CustomTestStringConvertible, Sendable {
            var label: String
            var arguments: [String]
            var files: [String]
            var output: [UInt8]
            var testDescription: String { label }

            /// `%` in the output stands for the folder of samples.
            init(_ label: String, _ arguments: [String], _ files: [String], _ output: String) {
                self.label = label
                self.arguments = arguments
                self.files = files
                self.output = Array(output.replacingOccurrences(of: "%", with: Samples.folder).utf8)
            }
        }

        static let url = "https://example.org/quietzone"

        static let cases: [Case] = [
            Case("text", [], ["qr.png"], "qr_code: \(url)\n"),
            Case(
                "text, several", [], ["qr.png", "ean8.png"], "%qr.png: qr_code: \(url)\n%ean8.png: ean_8: 96385074\n"),
            Case("text, add-on", [], ["ean13-addon5.png"], "ean_13: 9780306406157 54495\n"),
            Case("text, none", [], ["no-code.jpg"], ""),
            Case(
                "text, several symbols", [], ["order-form.png"],
                "code_128: ORDER-2024-0815\nean_13: 4006381333931\ncode_39: SHELF-17\nitf: 00340123456789\n"
                    + "qr_code: https://example.org/order/0815\n"),
            Case("NUL", ["--null"], ["qr.png"], "qr_code: \(url)\0"),
            Case("raw", ["--raw"], ["qr.png"], url),
            Case("raw, several", ["--raw"], ["qr.png", "qr-digits.png"], url + "31415926535897932384626433832795"),
            Case("raw, NUL", ["--raw", "--null"], ["qr.png", "ean8.png"], "\(url)\0" + "96385074\0"),
            Case("raw, UPC-A is thirteen digits", ["--raw"], ["upca.png"], "0036000291452"),
            Case("raw, UPC-E is thirteen digits", ["--raw"], ["upce.png"], "0042100005264"),
            Case("raw, add-on", ["--raw"], ["ean13-addon2.png"], "977123456700305"),
            Case(
                "joined", ["--join"], ["qr-append-02.png", "qr-append-01.png"],
                "%qr-append-02.png: qr_code:  the second.\n%qr-append-01.png: qr_code: The first of two halves,\n"
                    + "joined qr_code: The first of two halves, the second.\n"),
            Case(
                "joined, of one picture", ["--join"], ["qr-append-both.png"],
                "qr_code: The first of two halves,\nqr_code:  the second.\n"
                    + "joined qr_code: The first of two halves, the second.\n"),
            Case("joined, a part is missing", ["--join"], ["qr-append-02.png"], "qr_code:  the second.\n"),
            Case("joined, no parts", ["--join"], ["qr.png"], "qr_code: \(url)\n"),
            Case("content, plain text", ["--content"], ["code39.png"], "code_39: QUIETZONE-39\n"),
            Case(
                "content, GS1", ["--content"], ["databar-expanded.png"],
                """
                databar_expanded: 01900123456789083103001750
                  gs1
                    01    GTIN: 90012345678908
                    3103  NET WEIGHT (kg): 001750 = 1.750

                """),
            Case(
                "content, an address", ["--content"], ["qr.png"],
                "qr_code: \(url)\n  url\n    url   Link: \(url)\n    host  Host: example.org\n"),
            Case(
                "first", ["--first"], ["order-form.png", "qr.png"],
                "%order-form.png: code_128: ORDER-2024-0815\n%qr.png: qr_code: \(url)\n"),
            Case(
                "table", ["--table"], ["qr.png", "no-code.jpg"],
                "PICTURE" + String(repeating: " ", count: Samples.folder.count + 11 - 7)
                    + "  FORMAT      MS  TEXT\n%qr.png       qr_code T  \(url)\n"
                    + "%no-code.jpg  - T  no symbol\n"),
        ]

        @Test(arguments: cases) func output(_ test: Case) async throws {
            let result = try await decodeImage(test.arguments + test.files.map(Samples.path))
            if test.arguments == ["--table"] {
                // The times vary.
                #expect(result.text.replacing(#/ +\d+  /#, with: " T  ", maxReplacements: 9) == test.output.text)
            } else if test.arguments == ["--first"] {
                let lines = result.lines
                #expect(lines.count == 2 && lines[0].hasPrefix("\(Samples.path("order-form.png")): "))
            } else {
                #expect(result.output == test.output)
            }
        }

        /// The content of a whole message, whose symbols alone have another one or none.
        @Test func contentOfAJoinedMessage() async throws {
            let folder = try TemporaryFolder()
            let text = "MECARD:N:Doe,Jane;TEL:+4912345678;;"
            let drawn = try ProgramRunner(executable: "/usr/bin/env").run(
                ["qrencode", "-8", "-S", "-v", "2", "-o", folder["half.png"]], input: Array(text.utf8))
            try #require(drawn.ending == .exit(0), "\(drawn.messages)")
            let halves = ["half-01.png", "half-02.png"].map { folder[$0] }
            let result = try await decodeImage(["--join", "--content"] + halves)
            #expect(
                result.lines.suffix(4) == [
                    "joined qr_code: \(text)", "  contact", "    name   Doe,Jane", "    phone  +4912345678",
                ])
            let json = try await decodeImage(["--join", "--content", "--json"] + halves)
            let line = try #require(try json.lines.last.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) })
            let message = try #require(((line as? [String: Any])?["joined"] as? [[String: Any]])?.first)
            #expect(message["rawValue"] as? String == text)
            #expect((message["content"] as? [String: Any])?["kind"] as? String == "contact")
        }

        @Test func rawIsEveryByte() async throws {
            let result = try await decodeImage(["--raw", Samples.path("qr-binary.png")])
            #expect(result.output == Array(0...255))
        }

        @Test func jsonHasTheFieldsOfItsSchema() async throws {
            let result = try await decodeImage(["--json", Samples.path("ean13-addon5.png"), "/nowhere"])
            let lines = result.lines.sorted { $0.count > $1.count }
            let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
            let keys: Set = [
                "schema", "source", "width", "height", "orientation", "symbols", "truncated", "milliseconds", "error",
            ]
            let read = try #require(objects.first ?? nil)
            let failed = try #require(objects.last ?? nil)
            #expect(Set(read.keys) == keys.union(["searchEnd"]))
            #expect(Set(failed.keys) == keys)
            #expect(read["schema"] as? Int == 1)
            #expect(read["error"] is NSNull)
            #expect((read["milliseconds"] as? [String: Any])?.keys.sorted() == ["decode", "load"])
            let symbol = try #require((read["symbols"] as? [[String: Any]])?.first)
            #expect(
                Set(symbol.keys) == [
                    "format", "rawValue", "rawBytes", "symbologyIdentifier", "charset", "charsetSource", "addOn",
                    "cornerPoints", "boundingBox", "rotation", "quality", "inverted", "gs1", "check",
                    "moduleSize", "contrast", "confidence",
                ])
            let corners = try #require(symbol["cornerPoints"] as? [[String: Any]])
            #expect(corners.map { $0.keys.sorted() } == Array(repeating: ["x", "y"], count: 4))
            #expect((symbol["boundingBox"] as? [String: Any])?.keys.sorted() == ["height", "width", "x", "y"])
            #expect(symbol["symbologyIdentifier"] as? String == "]E3")
            #expect((failed["symbols"] as? [Any])?.isEmpty == true)
            #expect((failed["error"] as? [String: Any])?.keys.sorted() == ["code", "message"])
        }

        @Test func jsonIsTheExampleOfItsReference() async throws {
            func comparable(_ json: String) throws -> String {
                var object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
                object["milliseconds"] = nil
                object["source"] = nil
                return String(
                    decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
            }
            let reference = try String(contentsOfFile: Samples.folder + "/../docs/reference/json.md", encoding: .utf8)
            let example = try #require(reference.firstMatch(of: #/```json\n(?<json>(?s:.*?))```/#))
            let printed = try await decodeImage(["--json", Samples.path("ean13-addon5.png")])
            #expect(try comparable(printed.text) == comparable(String(example.output.json)))
        }

        @Test func jsonSaysWhereTheSymbolIs() async throws {
            let answer = try await decodeImage(["--json", qr]).answer()
            let symbol = try #require(answer.symbols.first)
            #expect((answer.width, answer.height, answer.orientation) == (132, 132, 1))
            for (corner, place) in zip(symbol.cornerPoints, [(16.0, 16.0), (116, 16), (116, 116), (16, 116)]) {
                #expect(abs(corner.x - place.0) < 3 && abs(corner.y - place.1) < 3)
            }
            let turned = try await decodeImage(["--json", Samples.path("code128-exif6.jpg")]).answer()
            #expect(turned.orientation == 6)
            let inverted = try await decodeImage(["--json", Samples.path("qr-inverted.png")]).answer()
            #expect(inverted.symbols.map(\.inverted) == [true])
        }

        @Test func quietSaysNothing() async throws {
            for arguments in [["/nowhere"], ["/nowhere", qr], ["--json", "--recursive", Samples.folder]] {
                let result = try await decodeImage(["--quiet"] + arguments)
                #expect(result.messages == "")
            }
        }

        @Test func messagesNameThePictureAndCount() async throws {
            let alone = try await decodeImage(["/nowhere"])
            #expect(alone.messages == "decode-image: /nowhere: there is no such file\n")
            let several = try await decodeImage([qr, "/nowhere", Samples.path("no-code.jpg")])
            #expect(
                several.messages == """
                    decode-image: /nowhere: there is no such file
                    decode-image: 1 symbol in 3 pictures, 1 without a symbol, 1 that could not be read

                    """)
        }

        @Test func answersComeInTheOrderOfThePictures() async throws {
            // The large one comes first; the others finish before it.
            let files = ["scene-12mp.jpg"] + (0..<20).map { _ in "ean8.png" } + ["qr.png"]
            let result = try await decodeImage(["--first"] + files.map(Samples.path))
            #expect(result.lines.map { String($0.prefix { $0 != ":" }) } == files.map(Samples.path))
        }

        @Test func xmlIsXML() async throws {
            let folder = try TemporaryFolder()
            let odd = try folder.file("a<b>&'\"c\n.png", Samples.bytes("qr-binary.png"))
            let files = Samples.all.map { Samples.path($0.file) } + [odd]
            let result = try await decodeImage(["--xml"] + files)
            let parsed = XMLReader(result.output)
            #expect(parsed.isWellFormed)
            #expect(parsed.sources == files)
            let texts = parsed.symbols.map { "\($0.type) \($0.data)" }
            #expect(texts.contains("QR-Code https://example.org/quietzone"))
            #expect(texts.contains("CODE-128 ORDER-2024-0815"))
            #expect(texts.contains("EAN-5 54495"))
            #expect(
                parsed.symbols.contains {
                    $0.format == "base64"
                        && Data(
                            base64Encoded: $0.data, options: .ignoreUnknownCharacters) == Data(0...255)
                })
        }

        /// The end mark of CDATA and the combining mark behind it are not the characters of the end mark.
        @Test func aCodeCannotAddASymbolToTheXML() async throws {
            let folder = try TemporaryFolder()
            let text = "Größe 中文测试]]>\u{338}</data></symbol><symbol type='EAN-13' quality='1'><data><![CDATA[4006"
            let made = try ProgramRunner(executable: "/usr/bin/env").run(
                ["qrencode", "-8", "-o", folder["a.png"]], input: Array(text.utf8))
            try #require(made.ending == .exit(0), "\(made.messages)")
            let parsed = XMLReader(try await decodeImage(["--xml", folder["a.png"]]).output)
            #expect(parsed.isWellFormed)
            #expect(parsed.symbols.map(\.data) == [text])
        }

        @Test(
            .enabled(if: Zbarimg.isInstalled, "zbarimg is not installed"),
            arguments: [
                "qr.png", "code128.png", "ean8.png", "ean13.png", "itf.png", "code39.png", "code93.png", "codabar.png",
                "no-code.jpg",
            ])
        func xmlIsThatOfZbarimg(_ file: String) async throws {
            let ours = XMLReader(try await decodeImage(["--xml", Samples.path(file)]).output)
            let theirs = XMLReader(try await Zbarimg.program(["-q", "--xml", Samples.path(file)]).output)
            #expect(ours.sources == (file == "no-code.jpg" ? ours.sources : theirs.sources))
            #expect(
                ours.symbols.map { "\($0.type) \($0.data) \($0.orientation)" }
                    == theirs.symbols.map { "\($0.type) \($0.data) \($0.orientation)" })
            #expect(ours.elements.subtracting(["polygon"]).isSuperset(of: theirs.elements.subtracting(["polygon"])))
        }
    }
}

/// A parser for zbarimg's XML.
final class XMLReader: NSObject, XMLParserDelegate {
    struct Symbol {
        var type: String
        var format: String
        var orientation: String
        var data = ""
    }

    private(set) var isWellFormed = false
    private(set) var sources: [String] = []
    private(set) var symbols: [Symbol] = []
    private(set) var elements: Set<String> = []

    init(_ bytes: [UInt8]) {
        super.init()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.insert(name)
        switch name {
        case "source": sources.append(attributes["href"] ?? "")
        case "symbol":
            symbols.append(
                Symbol(type: attributes["type"] ?? "", format: "", orientation: attributes["orientation"] ?? ""))
        case "data": symbols[symbols.count - 1].format = attributes["format"] ?? ""
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        symbols[symbols.count - 1].data += String(decoding: block, as: UTF8.self)
    }
}

/// zbar's own program, if it is installed.
enum Zbarimg {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/zbarimg")
    static let program = ProgramRunner(executable: "/usr/bin/zbarimg")
}
