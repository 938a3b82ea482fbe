import BarcodeCore
import DeviceAccess
import Glibc
import TestSupport
import Testing

@testable import VideoCapture

/// Cameras that are commands, with shell scripts in the role of the programs.
@Suite(.timeLimit(.minutes(5))) struct CommandCameraTests {
    /// A loop and what it reports.
    struct Bench: ~Copyable {
        final class Record {
            var events: [CaptureEvent] = []
            var frames: [CapturedFrame] = []

            /// The errors that the camera was lost for.
            var losses: [CaptureError] {
                events.compactMap { if case .lost(let error) = $0 { error } else { nil } }
            }
        }

        let record = Record()
        var loop: CommandLoop

        /// Creates a loop for a script, or for a command after `exec:`.
        init(
            script: String? = nil, _ command: String = "", stall: Duration = .seconds(60)
        ) throws {
            let text = script.map { "sh -c '\($0)'" } ?? command
            let timing = CaptureState.Timing(
                firstRetry: .milliseconds(1), maximumRetryDelay: .milliseconds(5), stall: stall)
            let record = record
            loop = CommandLoop(
                try #require(try CaptureCommand("exec:\(text)")), wakeup: WakeupEvent(), timing: timing,
                report: { record.events.append($0) }, deliver: { record.frames.append($0) })
        }

        /// Steps until a condition holds; the suite's time limit ends a wait in vain.
        mutating func run(until condition: (Record, CaptureCounts) -> Bool) {
            while !condition(record, loop.counts) { loop.step() }
        }
    }

    static let header = #"printf "YUV4MPEG2 W4 H2 F30:1 Cmono\n";"#
    static let frame = #"printf "FRAME\nabcdefgh";"#

    @Test func framesOfACommandAreDelivered() throws {
        var bench = try Bench(script: "\(Self.header) \(Self.frame) sleep 100")
        bench.run { record, _ in !record.frames.isEmpty }
        let frame = try #require(bench.record.frames.first)
        #expect(frame.image.withUnsafePixels { Array($0) } == Array("abcdefgh".utf8))
        #expect((frame.image.width, frame.image.height) == (4, 2))
        let format = CaptureFormat(pixelFormat: .gray, width: 4, height: 2, bytesPerLine: 4, imageBytes: 8, rate: 30)
        #expect(bench.record.events == [.started(format)])
    }

    @Test func newestOfTheWaitingFramesIsDelivered() throws {
        var bench = try Bench(script: "\(Self.header) \(Self.frame)\(Self.frame)\(Self.frame) echo x >&2; sleep 100")
        bench.run { _, counts in counts.captured + counts.superseded == 3 }
        #expect(bench.record.frames.last?.sequence == 2)
        #expect(bench.loop.counts.captured == bench.record.frames.count)
    }

    @Test func commandThatEndsIsStartedAgainAndReportedOnce() throws {
        var bench = try Bench(script: "echo busy >&2; echo no such camera >&2; echo >&2; exit 3")
        bench.run { _, counts in counts.starts >= 4 }
        #expect(
            bench.record.losses == [
                CaptureError(
                    .programFailed, "sh ended with exit status 3: no such camera", subject: "exec:sh")
            ])
        #expect(bench.loop.counts.lost == 1)
    }

    @Test func commandThatWritesNoVideoAndEndsIsToldSo() throws {
        let picture = ProgramRunner.samplesFolder + "ean13.png"
        for (script, ending) in [
            ("echo usage", "ended with exit status 0 and writes no frames that can be read; let it write Y4M,"),
            ("cat \(picture); exit 2", "ended with exit status 2 and writes no frames"),
            ("cat \(picture); echo no camera >&2; exit 2", "ended with exit status 2: no camera"),
        ] {
            var bench = try Bench(script: script)
            bench.run { _, counts in counts.lost >= 1 }
            #expect(bench.record.losses.first?.message.hasPrefix("sh \(ending)") == true, "\(bench.record.losses)")
        }
    }

    @Test func commandThatEndsAfterAFrameIsStartedAgain() throws {
        var bench = try Bench(script: "\(Self.header) \(Self.frame)")
        bench.run { record, _ in record.frames.count >= 3 }
        #expect(bench.loop.counts.starts >= 3)
        #expect(bench.loop.counts.broken == 0)
    }

    @Test func frameThatIsCutOffIsCountedAndNotDelivered() throws {
        var bench = try Bench(script: #"\#(Self.header) printf "FRAME\nabc""#)
        bench.run { _, counts in counts.broken >= 2 }
        #expect(bench.record.frames.isEmpty)
    }

    @Test func garbageIsAnError() throws {
        var bench = try Bench("cat /dev/zero")
        bench.run { _, counts in counts.starts >= 3 }
        #expect(bench.record.losses.map(\.code) == [.badStream])
        #expect(bench.loop.counts.captured == 0)
    }

    @Test func commandThatWritesWithoutAPauseIsDrained() throws {
        var bench = try Bench("cat /dev/zero#size=32x32#format=GREY")
        bench.run { record, counts in record.frames.count >= 5 && counts.superseded > 0 }
        #expect(bench.record.losses.isEmpty)
        #expect(bench.loop.counts.starts == 1)
    }

    @Test func silenceRestartsTheCommand() throws {
        var bench = try Bench(script: "\(Self.header) sleep 100", stall: .milliseconds(30))
        bench.run { _, counts in counts.starts >= 3 }
        #expect(bench.record.events.contains(.stalled))
    }

    @Test func endlessMessagesDoNotStopTheFrames() throws {
        var bench = try Bench(
            script: "yes problem >&2 & \(Self.header) while :; do \(Self.frame) sleep 0.01; done")
        bench.run { record, _ in record.frames.count >= 20 }
        #expect(bench.record.losses.isEmpty)
    }

    @Test func commandThatIgnoresSIGTERMIsKilledWithItsChildren() throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/processes"
        var bench = try Bench(
            script: "trap \"\" TERM; sleep 1000 & echo $$ $! > \(file); \(Self.header) \(Self.frame) wait")
        bench.run { record, _ in !record.frames.isEmpty }
        bench.loop.close()
        let text = try #require(DeviceFiles.line(of: file))
        let processes = text.split(separator: " ").compactMap { pid_t($0) }
        #expect(processes.count == 2)
        // The child of the command belongs to init now, which may not have waited for it yet.
        #expect(kill(processes[0], 0) == -1 && errno == ESRCH)
        while kill(processes[1], 0) == 0, Self.state(processes[1]) != "Z" { usleep(1000) }
    }

    static func state(_ process: pid_t) -> Substring? {
        DeviceFiles.line(of: "/proc/\(process)/stat")?.split(separator: " ").dropFirst(2).first
    }

    @Test func brokenJPEGIsCounted() throws {
        let folder = try TemporaryFolder()
        let whole = try JPEGFrameTests.sample("qr-colour.jpg")
        var damaged = whole
        // Decodes to something else or not at all, but must not end the stream.
        damaged.removeSubrange(whole.count / 2..<whole.count - 2)
        let file = try folder.file("video.mjpeg", whole + damaged.dropLast(2) + whole)
        var bench = try Bench("cat \(file)")
        bench.run { _, counts in counts.captured + counts.superseded >= 2 && counts.broken >= 1 }
        #expect(bench.record.frames.allSatisfy { $0.image.width > 0 })
    }

    @Test func missingProgramIsSaid() throws {
        let command = try #require(try CaptureCommand("exec:no-such-program-here -x"))
        #expect(
            throws: CaptureError(
                .notFound, "the program no-such-program-here is not installed; install it, or correct the command",
                subject: "exec:no-such-program-here", cause: SystemError("execvp", errno: ENOENT))
        ) { _ = try Camera(command: command) }
    }

    @Test func cameraStopsWhileItsCommandIsSilent() async throws {
        let command = try #require(try CaptureCommand("exec:sh -c '\(Self.header) \(Self.frame) sleep 1000'"))
        let camera = try Camera(command: command)
        var count = 0
        for await frame in camera.frames {
            count += 1
            #expect(frame.image.width == 4)
            camera.stop()
        }
        // On a busy machine the command may be restarted before this stops it: then it writes its frame again.
        #expect(count >= 1)
        #expect(camera.counts.captured >= count)
        #expect(camera.path == "exec:sh")
    }
}
