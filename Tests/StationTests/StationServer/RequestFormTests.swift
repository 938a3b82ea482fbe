import BarcodeCore
import ScanEvents
import TestSupport
import Testing

@testable import StationServer

/// Forms, queries and tables: parsing input from others, and writing output for others.
@Suite struct RequestFormTests {
    /// A part of a body.
    private struct Part: Equatable {
        var name: String?
        var filename: String?
        var bytes: [UInt8] = []
        var isComplete = false
    }

    private static func parts(_ chunks: [ArraySlice<UInt8>], boundary: String) throws -> [Part] {
        var parser = try MultipartParser(contentType: "multipart/form-data; boundary=\"\(boundary)\"")
        var parts: [Part] = []
        for chunk in chunks {
            for output in try parser.feed(chunk) {
                switch output {
                case .begin(let name, let filename): parts.append(Part(name: name, filename: filename))
                case .bytes(let bytes): parts[parts.count - 1].bytes += bytes
                case .end: parts[parts.count - 1].isComplete = true
                }
            }
        }
        try parser.finish()
        return parts
    }

    private static func body(_ parts: [Part], boundary: String) -> [UInt8] {
        var body: [UInt8] = []
        for part in parts {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data".utf8)
            if let name = part.name { body += Array("; name=\"\(name)\"".utf8) }
            if let filename = part.filename { body += Array("; filename=\"\(filename)\"".utf8) }
            body += Array("\r\nContent-Type: image/png\r\n\r\n".utf8) + part.bytes + [13, 10]
        }
        return body + Array("--\(boundary)--\r\nbehind".utf8)
    }

