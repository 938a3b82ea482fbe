import TestSupport
import Testing

@testable import ScanDevices

@Suite struct HIDTests {
    /// The descriptor of a Honeywell scanner: report 2 with a count, an identifier and 56 bytes.
    static let scanner: [UInt8] = [
        0x05, 0x8C, 0x09, 0x02, 0xA1, 0x01, 0x85, 0x02, 0x09, 0x12, 0xA1, 0x02, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75,
        0x08,
        0x95, 0x01, 0x05, 0x01, 0x09, 0x3B, 0x81, 0x02, 0x95, 0x03, 0x05, 0x8C, 0x09, 0xFB, 0x09, 0xFC, 0x09, 0xFD,
        0x81,
        0x02, 0x95, 0x38, 0x09, 0xFE, 0x82, 0x02, 0x01, 0x75, 0x01, 0x95, 0x01, 0x25, 0x01, 0x09, 0xFF, 0x81, 0x02,
        0x95,
        0x07, 0x81, 0x03, 0xC0, 0xC0,
    ]

    /// Returns a report of that scanner.
    private static func report(_ data: [UInt8], _ identifier: String = "]C1", continues: Bool = false) -> [UInt8] {
        [2, UInt8(data.count)] + Array(identifier.utf8) + data + [UInt8](repeating: 0, count: 56 - data.count)
            + [continues ? 1 : 0]
    }

