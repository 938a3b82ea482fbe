import BarcodeCore
import ImageCodecs
import TestSupport
import Testing
import VideoCapture

@testable import StationDevices

@Suite(.timeLimit(.minutes(10))) struct ReplayTests {
    /// The result of one round.
    private struct Outcome: Equatable {
        var order: [UInt8] = []
        var skipped: [String] = []
        var empty: [CaptureError.Code] = []
        var starts = 0
        var stamps: [Duration] = []
        var sequences: [UInt32] = []

        mutating func note(_ event: ReplayPlayer.Event) {
            switch event {
            case .started: starts += 1
            case .skipped(let error): skipped.append(String(error.subject?.split(separator: "/").last ?? ""))
            case .empty(let error): empty.append(error.code)
            }
        }

        mutating func note(_ frame: CapturedFrame) {
            let value = frame.image[x: 0, y: 0]
            if order.last != value { order.append(value) }
            stamps.append(frame.timestamp)
            sequences.append(frame.sequence)
        }
    }

    private func play(_ path: String, rate: Double, rounds: Int) -> (Outcome, took: Duration) {
        // Its clock advances while something waits.
        let calls = FakeCamera()
        let start = calls.now()
        var round = ReplayRound(path: path, rate: rate, calls: calls)
        var outcome = Outcome()
        for _ in 0..<rounds {
            var events: [ReplayPlayer.Event] = []
            round.play(until: { false }, onEvent: { events.append($0) }) { outcome.note($0) }
            for event in events { outcome.note(event) }
        }
        return (outcome, calls.now() - start)
    }

    @Test func picturesStayAndComeAgain() throws {
        let folder = try PictureFolder()
        try folder.write(20, to: "a.png")
        try folder.write(Array("no picture".utf8), to: "b.jpg")
        try folder.write(30, width: 200, height: 100, to: "c.png")
        try folder.write(Array("not looked at".utf8), to: "d.txt")
        let (outcome, took) = play(folder.path, rate: 10, rounds: 2)
        #expect(outcome.order == [20, 30, 20, 30])
        #expect(outcome.skipped == ["b.jpg", "b.jpg"])
        #expect(outcome.starts == 1)
        #expect(outcome.sequences == Array(0..<60))
        // Four times 1.5 seconds; the first frame comes at once.
        #expect(took == .milliseconds(5900))
        #expect(zip(outcome.stamps, outcome.stamps.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(100) })
    }

    @Test func aStreamHasItsOwnRate() throws {
        let folder = try PictureFolder()
        var bytes = Array("YUV4MPEG2 W4 H2 F5:1 Cmono\n".utf8)
        for value: UInt8 in [1, 2, 3] { bytes += Array("FRAME\n".utf8) + [UInt8](repeating: value, count: 8) }
        try folder.write(bytes, to: "clip.y4m")
        let (outcome, took) = play("\(folder.path)/clip.y4m", rate: 30, rounds: 3)
        #expect(outcome.order == [1, 2, 3, 1, 2, 3, 1, 2, 3])
        #expect(took == .milliseconds(1600))
    }

    @Test func aStreamThatIsCutOffIsPlayedUpToThere() throws {
        let folder = try PictureFolder()
        var bytes = Array("YUV4MPEG2 W4 H2 F5:1 Cmono\nFRAME\n".utf8) + [UInt8](repeating: 1, count: 8)
        bytes += Array("FRAME\n".utf8) + [2, 2]
        try folder.write(bytes, to: "clip.y4m")
        let (outcome, _) = play("\(folder.path)/clip.y4m", rate: 30, rounds: 2)
        #expect(outcome.sequences == [0, 1])
        #expect(outcome.skipped == ["clip.y4m", "clip.y4m"])
    }

    @Test func whereNothingCanBePlayedItIsTriedAgain() throws {
        let folder = try PictureFolder()
        try folder.write(Array("no picture".utf8), to: "b.jpg")
        let (outcome, took) = play(folder.path, rate: 30, rounds: 2)
        #expect(outcome.empty == [.badRecording, .badRecording])
        #expect(took == .seconds(2))
        let (missing, _) = play("\(folder.path)/nowhere", rate: 30, rounds: 1)
        #expect(missing.empty == [.notFound])
    }

    @Test func aStationPlaysAFolder() async throws {
        let folder = try PictureFolder()
        try folder.write(20, width: 300, height: 200, to: "a.png")
        let bench = Bench(.replay(path: folder.path, framesPerSecond: 200))
        try await bench.run { camera in
            // Longer than one picture is shown; its code is still reported once.
            try await bench.frames { camera.counts.frames > 320 }
            #expect(bench.texts == ["20"])
            #expect(bench.readings.first?.file == "\(folder.path)/a.png")
            let state = camera.state
            #expect(state.status == .running)
            #expect(state.path == folder.path)
            #expect(state.card == folder.path.split(separator: "/").last.map(String.init))
            #expect(state.size == PixelSize(width: 300, height: 200))
            #expect(state.rate > 0)
        }
    }

    @Test func aRecordingThatIsMissingIsSaid() async throws {
        let bench = Bench(.replay(path: "/nowhere/at-all", framesPerSecond: 30))
        try await bench.run { _ in
            let state = try await bench.state { $0.problem != nil }
            #expect(state.status == .lost)
            #expect(state.problem == "/nowhere/at-all: there is no such recording")
        }
    }
}
