import BarcodeCore
import CLinux
import Glibc
import TestSupport
import Testing

@testable import VideoCapture

/// Faults of a fake camera whose clock only advances while something waits.
@Suite struct FaultTests {
    /// A capture loop on a fake camera, with its results.
    final class Bench {
        let camera: FakeCamera
        var frames: [CapturedFrame] = []
        var events: [CaptureEvent] = []
        var onFrame: (CapturedFrame) -> Void = { _ in }

        init(_ camera: FakeCamera) {
            self.camera = camera
        }

        func loop(_ request: CaptureRequest = .init()) throws(CaptureError) -> CaptureLoop {
            let path = "/dev/video0"
            let device = try CaptureDevice(path: path, calls: camera)
            var loop = CaptureLoop(
                device: device, location: DeviceLocation(path: path, among: camera.devices()), request: request,
                calls: camera, report: { self.events.append($0) },
                deliver: {
                    self.frames.append($0)
                    self.onFrame($0)
                })
            try loop.begin()
            return loop
        }

        var sequences: [UInt32] { frames.map(\.sequence) }
    }

    @Test func framesComeInOrderWithTheirTime() throws {
        let bench = Bench(FakeCamera())
        var loop = try bench.loop()
        for _ in 0..<5 { loop.step() }
        #expect(bench.sequences == [0, 1, 2, 3, 4])
        // The first bytes of each frame contain its number.
        #expect(bench.frames.map { $0.image[x: 0, y: 0] } == [0, 1, 2, 3, 4])
        #expect(bench.frames[4].counts.captured == 5)
        #expect(bench.frames[1].timestamp - bench.frames[0].timestamp == .microseconds(33_333))
        loop.close()
        #expect(bench.camera.ledger.openDescriptors == 0)
        #expect(bench.camera.ledger.mappings == 0)
    }