    @Test func aScanner() throws {
        let descriptor = HIDReportDescriptor(Self.scanner)
        #expect(descriptor.applications == [HIDScanDecoder.application] && descriptor.hasNumbers)
        var decoder = try #require(HIDScanDecoder(descriptor))
        #expect(
            decoder.handle(Self.report(Array("0101\u{1D}".utf8)), at: .zero)
                == .scan(DeviceScan(bytes: Array("0101\u{1D}".utf8), symbologyIdentifier: "]C1")))
        // Binary data with zeros, in several reports.
        let message = (0..<130).map { UInt8($0 % 7) }
        #expect(decoder.handle(Self.report(Array(message[..<56]), "]Q1", continues: true), at: .zero) == nil)
        #expect(decoder.handle(Self.report(Array(message[56..<112]), "]Q1", continues: true), at: .zero) == nil)
        #expect(
            decoder.handle(Self.report(Array(message[112...]), "]Q1"), at: .zero)
                == .scan(DeviceScan(bytes: message, symbologyIdentifier: "]Q1")))
        #expect(
            decoder.handle(Self.report([]), at: .zero) == nil && decoder.handle([], at: .zero) == nil
                && decoder.handle([2], at: .zero) == nil)
        #expect(decoder.handle([7] + Self.report([1]), at: .zero) == nil, "a report of another number")
    }

    @Test func endsThatDoNotCome() throws {
        var decoder = try #require(HIDScanDecoder(HIDReportDescriptor(Self.scanner), maximumLength: 200))
        let full = [UInt8](repeating: 0x41, count: 56)
        for _ in 0..<100 { #expect(decoder.handle(Self.report(full, continues: true), at: .zero) == nil) }
        #expect(decoder.handle(Self.report(full), at: .zero) == .discarded(.tooLong, length: 101 * 56))
        #expect(
            decoder.handle(Self.report([0x42]), at: .zero)
                == .scan(DeviceScan(bytes: [0x42], symbologyIdentifier: "]C1")), "the next is right")
        #expect(decoder.handle(Self.report(full, continues: true), at: .zero) == nil)
        #expect(decoder.disconnect() == .discarded(.disconnected, length: 56))
    }

    /// The beginning of a message whose end got lost is no part of the next one.
    @Test func anEndThatGotLost() throws {
        var decoder = try #require(HIDScanDecoder(HIDReportDescriptor(Self.scanner)))
        let full = [UInt8](repeating: 0x41, count: 56)
        #expect(decoder.handle(Self.report(full, continues: true), at: .seconds(1)) == nil)
        #expect(decoder.handle(Self.report(full, continues: true), at: .seconds(2)) == nil)
        #expect(decoder.deadline == .seconds(5) && decoder.advance(to: .milliseconds(4999)) == nil)
        #expect(decoder.advance(to: .seconds(5)) == .discarded(.withoutEnd, length: 112))
        #expect(decoder.deadline == nil && decoder.isReady)
        #expect(
            decoder.handle(Self.report([0x42]), at: .seconds(6))
                == .scan(DeviceScan(bytes: [0x42], symbologyIdentifier: "]C1")))
        // The same of a message of which the beginning was missed too.
        decoder.join(at: .seconds(7))
        #expect(decoder.handle(Self.report(full, continues: true), at: .seconds(7)) == nil)
        #expect(decoder.advance(to: .seconds(10)) == .discarded(.begunBefore, length: 56))
        #expect(decoder.isReady)
    }

    /// A gun that is sending when it is connected: the rest of a multi-report message is not a scan.
    @Test func joinedAmidAMessage() throws {
        var decoder = try #require(HIDScanDecoder(HIDReportDescriptor(Self.scanner)))
        let whole = FramedScan.scan(DeviceScan(bytes: [0x42], symbologyIdentifier: "]C1"))
        decoder.join(at: .seconds(1))
        #expect(!decoder.isReady && decoder.deadline == .milliseconds(1150))
        #expect(decoder.handle(Self.report([UInt8](repeating: 0x41, count: 56), continues: true), at: .zero) == nil)
        #expect(!decoder.isReady, "it has to end first")
        #expect(decoder.handle(Self.report([0x41]), at: .zero) == .discarded(.begunBefore, length: 57))
        #expect(decoder.isReady && decoder.handle(Self.report([0x42]), at: .zero) == whole)
        decoder.join(at: .seconds(2))
        #expect(decoder.advance(to: .milliseconds(2149)) == nil && !decoder.isReady)
        #expect(decoder.advance(to: .milliseconds(2150)) == nil && decoder.isReady)
        #expect(decoder.handle(Self.report([0x42]), at: .zero) == whole)
        decoder.join(at: .seconds(3))
        #expect(decoder.handle(Self.report([0x41], continues: true), at: .zero) == nil)
        #expect(decoder.disconnect() == .discarded(.begunBefore, length: 1))
    }

    /// The descriptor of a Dymo scale: report 3 with status, unit, exponent and weight.
    static let scale: [UInt8] = [
        0x05, 0x8D, 0x09, 0x20, 0xA1, 0x01, 0x85, 0x03, 0x09, 0x32, 0xA1, 0x02, 0x15, 0x01, 0x25, 0x08, 0x75, 0x08,
        0x95,
        0x01, 0x09, 0x70, 0xA1, 0x02, 0x09, 0x71, 0x09, 0x72, 0x09, 0x73, 0x09, 0x74, 0x09, 0x75, 0x09, 0x76, 0x09,
        0x77,
        0x09, 0x78, 0x81, 0x00, 0xC0, 0x15, 0x01, 0x25, 0x0C, 0x09, 0x50, 0xA1, 0x02, 0x19, 0x51, 0x29, 0x5C, 0x81,
        0x00,
        0xC0, 0x15, 0x81, 0x25, 0x7F, 0x09, 0x41, 0x81, 0x02, 0x15, 0x00, 0x27, 0xFF, 0xFF, 0x00, 0x00, 0x75, 0x10,
        0x09,
        0x40, 0x81, 0x02, 0xC0, 0xC0,
    ]

    @Test(
        arguments: [
            (
                "stable", [3, 4, 11, 0xFF, 0x7B, 0x00],
                .weight(WeightReading(value: "12.3", unit: .ounce, isStable: true))
            ),
            ("grams", [3, 4, 2, 0, 0xE8, 0x03], .weight(WeightReading(value: "1000", unit: .gram, isStable: true))),
            ("zero", [3, 2, 2, 0, 0, 0], .weight(WeightReading(value: "0", unit: .gram, isStable: true))),
            (
                "below zero", [3, 5, 3, 0xFD, 5, 0],
                .weight(WeightReading(value: "-0.005", unit: .kilogram, isStable: true))
            ),
            ("in motion", [3, 3, 2, 0, 1, 0], .unavailable(.inMotion)),
            ("over", [3, 6, 2, 0, 1, 0], .unavailable(.overload)),
            ("calibration", [3, 7, 2, 0, 1, 0], .unavailable(.calibration)),
            ("no such unit", [3, 4, 13, 0, 1, 0], nil), ("another report", [4, 4, 2, 0, 1, 0], nil),
            ("cut", [3, 4, 2], nil),
            ("empty", [], nil), ("a wild exponent", [3, 4, 2, 0x7F, 1, 0], nil),
        ] as [(String, [UInt8], ScaleMessage?)])
    func aScale(_ label: String, _ report: [UInt8], _ expected: ScaleMessage?) throws {
        let decoder = try #require(HIDScaleDecoder(HIDReportDescriptor(Self.scale)))
        #expect(decoder.decode(report) == expected, "\(label)")
    }

    /// A scale whose weight has a sign of its own says "under zero" besides.
    @Test func aScaleWithSigns() throws {
        let unsigned: [UInt8] = [0x15, 0x00, 0x27, 0xFF, 0xFF, 0x00, 0x00]
        let range = try #require(Self.scale.firstRange(of: unsigned))
        var descriptor = Self.scale
        descriptor.replaceSubrange(range, with: [0x16, 0x00, 0x80, 0x26, 0xFF, 0x7F])
        let decoder = try #require(HIDScaleDecoder(HIDReportDescriptor(descriptor)))
        let weight = WeightReading(value: "-0.005", unit: .kilogram, isStable: true)
        #expect(decoder.decode([3, 5, 3, 0xFD, 0xFB, 0xFF]) == .weight(weight))
    }

    /// Modified and random descriptors and reports do no harm.
    @Test func rubbish() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var count = 0
        for round in 0..<20_000 {
            var bytes = round % 2 == 0 ? Self.scanner : Self.scale
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let descriptor = HIDReportDescriptor(bytes)
            let report = (0..<Int.random(in: 0...70, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if var decoder = HIDScanDecoder(descriptor), decoder.handle(report, at: .zero) != nil { count += 1 }
            if let decoder = HIDScaleDecoder(descriptor), decoder.decode(report) != nil { count += 1 }
        }
        #expect(count > 0, "some must still be read, or this tries nothing; seed \(seed)")
    }
}
