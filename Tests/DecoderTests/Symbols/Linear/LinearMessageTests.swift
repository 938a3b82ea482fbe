import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

@Suite("Messages of linear symbols")
struct LinearMessageTests {
    struct Code128Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var values: [Int]
        var bytes: [UInt8]
        var isGS1 = false
        var isAIM = false
    }

    static let code128Cases = [
        Code128Case(testDescription: "set B", values: [104, 33, 65, 16], bytes: Array("Aa0".utf8)),
        Code128Case(testDescription: "set A, control characters", values: [103, 33, 73, 64], bytes: [0x41, 9, 0]),
        Code128Case(testDescription: "set C", values: [105, 0, 7, 99], bytes: Array("000799".utf8)),
        Code128Case(
            testDescription: "latches", values: [105, 12, 100, 65, 101, 33, 99, 34], bytes: Array("12aA34".utf8)),
        Code128Case(testDescription: "shift", values: [104, 65, 98, 73, 65], bytes: [0x61, 9, 0x61]),
        Code128Case(testDescription: "FNC4 once", values: [104, 65, 100, 92, 66], bytes: [0x61, 0xFC, 0x62]),
        Code128Case(
            testDescription: "FNC4 twice shifts all", values: [104, 100, 100, 83, 83, 100, 100, 83],
            bytes: [0xF3, 0xF3, 0x73]),
        Code128Case(
            testDescription: "FNC4 unshifts one of many", values: [104, 100, 100, 83, 100, 83, 83],
            bytes: [0xF3, 0x73, 0xF3]),
        Code128Case(testDescription: "FNC4 in set A", values: [103, 101, 33], bytes: [0xC1]),
        Code128Case(
            testDescription: "digits of set C are not shifted", values: [104, 100, 100, 83, 99, 12],
            bytes: [0xF3, 0x31, 0x32]),
        Code128Case(testDescription: "GS1", values: [105, 102, 1, 12], bytes: Array("0112".utf8), isGS1: true),
        Code128Case(
            testDescription: "GS1 with a separator", values: [105, 102, 10, 12, 102, 21],
            bytes: Array("1012\u{1D}21".utf8), isGS1: true),
        Code128Case(
            testDescription: "AIM, a letter", values: [104, 33, 102, 34], bytes: Array("AB".utf8), isAIM: true),
        Code128Case(
            testDescription: "AIM, two digits", values: [105, 12, 102, 34], bytes: Array("1234".utf8), isAIM: true),
        Code128Case(
            testDescription: "FNC2 is skipped", values: [104, 33, 97, 34], bytes: Array("AB".utf8)),
    ]

    @Test("Code 128", arguments: code128Cases)
    func code128(item: Code128Case) throws {
        let message = try #require(Code128Message(item.values))
        #expect(message.bytes == item.bytes)
        #expect(message.isGS1 == item.isGS1)
        #expect(message.isAIM == item.isAIM)
    }

    /// The linkage of a Code 128: the code set of the last character, and the code set selected before the check
    /// character (ISO/IEC 24723, 7.4).
    static let linkages: [(label: String, values: [Int], linkage: CompositeLinkage)] = [
        ("set A, to B", [103, 102, 17, 34, 100], .micro), ("set A, to C", [103, 102, 17, 34, 99], .full),
        ("set B, to C", [104, 102, 17, 34, 99], .micro), ("set B, to A", [104, 102, 17, 34, 101], .full),
        ("set C, to A", [105, 102, 10, 12, 101], .micro), ("set C, to B", [105, 102, 10, 12, 100], .full),
        ("set C, to the end", [105, 102, 10, 12], .none), ("set B, FNC4", [104, 102, 17, 34, 100], .none),
        ("a set with characters", [105, 102, 10, 101, 17], .none),
    ]

    @Test("A GS1-128 tells if a composite component is above it", arguments: linkages)
    func linkage(label: String, values: [Int], linkage: CompositeLinkage) {
        #expect(Code128Message(values)?.linkage == linkage)
    }

    @Test("FNC3 marks a message for the reader", arguments: [103, 104])
    func readerProgramming(start: Int) {
        let message = Code128Message([start, 96, 33, 34])
        #expect(message?.isReaderProgramming == true && message?.bytes == Array("AB".utf8))
        #expect(Code128Message([start, 33, 34])?.isReaderProgramming == false)
    }

    @Test("A Code 128 without characters has no message")
    func empty() {
        #expect(Code128Message([104]) == nil)
        #expect(Code128Message([105, 102]) == nil)
    }

    static let code93Cases: [(label: String, values: [Int], text: String?)] = [
        ("plain", [10, 1, 36], "A1-"), ("small letters", [46, 10, 46, 35], "az"),
        ("signs", [45, 10, 44, 20, 44, 31], "![@"),
        ("control characters", [43, 10, 43, 35], "\u{1}\u{1A}"), ("a shift at the end", [10, 46], nil),
        ("a shift of a digit", [46, 1], nil),
    ]

    @Test("Code 93", arguments: code93Cases.indices)
    func code93(index: Int) {
        let (label, values, text) = Self.code93Cases[index]
        func check(_ values: [Int], _ period: Int) -> Int {
            values.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset % period + 1) } % 47
        }
        let first = values + [check(values, 20)]
        let all = first + [check(first, 15)]
        #expect(Code93.message(all).map { String(decoding: $0, as: UTF8.self) } == text, "\(label)")
        #expect(Code93.message(first + [(check(first, 15) + 1) % 47]) == nil, "\(label)")
    }

    static func bits(_ value: Int, _ count: Int) -> String {
        (0..<count).reversed().map { value >> $0 & 1 == 1 ? "1" : "0" }.joined()
    }
    /// Encodes pairs of digits; F stands for FNC1.
    static func numeric(_ text: String) -> String {
        let values = text.map { $0.wholeNumberValue ?? 10 }
        return stride(from: 0, to: values.count, by: 2).map { bits(11 * values[$0] + values[$0 + 1] + 8, 7) }.joined()
    }
    /// The forty bits of 9 0012345678908, after its first digit.
    static let item = bits(001, 10) + bits(234, 10) + bits(567, 10) + bits(890, 10)

    struct ExpandedCase: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bits: String
        var text: String?
        var endsInDigits: Bool

        init(_ label: String, _ bits: String, _ text: String?, endsInDigits: Bool = true) {
            (testDescription, self.bits, self.text) = (label, bits, text)
            self.endsInDigits = endsInDigits
        }
    }

    static let expandedCases = [
        ExpandedCase("digits", "00000" + numeric("1012") + numeric("34"), "101234"),
        ExpandedCase("a separator", "00000" + numeric("101F") + numeric("2134"), "101\u{1D}2134"),
        ExpandedCase(
            "letters", "00000" + numeric("10") + "0000" + bits(32, 6) + bits(57, 6) + bits(60, 6) + "00101", "10AZ-0",
            endsInDigits: false),
        ExpandedCase(
            "small letters", "00000" + numeric("10") + "0000" + "00100" + bits(90, 7) + bits(64, 7) + bits(252, 8),
            "10aA ", endsInDigits: false),
        ExpandedCase(
            "FNC1 among letters latches to digits",
            "00000" + numeric("10") + "0000" + bits(32, 6) + "01111" + numeric("1599"),
            "10A\u{1D}1599"),
        ExpandedCase(
            "a latch after FNC1 with the same effect",
            "00000" + numeric("10") + "0000" + bits(32, 6) + "01111" + "000" + numeric("2112"), "10A\u{1D}2112"),
        ExpandedCase("back to digits", "00000" + numeric("10") + "0000" + bits(32, 6) + "000" + numeric("99"), "10A99"),
        ExpandedCase("01 and more", "0100" + bits(9, 4) + item + numeric("1015"), "01900123456789081015"),
        ExpandedCase("kilograms", "00100" + item + bits(1750, 15), "01900123456789083103001750"),
        ExpandedCase("pounds, two decimals", "00101" + item + bits(156, 15), "01900123456789083202000156"),
        ExpandedCase("pounds, three decimals", "00101" + item + bits(20_000, 15), "01900123456789083203010000"),
        ExpandedCase("price", "001100" + "00" + item + "10" + numeric("0401"), "019001234567890839220401"),
        ExpandedCase(
            "price with currency", "001101" + "00" + item + "10" + bits(40, 10) + numeric("5512"),
            "019001234567890839320405512"),
        ExpandedCase(
            "weight and date", "00111000" + item + bits(201_750, 20) + bits(((99 * 12) + 11) * 32 + 31, 16),
            "0190012345678908310200175011991231"),
        ExpandedCase(
            "pounds and best before", "00111101" + item + bits(1750, 20) + bits((10 * 12 + 2) * 32 + 12, 16),
            "0190012345678908320000175015100312"),
        ExpandedCase(
            "weight without date", "00111110" + item + bits(301_750, 20) + bits(38_400, 16),
            "01900123456789083103001750"),
        ExpandedCase("an invalid date", "00111000" + item + bits(1, 20) + bits(38_401, 16), nil),
        ExpandedCase("an invalid group of digits", "00100" + bits(1000, 10) + bits(0, 30) + bits(5, 15), nil),
        ExpandedCase("bits without a character", "00000" + numeric("10") + "0000" + "111111" + "111111", nil),
    ]

    @Test("DataBar Expanded", arguments: expandedCases)
    func expanded(item: ExpandedCase) {
        let message = ExpandedMessage(DataBarModules.characters(ofBits: item.bits, endsInDigits: item.endsInDigits))
        #expect(message.map { String(decoding: $0.bytes, as: UTF8.self) } == item.text)
    }

    @Test("A DataBar Expanded tells if a composite component is above it", arguments: [false, true])
    func expandedLinkage(isLinked: Bool) {
        let bits = (isLinked ? "1" : "0") + "0000" + Self.numeric("101234")
        let message = ExpandedMessage(DataBarModules.characters(ofBits: bits, endsInDigits: true))
        #expect(message?.isLinked == isLinked)
    }

    @Test("Every character of DataBar is decoded from its widths")
    func characters() {
        let sets: [(DataBarCharacterSet, Int)] = [(.outer, 2841), (.inner, 1597), (.expanded, 4192)]
        for (set, count) in sets {
            #expect(set.count == count)
            for value in 0..<count {
                let widths = set.elements(of: value) ?? []
                #expect(widths.reduce(0, +) == set.modules)
                #expect(set.best(SIMD8(widths.map(Float.init)), growth: 0).value == value)
            }
            #expect(set.elements(of: count) == nil)
        }
    }
}
