import ArgumentParser
import BarcodeCore
import FrameDecoding
import Glibc
import ImageCodecs
import TestSupport
import VideoCapture

/// Measures the cost of capturing, with a camera simulated at the level of system calls.
struct CameraTrials: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras", abstract: "Measure the cost of capturing.")

    @Argument(help: "A picture with a code, which the decoded frames show.")
    var picture: String

    func run() async throws { try await Self.measure(showing: picture) }

    static let size = PixelSize(width: 1280, height: 720)

    private static func measure(showing picture: String) async throws {
        var failures = 0
        func judge(_ holds: Bool, _ text: String) {
            print("\(holds ? "ok" : "FAILED"): \(text)")
            if !holds { failures += 1 }
        }
        for format in [PixelFormat.gray, .yuyv] {
            let share = try await captureLoad(format, seconds: 6)
            judge(share < 0.05, "\(format) 1280x720 at 30 frames/s takes \(percent(share)) of a core; the limit is 5 %")
        }
        let (early, late, frames) = try await memory(frames: 100_000)
        judge(
            late - early < 4096,
            "over \(frames) frames of 1280x720 memory went from \(early) KiB to \(late) KiB; the limit is 4096 KiB more"
        )
        let leaks = try cycles(1000)
        judge(leaks == Leaks(), "1000 cameras opened and closed left \(leaks)")
        let live = try await latency(showing: picture, seconds: 6)
        let most = FrameTimes.interval + live.decode50
        judge(
            live.latency50 <= most,
            "exposure to result takes \(text(live.latency50)) (p99 \(text(live.latency99))) with \(text(live.decode50)) "
                + "of decoding; the limit is \(text(most))")
        judge(
            live.age90 < FrameTimes.interval,
            "a frame is \(text(live.age90)) old at the most when its decoding begins (p90); a newer one comes after 33.3 ms"
        )
        judge(live.isNewest, "of \(live.frames) decoded frames none was older than one before it")
        let packing = try StationTrials.packing(frame(showing: picture), size: size)
        judge(
            packing.time < .milliseconds(15),
            "packing 1280x720 as a JPEG of \(packing.bytes) bytes takes \(text(packing.time)); the limit is 15 ms")
        let shown = try await StationTrials.memory(
            frame(showing: picture), size: size, resident: residentKiB)
        judge(
            shown.late - shown.early < 4096,
            "a station's camera with 51 viewers went from \(shown.early) KiB to \(shown.late) KiB; the limit is 4096 "
                + "KiB more"
        )
        judge(
            shown.encoded <= shown.previews + 2,
            "\(shown.encoded) frames were packed for 51 viewers, of which one took \(shown.previews)")
        if failures > 0 { throw ExitCode.failure }
    }

    static func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }

    static func text(_ time: Duration) -> String { "\((time / .milliseconds(1) * 10).rounded() / 10) ms" }

    /// The processor load of this process, as a share of a core, while the frames are ignored.
    ///
    /// It includes the capture thread, the simulated camera, and the consumer of the frames.
    private static func captureLoad(_ format: PixelFormat, seconds: Int) async throws -> Double {
        let fake = FakeCamera(isRealTime: true) { $0.modes = [FakeMode(format, size)] }
        let camera = try Camera(path: nil, request: .init(), calls: fake)
        var start: (cpu: Duration, wall: Duration)?
        for await frame in camera.frames {
            // The first frames allocate memory that stays in use. On a busy machine, any of them may be missed.
            if frame.sequence >= 10, start == nil { start = (processTime(), .monotonicNow) }
            if frame.sequence >= 10 + seconds * 30 { break }
        }
        let end = (cpu: processTime(), wall: Duration.monotonicNow)
        camera.stop()
        guard let start else { return 1 }
        return (end.cpu - start.cpu) / (end.wall - start.wall)
    }

    /// The memory in KiB after a tenth of the frames and after all of them, taken as fast as possible.
    private static func memory(frames: Int) async throws -> (early: Int, late: Int, frames: Int) {
        let fake = FakeCamera { $0.modes = [FakeMode(.gray, size)] }
        let camera = try Camera(path: nil, request: .init(), calls: fake)
        var early: Int?
        var count = 0
        for await frame in camera.frames {
            count = frame.counts.captured
            if count >= frames / 10, early == nil { early = residentKiB() }
            if count >= frames { break }
        }
        camera.stop()
        return (early ?? 0, residentKiB(), count)
    }

    struct Leaks: Equatable, CustomStringConvertible {
        var descriptors = 0
        var mappings = 0
        var threads = 0
        var files = 0
        var description: String {
            "\(descriptors) descriptors, \(mappings) mappings, \(threads) threads, \(files) files"
        }
    }

    private static func cycles(_ count: Int) throws -> Leaks {
        let fake = FakeCamera { $0.modes = [FakeMode(.gray, PixelSize(width: 64, height: 64))] }
        let before = (entries(of: "/proc/self/task"), entries(of: "/proc/self/fd"))
        for _ in 0..<count {
            try Camera(path: nil, request: .init(), calls: fake).stop()
            // The real system calls, on a file that is not a camera.
            do { _ = try CaptureDevice(path: "/dev/null") } catch {}
        }
        let ledger = fake.ledger
        return Leaks(
            descriptors: ledger.openDescriptors, mappings: ledger.mappings,
            threads: entries(of: "/proc/self/task") - before.0, files: entries(of: "/proc/self/fd") - before.1)
    }

    /// Decodes every frame of a camera that shows a code.
    private static func latency(showing picture: String, seconds: Int) async throws -> FrameTimes {
        let pixels = try frame(showing: picture)
        let fake = FakeCamera(isRealTime: true) { setup in
            setup.modes = [FakeMode(.gray, size)]
            setup.pictures = [pixels]
        }
        let camera = try Camera(path: nil, request: .init(), calls: fake)
        let decoder = LiveDecoder(FrameDecoder())
        var times = FrameTimes()
        let end = Duration.monotonicNow + .seconds(seconds)
        for await frame in camera.frames {
            let age = .monotonicNow - frame.timestamp
            let result = try await decoder.decode(frame)
            times.add(result, age: age)
            if .monotonicNow > end { break }
        }
        camera.stop()
        return times
    }

    private static func frame(showing path: String) throws -> [UInt8] {
        let picture = try ImageLoader().load(contentsOf: path).image
        guard picture.width <= size.width, picture.height <= size.height else {
            throw ValidationError("\(path) is larger than a frame")
        }
        var pixels = [UInt8](repeating: 255, count: size.pixels)
        let (left, top) = ((size.width - picture.width) / 2, (size.height - picture.height) / 2)
        for y in 0..<picture.height {
            for x in 0..<picture.width { pixels[(top + y) * size.width + left + x] = picture[x: x, y: y] }
        }
        return pixels
    }

    private static func processTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func residentKiB() -> Int {
        guard let file = fopen("/proc/self/statm", "re") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, 256, file) != nil else { return 0 }
        let words = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * 4 : 0
    }

    private static func entries(of folder: String) -> Int {
        guard let stream = opendir(folder) else { return -1 }
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        return count
    }
}

/// The times of decoded frames.
struct FrameTimes {
    static let interval = Duration.microseconds(33_333)

    private var latencies = LatencyRecord()
    private var decodes = LatencyRecord()
    private var ages = LatencyRecord()
    private var last: UInt32?
    private(set) var frames = 0
    private(set) var isNewest = true

    mutating func add(_ result: FrameResult, age: Duration) {
        latencies.add(result.latency)
        decodes.add(result.decodeTime)
        ages.add(age)
        if let last, result.frame.sequence <= last { isNewest = false }
        last = result.frame.sequence
        frames += 1
    }

    var latency50: Duration { latencies.percentile(0.5) ?? .seconds(99) }
    var latency99: Duration { latencies.percentile(0.99) ?? .seconds(99) }
    var decode50: Duration { decodes.percentile(0.5) ?? .zero }
    var age90: Duration { ages.percentile(0.9) ?? .seconds(99) }
}
