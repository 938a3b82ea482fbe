import BarcodeCore
import Symbols
import TestSupport
import Testing

@Suite("Variants of Code 39")
struct LinearFormTests {
    static func reading(_ text: String) -> Reading {
        Reading(
            symbology: .code39, bytes: Array(text.utf8),
            corners: Quadrilateral(
                topLeft: Point(x: 0, y: 0), topRight: Point(x: 1, y: 0), bottomRight: Point(x: 1, y: 1),
                bottomLeft: Point(x: 0, y: 1)))
    }

    static func named(_ text: String, _ symbologies: Set<Symbology> = Symbology.standard) -> String? {
        LinearForm.named(reading(text), symbologies: symbologies).map {
            "\($0.symbology) \(String(decoding: $0.bytes, as: UTF8.self))"
        }
    }

    /// Messages that resemble a variant but are plain, unless only that variant is requested.
    static let plain: [(text: String, why: String)] = [
        ("165627", "six digits: of a thousand numbers of medicines three have no letter"),
        ("404785", "six digits"), ("3PRM8P", "a wrong check digit"), ("FMN30R", "a number that begins with 4"),
        ("-12345678", "a number of a German medicine is text as well"), ("+A", "one pair"),
        ("INV/A/B", "slashes"), ("+H123ABC01234567890D", "a label of the health industry"),
        ("+$$3120530", "no pairs"), ("A+B+", "a shift at the end"), ("+A+1", "a shift before a digit"),
    ]

    @Test("Messages that only resemble a variant are unchanged", arguments: plain.map(\.text))
    func plainMessages(text: String) { #expect(Self.named(text) == "code_39 " + text) }

    @Test("A variant that is requested alone is read by its own rules")
    func alone() {
        #expect(Self.named("A+B", [.code39Extended]) == "code_39_extended Ab")
        #expect(Self.named("A+1", [.code39Extended]) == nil)
        #expect(Self.named("3PRM8N", [.code32]) == "code_32 A123456788")
        #expect(Self.named("3PRM8P", [.code32]) == nil)
        #expect(Self.named("3PRM8", [.code32]) == nil)
        #expect(Self.named("ZZZZZZ", [.code32]) == nil)
        #expect(Self.named("-12345679", [.pzn]) == nil)
        #expect(Self.named("-1234562", [.pzn]) == "pzn 1234562")
        #expect(Self.named("-1234563", [.pzn]) == nil)
        #expect(Self.named("CHECKEDG", [.code39Checked]) == "code_39_mod43 CHECKED")
        #expect(Self.named("CHECKEDH", [.code39Checked]) == nil)
        #expect(Self.named("3PRM8N", [.itf]) == nil)
        #expect(LinearForm.read(for: [.code32]) == [.code32, .code39])
        #expect(LinearForm.read(for: [.itf]) == [.itf])
    }

    @Test("One in forty random messages in its alphabet is a Code 32")
    func chance() {
        var random = SeededGenerator(seed: 32)
        let alphabet = Array("0123456789BCDFGHJKLMNPQRSTUVWXYZ")
        var taken = 0
        for _ in 0..<20_000 {
            let text = String((0..<6).map { _ in alphabet.randomElement(using: &random) ?? "0" })
            if Self.named(text) != "code_39 " + text { taken += 1 }
        }
        // One in ten has the check digit; three in ten of the numbers begin with 0, 1 or 9.
        #expect((400...700).contains(taken), "seed 32: \(taken)")
    }
}
