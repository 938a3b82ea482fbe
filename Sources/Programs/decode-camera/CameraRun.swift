import BarcodeCore
import DecodeReports
import DecodeWorkers
import FrameDecoding
import Glibc
import ImageCodecs
import Logging
import ProgramSupport
import VideoCapture

/// The exit status of the program.
enum RunOutcome: Int32 {
    case success = 0
    case failure = 1
    case nothingRead = 4
}

/// One run of the program.
struct CameraRun: Sendable {
    let command: CameraCommand

    /// Runs as the command line says.
    ///
    /// All errors have been reported when it returns.
    func run() async -> RunOutcome {
        ProcessLimits.keepFreedMemory()
        do {
            if command.output.list { return try list() }
            let pool = WorkerPool(
                settings: WorkerMode.framePool,
                logger: Logger(label: "decode-camera") { _ in SwiftLogNoOpLogHandler() })
            async let _: Void = pool.run()
            defer { pool.finish() }
            let decoder = LiveDecoder(FrameDecoder(settings: command.reading.settings, pool: pool))
            if let path = command.camera.replay { return try await replay(path, by: decoder) }
            return try await live(by: decoder)
        } catch let error as OutputError {
            Streams.say("the output could not be written: \(error.reason)")
        } catch {
            Streams.say("\(error)")
        }
        return .failure
    }

    private func list() throws -> RunOutcome {
        if let path = command.camera.device {
            for setting in command.camera.set { try CaptureDevice(path: path).set(setting.name, to: setting.value) }
            try Streams.write(CameraListing.text(CameraList.describe(path: path)))
            return .success
        }
        let cameras = CameraList.all()
        for camera in cameras {
            switch camera {
            case .success(let description): try Streams.write(CameraListing.text(description))
            case .failure(let error): Streams.say("\(error)")
            }
        }
        if cameras.isEmpty { Streams.say("there is no camera") }
        return cameras.contains { if case .success = $0 { true } else { false } } ? .success : .failure
    }

    // MARK: a recording

    private func replay(_ path: String, by decoder: LiveDecoder) async throws -> RunOutcome {
        var recording = try RecordedFrames(path: path)
        // A recording has its own clock, so that the result does not depend on the speed of this machine.
        let interval = Duration.seconds(1 / (recording.rate ?? command.camera.rate))
        let end = command.reading.timeout.map { Duration.seconds($0) }
        var statistics = RunStatistics(now: .monotonicNow)
        var outcome = RunOutcome.nothingRead
        var hasFailed = false
        var time = Duration.zero
        while end.map({ time < $0 }) ?? true {
            let start = Duration.monotonicNow
            do {
                guard var frame = try recording.next() else { break }
                statistics.counts.captured += 1
                frame.counts = statistics.counts
                if let file = command.output.snapshot { return try snapshot(frame, to: file) }
                let result = try await decoder.decode(frame, at: time)
                statistics.add(result)
                if try report(result, load: frame.timestamp - start, camera: nil) { outcome = .success }
            } catch let error as CaptureError {
                Streams.say(error.description)
                hasFailed = true
            } catch let error as DecodeError where error.isLossOfWorker {
                Streams.say("\(error)")
                hasFailed = true
            }
            time += interval
            if command.output.once, outcome == .success { break }
        }
        if command.output.stats { Streams.say(statistics.text(at: .monotonicNow)) }
        if statistics.counts.captured == 0, !hasFailed {
            Streams.say("\(path): contains no frame")
            return .failure
        }
        return hasFailed ? .failure : outcome
    }

    // MARK: a camera

    private func live(by decoder: LiveDecoder) async throws -> RunOutcome {
        let isQuiet = command.output.quiet
        let note: @Sendable (CaptureEvent) -> Void = { if !isQuiet { Streams.say(EventText.of($0)) } }
        let camera =
            if let source = try command.camera.command() {
                try Camera(command: source, onEvent: note)
            } else {
                try Camera(
                    path: command.camera.device, request: command.camera.request, controls: command.camera.set,
                    onEvent: note)
            }
        // Each of them ends the stream of frames, and with it the loop.
        let signals = StopSignals { _ in camera.stop() }
        defer { signals.end() }
        let timer = command.reading.timeout.map { StopTimer(seconds: $0) { camera.stop() } }
        defer { timer?.end() }
        if let file = command.output.snapshot { return try await snapshot(from: camera, to: file) }
        var statistics = RunStatistics(now: .monotonicNow)
        var outcome = RunOutcome.nothingRead
        for await frame in camera.frames {
            do {
                let result = try await decoder.decode(frame)
                statistics.add(result)
                if try report(result, load: .zero, camera: (camera.path, camera.card)) { outcome = .success }
            } catch let error as DecodeError where error.isLossOfWorker {
                Streams.say("\(error)")
            }
            if command.output.stats, statistics.isDue(at: .monotonicNow) {
                statistics.counts = camera.counts
                Streams.say(statistics.text(at: .monotonicNow))
            }
            if command.output.once, outcome == .success { break }
        }
        camera.stop()
        statistics.counts = camera.counts
        if command.output.stats { Streams.say(statistics.text(at: .monotonicNow)) }
        if statistics.counts.captured == 0 {
            Streams.say("\(camera.path): no frame arrived")
            return .failure
        }
        return outcome
    }

    /// Writes the new codes of a frame; returns true if there were any.
    private func report(_ result: FrameResult, load: Duration, camera: (String, String)?) throws -> Bool {
        guard !result.reading.newSymbols.isEmpty else { return false }
        if command.output.json {
            try Streams.write(JSONLine.encode(CameraReport(result, load: load, camera: camera)))
        } else {
            // On a terminal, a line feed in a code would begin a line that looks like another code.
            let isForTerminal = isatty(STDOUT_FILENO) == 1
            let lines = result.reading.newSymbols.map { symbol in
                "\(symbol.symbology): \(isForTerminal ? symbol.text.printable : symbol.text)"
                    + "\(symbol.addOn.map { " + \($0)" } ?? "")\n"
            }
            try Streams.write(lines.joined())
        }
        return true
    }

    // MARK: a still

    /// The number of frames that a camera needs to adjust its exposure.
    private static let warmUp = 5

    private func snapshot(from camera: Camera, to file: String) async throws -> RunOutcome {
        var (count, newest) = (0, CapturedFrame?.none)
        for await frame in camera.frames {
            newest = frame
            count += 1
            if count >= Self.warmUp { camera.stop() }
        }
        // A camera that ends, or a timeout, leaves the newest of fewer frames.
        if let newest { return try snapshot(newest, to: file) }
        Streams.say("\(camera.path): no frame arrived, so \(file) was not written")
        return .failure
    }

    private func snapshot(_ frame: CapturedFrame, to file: String) throws -> RunOutcome {
        let image = frame.image
        let png = try image.withUnsafePixels { pixels in
            try PNGWriter.encode(gray: Array(pixels), width: image.width, height: image.height)
        }
        do throws(OutputError) {
            try Streams.write(png, toFile: file)
        } catch {
            Streams.say("\(file): could not be written: \(error.reason)")
            return .failure
        }
        return .success
    }
}
