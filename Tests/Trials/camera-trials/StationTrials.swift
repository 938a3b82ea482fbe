import BarcodeCore
import Glibc
import ImageCodecs
import Logging
import StationCamera
import TestSupport
import VideoCapture

/// What showing a camera costs.
enum StationTrials {
    /// The median time of packing a frame as JPEG, and its bytes.
    static func packing(_ frame: [UInt8], size: PixelSize) throws -> (time: Duration, bytes: Int) {
        // A camera's frame is never without noise.
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

    /// KiB of memory after the first 300 frames of a station's camera and after 1,500, at 200 frames/s, while one looks
    /// at ten frames a second and fifty never take what they are handed; and what the one saw.
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