    /// The parts of a body do not depend on how it is split into chunks.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func anyCutGivesTheSameParts(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let boundary = String(
            (0..<Int.random(in: 1...70, using: &random)).map { _ in "ab-'+_".randomElement(using: &random)! })
        // Contents that resemble a boundary are the hard ones.
        let pieces = [
            [13], [10], [13, 10], [45, 45], Array(boundary.utf8.dropLast()), [0, 255], Array("\r\n--".utf8),
        ]
        let parts = (0..<Int.random(in: 1...6, using: &random)).map { index in
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...40, using: &random) { bytes += pieces.randomElement(using: &random)! }
            let delimiter = Array("\r\n--\(boundary)".utf8)
            // A content that contains the boundary would end there.
            while let place = ([13, 10] + bytes).firstRange(of: delimiter) {
                bytes.removeSubrange(max(0, place.lowerBound - 2)..<max(1, place.upperBound - 2))
            }
            return Part(name: index % 2 == 0 ? "file" : nil, filename: "p \(index).png", bytes: bytes, isComplete: true)
        }
        let body = Self.body(parts, boundary: boundary)
        var chunks: [ArraySlice<UInt8>] = []
        var rest = body[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...(seed % 3 == 0 ? 3 : 60), using: &random))
            chunks.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        #expect(try Self.parts(chunks, boundary: boundary) == parts, "seed \(seed)")
        #expect(try Self.parts([body[...]], boundary: boundary) == parts, "seed \(seed)")
    }

    @Test(arguments: [
        ("no boundary in the type", "multipart/form-data", "", MultipartParser.Failure.noBoundary),
        ("an empty boundary", "multipart/form-data; boundary=\"\"", "", .noBoundary),
        ("an empty body", "multipart/form-data; boundary=b", "", .cutOff),
        ("a body that ends in a part", "multipart/form-data; boundary=b", "--b\r\n\r\ntext", .cutOff),
        ("no boundary at all", "multipart/form-data; boundary=b", "text", .cutOff),
        ("a boundary that goes on", "multipart/form-data; boundary=b", "--bb\r\n", .badHead),
        ("a head without a colon", "multipart/form-data; boundary=b", "--b\r\nhead\r\n\r\n", .badHead),
        (
            "an endless head", "multipart/form-data; boundary=b", "--b\r\nA: " + String(repeating: "x", count: 9000),
            .headTooLarge
        ),
        (
            "too many parts", "multipart/form-data; boundary=b", String(repeating: "--b\r\n\r\n\r\n", count: 65),
            .tooManyParts
        ),
    ])
    func aFormThatIsNone(_ label: String, _ type: String, _ body: String, _ expected: MultipartParser.Failure) {
        #expect(throws: expected) {
            var parser = try MultipartParser(contentType: type)
            _ = try parser.feed(Array(body.utf8))
            try parser.finish()
        }
    }

    /// A head of the maximum length is accepted, and one more byte is rejected, in one piece or byte by byte.
    @Test(arguments: [1, 100_000], [0, 1])
    func aHeadOfTheFullLength(_ size: Int, _ excess: Int) throws {
        // The preceding line end counts.
        let head = "A: " + String(repeating: "x", count: MultipartParser.maximumHeadBytes - 5 + excess)
        let body = Array("--b\r\n\(head)\r\n\r\nbytes\r\n--b--".utf8)
        let chunks = stride(from: 0, to: body.count, by: size).map { body[$0..<min($0 + size, body.count)] }
        if excess == 0 {
            #expect(try Self.parts(chunks, boundary: "b") == [Part(bytes: Array("bytes".utf8), isComplete: true)])
        } else {
            #expect(throws: MultipartParser.Failure.headTooLarge) { try Self.parts(chunks, boundary: "b") }
        }
    }

    @Test func whatIsNotDecidedYetIsBounded() throws {
        var parser = try MultipartParser(contentType: "multipart/form-data; boundary=b")
        var bytes = 0
        for output in try parser.feed(Array("--b\r\n\r\n".utf8))
            + (0..<1000).flatMap({ _ in
                try parser.feed(Array(repeating: 13, count: 1000))
            })
        {
            if case .bytes(let some) = output { bytes += some.count }
        }
        #expect(bytes >= 1_000_000 - 8)
    }

    @Test(arguments: [
        ("plain", "form-data; name=\"file\"; filename=\"a.png\"", ["name": "file", "filename": "a.png"]),
        ("no quotation marks", "form-data; name=file", ["name": "file"]),
        ("a semicolon within", "form-data; filename=\"a;b.png\"", ["filename": "a;b.png"]),
        ("a quotation mark as browsers write it", "x; filename=\"a%22b\"", ["filename": "a\"b"]),
        ("a quotation mark as curl writes it", "x; filename=\"a\\\"b\"", ["filename": "a\"b"]),
        ("Chinese", "x; filename=\"处方.png\"", ["filename": "处方.png"]),
        ("capitals and blanks", "Form-Data ;  NAME = x ", ["name": "x"]),
    ])
    func headerValues(_ label: String, _ text: String, _ expected: [String: String]) {
        #expect(HeaderValue(text).parameters == expected)
    }

    @Test(arguments: [
        ("a blank as forms write it", "text=a+b", "a b"), ("escaped", "text=%e4%bb%93%2B", "仓+"),
        ("nothing", "text=", ""), ("no value", "text", ""), ("two", "text=1&text=2", "1"),
        ("an invalid escape", "text=%zz%4", "%zz%4"),
        ("signs in escapes", "text=%+5%-0", "% 5%-0"), ("an equals sign within", "text=a=b", "a=b"),
        ("an escaped name", "%74ext=x", "x"), ("bytes that are no UTF-8", "text=%ff", "\u{FFFD}"),
    ])
    func queries(_ label: String, _ query: String, _ expected: String) {
        #expect(RequestQuery("a=1&\(query)&z=2")["text"] == expected)
        #expect(RequestQuery(query)["other"] == nil)
    }

    @Test(arguments: [
        ("plain", "4006381333931", "\"4006381333931\""), ("a quotation mark", "a\"b", "\"a\"\"b\""),
        ("equals", "=1+1", "\"'=1+1\""), ("plus", "+1", "\"'+1\""), ("minus", "-1", "\"'-1\""),
        ("at", "@SUM(1)", "\"'@SUM(1)\""),
        ("a tab", "\t=1", "\"'\t'=1\""), ("a line end", "a\r\nb", "\"a\r\nb\""),
        ("a carriage return first", "\r=1", "\"'\r'=1\""),
        ("a line end first", "\r\n=1", "\"'\r\n'=1\""),
        ("full-width equals", "＝1＋1", "\"'＝1＋1\""), ("full-width plus", "＋1", "\"'＋1\""),
        ("full-width minus", "－1", "\"'－1\""), ("full-width at", "＠SUM(1)", "\"'＠SUM(1)\""),
        ("blanks first", " \u{3000}=1", "\"' \u{3000}=1\""), ("NUL first", "\0=1", "\"'\0=1\""),
        ("a byte order mark first", "\u{FEFF}=1", "\"'\u{FEFF}=1\""),
        ("no width first", "\u{200B}＝1", "\"'\u{200B}＝1\""), ("a sign within", "1=1", "\"1=1\""),
        ("a semicolon", "x;=1+1;y; -2", "\"x;'=1+1;y;' -2\""),
        ("line breaks within", "x\n=1;y\r\n @A", "\"x\n'=1;y\r\n' @A\""), ("a tab within", "x\t=1", "\"x\t'=1\""),
        ("the address of a vCard", "ADR:;;1 Main St;;;;\r\nTEL:+1", "\"ADR:;;1 Main St;;;;\r\nTEL:+1\""),
        ("blanks alone", "  ", "\"  \""), ("empty", "", "\"\""), ("Chinese", "处方", "\"处方\""),
    ])
    func cells(_ label: String, _ text: String, _ expected: String) {
        #expect(Array(SpreadsheetCell.quoted(text).utf8) == Array(expected.utf8))
    }

    @Test func aTableSaysThatItIsUTF8() {
        #expect(ScanTable.head.starts(with: [0xEF, 0xBB, 0xBF] + Array("\"id\",\"time\"".utf8)))
    }
}
