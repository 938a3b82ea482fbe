import BarcodeCore
import Testing

@testable import StationDevices

/// When the person at the camera is told why a code is not read.
@Suite struct ReadingAdviceTests {
    struct Frame: Sendable {
        var milliseconds: Int
        var reasons: [UnreadSymbol.Reason] = []
        var isRead = false
        /// The reason to tell after the frame.
        var told: UnreadSymbol.Reason?
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var frames: [Frame]
    }

    /// Frames that all show one reason, every 200 ms.
    static func steady(
        _ reason: UnreadSymbol.Reason, from start: Int = 0, until end: Int, told: UnreadSymbol.Reason? = nil
    ) -> [Frame] {
        stride(from: start, to: end, by: 200).map { Frame(milliseconds: $0, reasons: [reason], told: told) }
    }

    static let cases = [
        Case(
            testDescription: "a reason that lasts",
            frames: steady(.small, until: 800) + steady(.small, from: 800, until: 2000, told: .small)),
        Case(
            testDescription: "too few frames",
            frames: [
                Frame(milliseconds: 0, reasons: [.small]), Frame(milliseconds: 500, reasons: [.small]),
                Frame(milliseconds: 1000, reasons: [.small], told: .small),
            ]),
        Case(
            testDescription: "reasons that alternate",
            frames: (0..<20).map { Frame(milliseconds: $0 * 100, reasons: [$0 % 2 == 0 ? .small : .blurred]) }),
        Case(
            testDescription: "a frame in which nothing is seen",
            frames: steady(.glare, until: 800) + steady(.glare, from: 800, until: 1200, told: .glare)
                + [
                    Frame(milliseconds: 1300, told: .glare),
                    Frame(milliseconds: 1400, reasons: [.glare], told: .glare),
                ]),
        Case(
            testDescription: "nothing in view any more",
            frames: steady(.glare, until: 800) + steady(.glare, from: 800, until: 1200, told: .glare)
                + [Frame(milliseconds: 1300, told: .glare), Frame(milliseconds: 1600)]),
        Case(
            testDescription: "a code that is read, and another one after it",
            frames: steady(.small, until: 800) + steady(.small, from: 800, until: 1200, told: .small)
                + [Frame(milliseconds: 1200, reasons: [.small], isRead: true)] + steady(.small, from: 1400, until: 2200)
        ),
        Case(
            testDescription: "another reason takes over once it lasts",
            frames: steady(.small, until: 800) + steady(.small, from: 800, until: 1200, told: .small)
                + steady(.blurred, from: 1200, until: 2000, told: .small)
                + steady(.blurred, from: 2000, until: 2400, told: .blurred)),
        Case(
            testDescription: "the largest code counts",
            frames: (0..<4).map { Frame(milliseconds: $0 * 200, reasons: [.glare, .damaged]) }
                + [Frame(milliseconds: 800, reasons: [.glare, .damaged], told: .damaged)]),
        Case(
            testDescription: "another camera, with earlier times",
            frames: steady(.small, from: 5000, until: 5800) + [
                Frame(milliseconds: 5800, reasons: [.small], told: .small)
            ]
                + steady(.small, until: 800)),
    ]

    @Test(arguments: cases) func told(_ test: Case) {
        var advice = ReadingAdvice()
        for frame in test.frames {
            // Each symbol is larger than the one before it.
            let unread = frame.reasons.enumerated().map { index, reason in
                UnreadSymbol(
                    kind: .linear, corners: Self.square(Double(10 * (index + 1))), moduleSize: 1, reason: reason)
            }
            let symbols = frame.isRead ? [GrayCode.symbol(2, in: GrayCode.image(2))] : []
            advice.note(symbols, unread: unread, at: .milliseconds(frame.milliseconds))
            #expect(advice.reason == frame.told, "at \(frame.milliseconds) ms")
        }
    }

    static func square(_ side: Double) -> Quadrilateral {
        Quadrilateral(
            topLeft: Point(x: 0, y: 0), topRight: Point(x: side, y: 0), bottomRight: Point(x: side, y: side),
            bottomLeft: Point(x: 0, y: side))
    }
}
