import BarcodeCore
import TestSupport
import Testing

@testable import VideoCapture

@Suite(.timeLimit(.minutes(10))) struct CameraTests {
    @Test func framesComeFromTheThreadUntilItIsStopped() async throws {
        let fake = FakeCamera(isRealTime: true) { $0.interval = .milliseconds(2) }
        let camera = try Camera(path: nil, request: .init(), calls: fake)
        #expect(camera.path == "/dev/v4l/by-id/usb-fake")
        var last: UInt32?
        var count = 0
        for await frame in camera.frames {
            if let last { #expect(frame.sequence > last) }
            last = frame.sequence
            count += 1
            if count == 20 { camera.stop() }
        }
        #expect(count >= 20)
        #expect(fake.ledger.openDescriptors == 0)
        #expect(fake.ledger.mappings == 0)
    }

    @Test func noCameraIsSaid() {
        let fake = FakeCamera { $0.isPlugged = false }
        #expect(
            throws: CaptureError(
                .noCamera, "there is no camera; plug one in, or play pictures with --replay")
        ) {
            _ = try Camera(path: nil, request: .init(), calls: fake)
        }
    }
}
