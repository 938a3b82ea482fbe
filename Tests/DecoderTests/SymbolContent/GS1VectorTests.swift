import Foundation
import Testing

@testable import SymbolContent

/// The test cases of GS1's own syntax engine, see `Fixtures/make-gs1-fixtures.py`: valid and invalid messages.
@Suite("GS1's own test cases")
struct GS1VectorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var kind: String
        var isValid: Bool
        var data: [UInt8]
        var expected: [UInt8]

        var testDescription: String { "\(kind) \(String(decoding: data, as: UTF8.self))" }

        init?(_ line: Substring) {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 4 else { return nil }
            kind = String(fields[0])
            isValid = fields[1] == "true"
            data = Self.bytes(fields[2])
            expected = Self.bytes(fields[3])
        }

        /// Parses bytes in which `\xHH` stands for everything except printable ASCII.
        private static func bytes(_ field: Substring) -> [UInt8] {
            var bytes: [UInt8] = []
            var rest = Array(field.utf8)[...]
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\\") {
                    let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
                    bytes.append(UInt8(digits, radix: 16) ?? 0)
                    rest = rest.dropFirst(3)
                } else {
                    bytes.append(byte)
                }
            }
            return bytes
        }

        /// The data, in which `^` stands for FNC1, in the form of a symbol.
        var elementString: [UInt8]? { data.first == UInt8(ascii: "^") ? Self.separated(data.dropFirst()) : nil }

        static func separated(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            bytes.map { $0 == UInt8(ascii: "^") ? 0x1D : $0 }
        }
    }

    static let cases: [Case] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/gs1-syntax-engine.tsv")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap(Case.init)
    }()

    static func cases(_ kind: String) -> [Case] { cases.filter { $0.kind.hasPrefix(kind) } }

    @Test("The test cases exist")
    func casesAreThere() {
        #expect(Self.cases.count > 5000)
    }

    @Test("Element strings", arguments: cases("element-string"))
    func elementStrings(item: Case) {
        guard let bytes = item.elementString else {
            #expect(!item.isValid)
            return
        }
        let message = try? GS1Message.parse(bytes)
        #expect((message != nil) == item.isValid)
    }

    @Test("Texts with brackets", arguments: cases("bracketed"))
    func bracketed(item: Case) {
        let message = try? GS1Message.parse(bracketed: String(decoding: item.data, as: UTF8.self))
        #expect((message != nil) == item.isValid)
        guard item.kind == "bracketed", item.isValid else { return }
        #expect(message?.elementString == Case.separated(item.expected.dropFirst()))
    }

    @Test("Identifiers that may be combined", arguments: cases("pairs-"))
    func pairs(item: Case) {
        let text = String(decoding: item.data, as: UTF8.self)
        guard let message = try? GS1Message.parse(bracketed: text) else {
            // GS1's engine has an option to accept unassigned identifiers; this parser rejects them.
            #expect(text.contains("(89)") || text.contains("(3338)"))
            return
        }
        var failure: GS1Failure?
        do throws(GS1Failure) { try message.checkPairs() } catch { failure = error }
        // A case tests one rule; another rule may reject the message.
        if !item.isValid { #expect(failure != nil) }
        if item.isValid, item.kind.contains("requisites") { #expect(failure?.code != .missingIdentifier) }
        if item.isValid, item.kind.contains("repeats") { #expect(failure?.code != .conflict) }
    }

    @Test("Parsing of digital links", arguments: cases("link"))
    func links(item: Case) {
        let link = String(decoding: item.data, as: UTF8.self)
        let message = try? GS1Message.parse(link: link, allowsShortGTIN: item.kind == "link-short")
        #expect((message != nil) == item.isValid)
        if item.isValid { #expect(message?.elementString == Case.separated(item.expected.dropFirst())) }
    }

    @Test("Writing of digital links", arguments: cases("made-link"))
    func madeLinks(item: Case) throws {
        let message = try GS1Message.parse(bracketed: String(decoding: item.data, as: UTF8.self))
        let stem = item.kind.split(separator: " ").dropFirst().first.map(String.init) ?? "https://id.gs1.org"
        let link = try? message.link(stem: stem)
        #expect(link == (item.isValid ? String(decoding: item.expected, as: UTF8.self) : nil))
    }

    /// Returns the verdict of a rule on a component, regardless of its length.
    private static func accepts(_ name: String, _ data: [UInt8]) -> Bool {
        func consists(of set: ApplicationIdentifier.Component.Characters) -> Bool {
            data.allSatisfy { GS1Characters.contains($0, set) }
        }
        switch name {
        case "csetnumeric": return consists(of: .numeric)
        case "cset82": return consists(of: .set82)
        case "cset39": return consists(of: .set39)
        case "cset64": return consists(of: .set64) && GS1Check.isPadded(data[...])
        default: return GS1Check(rawValue: name).problem(data[...]) == nil
        }
    }

    /// Rules that GS1's engine applies to data of any length; this parser checks the length first.
    private static let ofLength = [
        "hh": 2, "mi": 2, "ss": 2, "hhmi": 4, "latitude": 10, "longitude": 10, "mediatype": 2, "winding": 1, "yesno": 1,
        "iso5218": 1, "importeridx": 1, "pieceoftotal": 4, "posinseqslash": 3,
    ]

    @Test("The rules of single values")
    func checks() {
        var wrong: [String] = []
        var count = 0
        for item in Self.cases("check-") {
            let name = String(item.kind.dropFirst("check-".count))
            let expected = String(decoding: item.expected, as: UTF8.self)
            // The list of company prefixes belongs to GS1 and is not public.
            if expected == "GCP_DATASOURCE_OFFLINE" || expected == "INVALID_GCP_PREFIX" { continue }
            if let length = Self.ofLength[name], item.data.count != length { continue }
            if expected == "NON_DIGIT_CHARACTER", name != "csetnumeric" { continue }
            count += 1
            if Self.accepts(name, item.data) != item.isValid {
                wrong.append("\(name) \(String(decoding: item.data, as: UTF8.self)) \(expected)")
            }
        }
        #expect(count > 5000)
        #expect(wrong == [])
    }
}