    /// A driver with a memory for each plane, which has some bytes before the luma.
    @Test(arguments: [0, 16]) func planesInMemoryOfTheirOwn(offset: Int) throws {
        let luma = (0..<64 * 32).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let bench = Bench(
            FakeCamera { setup in
                setup.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) | UInt32(V4L2_CAP_STREAMING)
                setup.modes = [FakeMode(.nv12m)]
                setup.pictures = [[UInt8](repeating: 9, count: offset) + luma]
                setup.dataOffset = offset
                setup.faults = [1: .short]
            })
        var loop = try bench.loop()
        for _ in 0..<4 { loop.step() }
        #expect(bench.sequences == [0, 2, 3])
        #expect(bench.frames.allSatisfy { $0.image.withUnsafePixels { Array($0) } == luma })
        #expect(loop.counts.broken == 1)
        loop.close()
        #expect(bench.camera.ledger.openDescriptors == 0)
        #expect(bench.camera.ledger.mappings == 0)
    }

    @Test func aSlowConsumerGetsTheNewest() throws {
        let bench = Bench(FakeCamera())
        var loop = try bench.loop()
        bench.onFrame = { _ in bench.camera.advance(by: .milliseconds(100)) }
        for _ in 0..<4 { loop.step() }
        // Of the three frames in the meantime the last one is taken, and none is older than it.
        #expect(bench.sequences == [0, 3, 6, 9])
        #expect(loop.counts.superseded == 6)
        #expect(loop.counts.dropped == 0)
    }

    @Test func damagedFramesAreCountedAndSkipped() throws {
        let bench = Bench(FakeCamera { $0.faults = [1: .flagged, 3: .short, 4: .dropped, 5: .dropped] })
        var loop = try bench.loop()
        for _ in 0..<6 { loop.step() }
        #expect(bench.sequences == [0, 2, 6, 7])
        #expect(loop.counts.flagged == 1)
        #expect(loop.counts.broken == 1)
        #expect(loop.counts.dropped == 2)
        #expect(bench.camera.ledger.handedOut == 0)
    }

    @Test func theNewestSoundFrameIsTakenWhereTheNewestIsDamaged() throws {
        let bench = Bench(FakeCamera { $0.faults = [3: .flagged] })
        var loop = try bench.loop()
        bench.onFrame = { _ in bench.camera.advance(by: .milliseconds(100)) }
        for _ in 0..<2 { loop.step() }
        #expect(bench.sequences == [0, 2])
    }

    @Test func sequenceWrapIsNoLoss() throws {
        let bench = Bench(FakeCamera { $0.firstSequence = .max - 2 })
        var loop = try bench.loop()
        for _ in 0..<6 { loop.step() }
        let last = UInt32.max
        #expect(bench.sequences == [last - 2, last - 1, last, 0, 1, 2] as [UInt32])
        #expect(loop.counts.dropped == 0)
    }

    @Test(arguments: [.zero, .milliseconds(350), .seconds(3), .seconds(20)] as [Duration])
    func afterTheReturnThereIsAPictureWithinASecond(gone: Duration) throws {
        let start = Duration.seconds(1002)
        let back = start + gone + .milliseconds(50)
        let bench = Bench(
            FakeCamera { setup in
                setup.script = [
                    FakeStep(at: start) { $0.isPlugged = false },
                    FakeStep(at: back) { setup in
                        setup.isPlugged = true
                        // It comes back under another number.
                        setup.path = "/dev/video3"
                    },
                ]
            })
        var loop = try bench.loop()
        while bench.camera.now() < back + .seconds(2) { loop.step() }
        let first = try #require(bench.frames.first { $0.timestamp > back })
        print("picture again \(first.timestamp - back) after the return, away for \(gone)")
        #expect(first.timestamp - back < .seconds(1))
        #expect(loop.counts.lost == 1)
        #expect(bench.events.count { if case .lost = $0 { true } else { false } } == 1)
        loop.close()
        #expect(bench.camera.ledger.openDescriptors == 0)
        #expect(bench.camera.ledger.mappings == 0)
    }

    @Test func anotherCameraUnderTheOldNumberIsNotTaken() throws {
        let bench = Bench(FakeCamera())
        var loop = try bench.loop()
        loop.step()
        bench.camera.change { setup in
            setup.isPlugged = false
            setup.stablePaths = ["/dev/v4l/by-id/usb-another"]
        }
        loop.step()
        bench.camera.change { $0.isPlugged = true }
        for _ in 0..<50 { loop.step() }
        #expect(bench.frames.count == 1)
    }

    @Test func aHangIsMetByANewStart() throws {
        let bench = Bench(
            FakeCamera { setup in
                setup.script = [
                    FakeStep(at: .seconds(1001)) { $0.hangs = true },
                    FakeStep(at: .seconds(1012)) { $0.hangs = false },
                ]
            })
        var loop = try bench.loop()
        while bench.camera.now() < .seconds(1020) { loop.step() }
        #expect(bench.events.contains(.stalled))
        #expect((bench.frames.last?.timestamp ?? .zero) > .seconds(1019))
        #expect(bench.camera.ledger.opens > 1)
        #expect(bench.camera.ledger.starts > 2)
    }

    @Test func aChangeOfFormatStartsStreamingAnew() throws {
        let bench = Bench(FakeCamera())
        var loop = try bench.loop()
        loop.step()
        bench.camera.change { setup in
            setup.modes = [FakeMode(.yuyv, PixelSize(width: 32, height: 16))]
            setup.sourceChanges = true
        }
        for _ in 0..<4 { loop.step() }
        let last = try #require(bench.frames.last)
        #expect([last.image.width, last.image.height] == [32, 16])
        #expect(bench.events.contains(.sourceChanged))
        #expect(bench.camera.ledger.opens == 1)
    }

    @Test func withoutBandwidthTheNextLighterModeIsTaken() throws {
        let small = PixelSize(width: 64, height: 32)
        let bench = Bench(
            FakeCamera { setup in
                setup.modes = [FakeMode(.yuyv, PixelSize(width: 128, height: 64)), FakeMode(.yuyv, small)]
                setup.startErrors = [ENOSPC]
            })
        var loop = try bench.loop()
        loop.step()
        #expect(bench.events.first == .steppedDown(CaptureMode(pixelFormat: .yuyv, size: small, rates: [30])))
        #expect(bench.frames.first?.image.width == 64)
    }

    @Test func withoutAnyBandwidthTheErrorSaysSo() {
        let bench = Bench(FakeCamera { $0.startErrors = [ENOSPC] })
        #expect(throws: CaptureError(errno: ENOSPC, doing: "start streaming", subject: "/dev/video0")) {
            _ = try bench.loop()
        }
        #expect(bench.camera.ledger.openDescriptors == 0)
        #expect(bench.camera.ledger.mappings == 0)
    }

    @Test func aBusyCameraNamesItsHolder() {
        let bench = Bench(
            FakeCamera { setup in
                setup.startErrors = [EBUSY]
                setup.holders = ["zoom (process 812)"]
            })
        let expected = CaptureError(
            .busy, "is in use by zoom (process 812); stop it first", subject: "/dev/video0",
            cause: SystemError("start streaming", errno: EBUSY))
        #expect(throws: expected) { _ = try bench.loop() }
    }

    @Test func whatCannotBeReadIsNamed() {
        let bench = Bench(FakeCamera { $0.modes = [FakeMode(PixelFormat("RGB3") ?? .gray)] })
        let expected = CaptureError(
            .unsupportedFormat, "offers no supported pixel format; it offers: RGB3", subject: "/dev/video0")
        #expect(throws: expected) { _ = try bench.loop() }
    }

    @Test func aDeviceWithoutCaptureIsNoCamera() {
        let bench = Bench(FakeCamera { $0.capabilities = 0x0080_0000 })
        #expect(throws: CaptureError.self) { _ = try bench.loop() }
        #expect(bench.camera.ledger.openDescriptors == 0)
    }

    @Test func aCameraThatAnotherTakesIsToldOnce() throws {
        let bench = Bench(
            FakeCamera { setup in
                setup.script = [
                    FakeStep(at: .seconds(1001)) { setup in
                        setup.isPlugged = false
                        setup.startErrors = Array(repeating: EBUSY, count: 20)
                    },
                    FakeStep(at: .seconds(1002)) { $0.isPlugged = true },
                ]
            })
        var loop = try bench.loop()
        while bench.camera.now() < .seconds(1020) { loop.step() }
        #expect(bench.events.count { if case .lost = $0 { true } else { false } } == 1)
        #expect((bench.frames.last?.timestamp ?? .zero) > .seconds(1019))
        #expect(bench.camera.ledger.openDescriptors == 1)
    }

    /// With any fault at any time, frames advance, buffers are returned, and nothing stays open.
    @Test(arguments: 0..<25) func anythingMayHappen(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var faults: [Int: FakeCamera.FrameFault] = [:]
        for number in 0..<2000 where random.next() % 5 == 0 {
            faults[number] = [.flagged, .short, .dropped].randomElement(using: &random)
        }
        var script: [FakeStep] = []
        var time = Duration.seconds(1000)
        for _ in 0..<20 {
            time += .milliseconds(Int.random(in: 1...4000, using: &random))
            let errors = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                [ENOSPC, EBUSY, EIO, ENODEV].randomElement(using: &random) ?? EIO
            }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: script.append(FakeStep(at: time) { $0.isPlugged = false })
            case 1: script.append(FakeStep(at: time) { $0.hangs = true })
            case 2: script.append(FakeStep(at: time) { $0.sourceChanges = true })
            case 3: script.append(FakeStep(at: time) { $0.openErrors = errors })
            case 4: script.append(FakeStep(at: time) { $0.startErrors = errors })
            default: script.append(FakeStep(at: time) { $0.firstSequence = .max - 5 })
            }
            time += .milliseconds(Int.random(in: 1...4000, using: &random))
            script.append(
                FakeStep(at: time) { setup in
                    setup.isPlugged = true
                    setup.hangs = false
                })
        }
        let bench = Bench(
            FakeCamera { setup in
                setup.faults = faults
                setup.script = script
            })
        let camera = bench.camera
        bench.onFrame = { frame in
            #expect(frame.timestamp <= camera.now(), "seed \(seed)")
            if random.next() % 4 == 0 { camera.advance(by: .milliseconds(Int.random(in: 1...300, using: &random))) }
        }
        var loop = try bench.loop()
        let end = time + .seconds(10)
        while camera.now() < end { loop.step() }
        let times = bench.frames.map(\.timestamp)
        #expect(times == times.sorted(), "seed \(seed)")
        #expect((times.last ?? .zero) > end - .seconds(1), "seed \(seed): no picture at the end")
        #expect(camera.ledger.openDescriptors == 1, "seed \(seed)")
        loop.close()
        #expect(camera.ledger.openDescriptors == 0, "seed \(seed)")
        #expect(camera.ledger.mappings == 0, "seed \(seed)")
    }

    @Test func nothingLeaksOverAThousandCycles() throws {
        let camera = FakeCamera()
        for cycle in 0..<1000 {
            var device = try CaptureDevice(path: "/dev/video0", calls: camera)
            guard let mode = device.modes().first else { continue }
            try device.start(mode: mode, rate: 30)
            if cycle % 3 == 0 { device.stop() }
            if cycle % 5 == 0 { camera.change { $0.isPlugged = false } }
            _ = try? device.take()
            camera.change { $0.isPlugged = true }
        }
        #expect(camera.ledger.opens == 1000)
        #expect(camera.ledger.openDescriptors == 0)
        #expect(camera.ledger.mappings == 0)
    }
}
