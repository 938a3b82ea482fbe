import BarcodeCore
import Glibc
import ImageCodecs
import Logging
import StationDevices
import TestSupport
import VideoCapture

/// Measures the cost of showing a camera.
enum StationTrials {
    /// The median time to encode a frame as JPEG, and its size in bytes.
    static func packing(_ frame: [UInt8], size: PixelSize) throws -> (time: Duration, bytes: Int) {
        // A camera's frame always has noise.
        var seed: UInt32 = 1
        let noisy = frame.map { value -> UInt8 in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return UInt8(clamping: Int(value) / 2 + 60 + Int(seed >> 29))
        }
        let image = LumaImage(width: size.width, height: size.height, pixels: noisy)
        var times: [Duration] = []
        var bytes = 0
        for _ in 0..<200 {
            let start = Duration.monotonicNow
            bytes = try JPEGWriter.encode(image).count
            times.append(.monotonicNow - start)
        }
        return (times.sorted()[100], bytes)
    }

    /// The memory of a station's camera in KiB after the first 300 frames and after 1,500, at 200 frames/s.
    ///
    /// One viewer takes ten frames a second, and fifty viewers take none. The result includes the frames that the one
    /// viewer got.
    static func memory(_ frame: [UInt8], size: PixelSize, resident: () -> Int) async throws -> (
        early: Int, late: Int, previews: Int, encoded: Int
    ) {
        let fake = FakeCamera(isRealTime: true) { setup in
            setup.modes = [FakeMode(.gray, size)]
            setup.pictures = [frame]
            setup.interval = .milliseconds(5)
        }
        let camera = StationCamera(
            source: .device(path: nil), calls: fake, onReading: { _ in },
            logger: Logger(label: "trial", factory: { _ in SwiftLogNoOpLogHandler() }))
        let running = Task { try await camera.run() }
        let idle = (0..<50).map { _ in camera.previews(atMost: 10) }
        var early: Int?
        var previews = 0
        for await _ in camera.previews(atMost: 10) {
            previews += 1
            let frames = camera.counts.capture.captured
            if frames >= 300, early == nil { early = resident() }
            if frames >= 1500 { break }
        }
        let late = resident()
        withExtendedLifetime(idle) {}
        running.cancel()
        try await running.value
        return (early ?? 0, late, previews, camera.counts.encoded)
    }
}
