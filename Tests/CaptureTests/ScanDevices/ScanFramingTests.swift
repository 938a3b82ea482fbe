import TestSupport
import Testing

@testable import ScanDevices

@Suite struct ScanFramingTests {
    /// Serial input and the expected messages.
    @Test(arguments: [
        ("a code and CR", "4006381333931\r", ["4006381333931"]),
        ("CR LF", "one\r\ntwo\r\n", ["one", "two"]),
        ("LF alone", "one\ntwo\n", ["one", "two"]),
        ("empty lines", "\r\n\r\n\none\r\r", ["one"]),
        ("GS inside", "0101\u{1D}10A\r", ["0101\u{1D}10A"]),
        ("blanks stay", "  a b \r", ["  a b "]),
    ])
    func lines(_ label: String, _ sent: String, _ expected: [String]) {
        var decoder = LineScanDecoder()
        let scans = decoder.handle(sent.utf8, at: .seconds(1))
        #expect(scans.map(\.text) == expected, "\(label)")
        #expect(decoder.deadline == nil)
    }

    /// The messages do not depend on how the bytes are split.
    @Test func cuts() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var codes: [[UInt8]] = []
            for _ in 0..<5 {
                let length = Int.random(in: 1...30, using: &random)
                codes.append((0..<length).map { _ in UInt8.random(in: 0x0E...0xFF, using: &random) })
            }
            var decoder = LineScanDecoder()
            var scans: [FramedScan] = []
            var sent: [UInt8] = []
            for code in codes { sent += code + [0x0D, 0x0A] }
            while !sent.isEmpty {
                let count = Int.random(in: 1...7, using: &random)
                scans += decoder.handle(sent.prefix(count), at: .seconds(1))
                sent.removeFirst(min(count, sent.count))
            }
            #expect(scans == codes.map { .scan(DeviceScan(bytes: $0)) }, "seed \(seed)")
        }
    }

    @Test func aMegabyteWithoutAnEnd() {
        var decoder = LineScanDecoder()
        for _ in 0..<1024 { #expect(decoder.handle(repeatElement(0x41, count: 1024), at: .seconds(1)).isEmpty) }
        let scans = decoder.handle("\rnext\r".utf8, at: .seconds(2))
        #expect(scans == [.discarded(.tooLong, length: 1 << 20), .scan(DeviceScan(bytes: Array("next".utf8)))])
    }

    @Test(arguments: [0, 1, 8191, 8192, 8193])
    func theLongestMessage(_ length: Int) {
        var decoder = LineScanDecoder(framing: ScanFraming(prefix: Array("<<".utf8), suffix: Array(">>".utf8)))
        let message = [UInt8](repeating: 0x30, count: length)
        let scans = decoder.handle("<<".utf8 + message + ">>\r".utf8, at: .seconds(1))
        let expected: FramedScan =
            length <= 8192 ? .scan(DeviceScan(bytes: message)) : .discarded(.tooLong, length: length + 4)
        #expect(scans == [expected])
    }

    @Test(
        arguments: [
            ("<1>", "1"), ("<>", ""), ("1>", nil), ("<1", nil), ("<", nil), ("x<1>", nil),
        ] as [(String, String?)])
    func prefixAndSuffix(_ sent: String, _ expected: String?) {
        var decoder = LineScanDecoder(framing: ScanFraming(prefix: [0x3C], suffix: [0x3E]))
        let scans = decoder.handle((sent + "\r").utf8, at: .seconds(1))
        #expect(
            scans == [
                expected.map { .scan(DeviceScan(bytes: Array($0.utf8))) }
                    ?? .discarded(.withoutFrame, length: sent.utf8.count)
            ])
    }

    @Test(
        arguments: [
            ("]C10101", "]C1", "0101"), ("]d2", "]d2", ""), ("]Q3]C1", "]Q3", "]C1"), ("0101", nil, nil),
            ("]C", nil, nil),
            ("]11a", nil, nil), ("]CÃ", nil, nil),
        ] as [(String, String?, String?)])
    func identifiers(_ sent: String, _ identifier: String?, _ message: String?) {
        var decoder = LineScanDecoder(framing: ScanFraming(hasIdentifier: true))
        let scans = decoder.handle((sent + "\r").utf8, at: .seconds(1))
        #expect(
            scans == [
                message.map { .scan(DeviceScan(bytes: Array($0.utf8), symbologyIdentifier: identifier)) }
                    ?? .discarded(.withoutIdentifier, length: sent.utf8.count)
            ])
    }

    /// A partial code is never reported as a code.
    @Test func anEndThatDoesNotCome() {
        var decoder = LineScanDecoder()
        #expect(decoder.handle("400638".utf8, at: .seconds(10)).isEmpty)
        #expect(decoder.deadline == .seconds(13))
        #expect(decoder.advance(to: .seconds(12)) == nil)
        #expect(decoder.advance(to: .seconds(13)) == .discarded(.withoutEnd, length: 6))
        #expect(decoder.deadline == nil && decoder.advance(to: .seconds(20)) == nil)
        #expect(decoder.handle("next\r".utf8, at: .seconds(20)).map(\.text) == ["next"])
        _ = decoder.handle("half".utf8, at: .seconds(21))
        #expect(decoder.disconnect() == .discarded(.disconnected, length: 4))
        #expect(decoder.disconnect() == nil)
    }

    /// A gun that is sending when it is connected: the partial code is discarded, however it looks.
    ///
    /// Each case has the input with its times in milliseconds, and all reported scans.
    @Test(
        arguments: [
            ("silence first", [(200, "whole\r")], ["whole"]),
            ("the rest of a code", [(0, "81333931\r"), (1, "whole\r")], [nil, "whole"]),
            ("in pieces", [(0, "8133"), (149, "39"), (149, "31\rwh"), (1, "ole\r")], [nil, "whole"]),
            ("a pause within it", [(100, "8133"), (2_000, "3931\r"), (1, "whole\r")], [nil, "whole"]),
            ("its end alone", [(0, "\r"), (1, "whole\r")], ["whole"]),
            ("half of its end", [(0, "\nwhole\r\n")], ["whole"]),
            ("no end of it", [(0, "8133"), (4_000, "whole\r")], [nil, "whole"]),
            ("longer than a code", [(0, String(repeating: "1", count: 9_000)), (1, "\rwhole\r")], [nil, "whole"]),
            ("a whole one at once", [(0, "first\rwhole\r")], [nil, "whole"]),
        ] as [(String, [(Int, String)], [String?])])
    func joinedAmidACode(_ label: String, _ sent: [(after: Int, text: String)], _ expected: [String?]) {
        var decoder = LineScanDecoder()
        var time: Duration = .seconds(10)
        decoder.join(at: time)
        #expect(!decoder.isReady && decoder.deadline == .milliseconds(10_150))
        var scans: [FramedScan] = []
        for (wait, text) in sent {
            time += .milliseconds(wait)
            while let deadline = decoder.deadline, deadline <= time {
                if let scan = decoder.advance(to: deadline) { scans.append(scan) }
            }
            scans += decoder.handle(text.utf8, at: time)
        }
        #expect(scans.map(\.text) == expected, "\(label): \(scans)")
        for case .discarded(let reason, _) in scans { #expect(reason == .begunBefore, "\(label)") }
        #expect(decoder.isReady && decoder.deadline == nil)
    }

    /// The gun is not ready while it sends without an end; the discarded data is reported when the connection ends.
    @Test func joinedAndNeverReady() {
        var decoder = LineScanDecoder(framing: ScanFraming(end: .pause(.milliseconds(200))))
        decoder.join(at: .zero)
        #expect(decoder.handle("half".utf8, at: .milliseconds(10)).isEmpty && !decoder.isReady)
        #expect(decoder.deadline == .milliseconds(210))
        #expect(decoder.advance(to: .milliseconds(210)) == .discarded(.begunBefore, length: 4))
        #expect(decoder.isReady)
        decoder.join(at: .seconds(1))
        #expect(decoder.disconnect() == nil, "nothing has come")
        decoder.join(at: .seconds(2))
        _ = decoder.handle("half".utf8, at: .seconds(2))
        #expect(decoder.disconnect() == .discarded(.begunBefore, length: 4))
    }

    @Test func anEndByAPause() {
        var decoder = LineScanDecoder(framing: ScanFraming(end: .pause(.milliseconds(200))))
        #expect(decoder.handle("one".utf8, at: .milliseconds(1000)).isEmpty)
        #expect(decoder.handle("two".utf8, at: .milliseconds(1199)).isEmpty)
        #expect(decoder.deadline == .milliseconds(1399))
        #expect(decoder.advance(to: .milliseconds(1399))?.text == "onetwo")
    }
}
