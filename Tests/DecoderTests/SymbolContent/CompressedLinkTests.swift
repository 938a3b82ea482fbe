import Foundation
import Testing

@testable import SymbolContent

/// Links that GS1's own toolkit compressed, see `Fixtures/make-compressed-links.js`.
@Suite("Compressed links")
struct CompressedLinkTests {
    static let cases: [[String]] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/gs1-compressed-links.tsv")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    }()

    /// The elements, in any order.
    private static func elements(_ message: GS1Message) -> Set<GS1Element> { Set(message.elements) }

    @Test("The test cases exist") func casesAreThere() {
        #expect(Self.cases.count > 200 && Self.cases.allSatisfy { $0.count == 2 })
    }

    @Test("Uncompressed links", arguments: cases)
    func links(item: [String]) throws {
        let expected = try GS1Message.parse(bracketed: item[0])
        let message = try GS1Message.parse(link: item[1])
        #expect(Self.elements(message) == Self.elements(expected))
    }

    @Test(
        "Other formats",
        arguments: [
            (
                "after the key", "https://id.gs1.org/01/05412345000013/EEarwSMhC4an0V04",
                "(01)05412345000013(10)ABC123(21)72292641703"
            ),
            (
                "a short number after the key", "https://id.gs1.org/01/5412345000013/Im0AljfT3nvbU_j0",
                "(01)05412345000013(22)AJY3095721P49"
            ),
            (
                "another stem, and a query", "https://example.com/some/path/AQnYUc1gmiCNV4JG?17=261130&lang=de",
                "(01)05412345000013(10)ABC123(17)261130"
            ),
            (
                "the order of the standard's table", "https://id.gs1.org/GhFRJydaKI1XgkYKMDk_wK",
                "(01)09520123456788(10)ABC123(21)12345(17)261130"
            ),
            ("that order, of two", "https://id.gs1.org/nYqJOTrRSE9elzE", "(414)9520123456788(254)zz.1"),
            (
                "with a pair that is not GS1's", "https://id.gs1.org/CxFRJydaKI1XgkfhJWp4CC3vBSasHf9q",
                "(01)09520123456788(10)ABC123"
            ),
            ("a number beyond 53 bits", "https://id.gs1.org/AN2yxDhfaiaw", "(00)998440410914660971"),
            ("a part that may be missing", "https://id.gs1.org/JTLIetaiHYA", "(253)3060077601309"),
            ("the same of digits", "https://id.gs1.org/JVUqG5hJ5wA", "(255)5678409730535"),
            ("two parts", "https://id.gs1.org/gAMJCAXukTMA", "(8003)04965031954585"),
            ("two keys", "https://id.gs1.org/gBhbV6rzBENPmAGXPRfk", "(8018)411369833821910265(8019)4003812"),
        ])
    func forms(label: String, link: String, expected: String) throws {
        let message = try GS1Message.parse(link: link, allowsShortGTIN: true)
        #expect(Self.elements(message) == Self.elements(try GS1Message.parse(bracketed: expected)))
    }

    @Test("One letter more, less or different never gives the same message", arguments: cases.prefix(40))
    func damaged(item: [String]) throws {
        let expected = try GS1Message.parse(bracketed: item[0])
        let letters = Array(item[1])
        let start = "https://id.gs1.org/".count
        for place in start..<letters.count {
            var damaged = letters
            damaged[place] = damaged[place] == "A" ? "B" : "A"
            if let message = try? GS1Message.parse(link: String(damaged)) {
                #expect(Self.elements(message) != Self.elements(expected))
            }
        }
        #expect((try? GS1Message.parse(link: item[1] + "B")) == nil)
    }

    @Test(
        "Paths of words",
        arguments: ["about", "products", "index", "EAN", "QBert", "en-US", "AQ", "gAYMBI_bNGwJk"])
    func words(path: String) {
        #expect(throws: GS1Failure.self) { try GS1Message.parse(link: "https://example.com/" + path) }
    }
}
