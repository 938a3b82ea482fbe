import BarcodeCore
import FrameDecoding
import Glibc
import Synchronization
import TestSupport
import Testing
import VideoCapture

@Suite(.timeLimit(.minutes(10))) struct LiveDecoderTests {
    @Test func decodingRunsOnAThreadOfItsOwn() async throws {
        let threads = Mutex(Set<pthread_t>())
        let decoder = LiveDecoder(
            FrameDecoder(settings: .init()) { _, _ in
                threads.withLock { _ = $0.insert(pthread_self()) }
                return []
            })
        let image = LumaImage(width: 1, height: 1, pixels: [0])
        for number in 0..<50 {
            let frame = CapturedFrame(image: image, timestamp: .milliseconds(number), sequence: UInt32(number))
            _ = try await decoder.decode(frame)
            await Task.yield()
        }
        #expect(threads.withLock { $0.count } == 1)
    }

    @Test func theFrameItselfIsReadAndNoCopy() async throws {
        @Sendable func address(_ image: LumaImage) -> UInt {
            image.withUnsafePixels { UInt(bitPattern: $0.baseAddress) }
        }
        let read = Mutex(UInt(0))
        let decoder = LiveDecoder(
            FrameDecoder(settings: .init()) { image, _ in
                read.withLock { $0 = address(image) }
                return []
            })
        let camera = try Camera(path: nil, request: .init(), calls: FakeCamera(isRealTime: true))
        var delivered: UInt = 0
        for await frame in camera.frames {
            delivered = address(frame.image)
            _ = try await decoder.decode(frame)
            break
        }
        camera.stop()
        #expect(read.withLock { $0 } == delivered)
    }

    @Test func latencyIsFromExposureToResult() async throws {
        let clock = Mutex(Duration.seconds(5))
        let decoder = LiveDecoder(
            FrameDecoder(settings: .init()) { _, _ in
                clock.withLock { $0 += .milliseconds(30) }
                return []
            }, now: { clock.withLock { $0 } })
        let frame = CapturedFrame(
            image: LumaImage(width: 1, height: 1, pixels: [0]), timestamp: .milliseconds(4990), sequence: 0)
        let result = try await decoder.decode(frame)
        #expect(result.latency == .milliseconds(40))
        #expect(result.decodeTime == .milliseconds(30))
    }

    /// The decoder takes as long as five frames; each frame that it gets must be the newest.
    @Test func noFrameOlderThanTheNewestIsDecoded() async throws {
        let fake = FakeCamera(isRealTime: true) { $0.interval = .milliseconds(4) }
        let camera = try Camera(path: nil, request: .init(), calls: fake)
        // The number of frames captured at the end of the last decoding.
        let before = Mutex(0)
        let decoder = LiveDecoder(
            FrameDecoder(settings: .init()) { _, _ in
                // Independent of the machine's speed: wait for five more frames.
                let start = camera.counts.captured
                while camera.counts.captured < start + 5 { usleep(1000) }
                before.withLock { $0 = camera.counts.captured }
                return []
            })
        var sequences: [UInt32] = []
        for await frame in camera.frames {
            #expect(frame.counts.captured >= before.withLock { $0 }, "a frame that had waited")
            sequences.append(frame.sequence)
            _ = try await decoder.decode(frame)
            if sequences.count == 30 { break }
        }
        camera.stop()
        #expect(sequences == sequences.sorted())
        let counts = camera.counts
        #expect(counts.superseded + counts.overwritten > 30)
    }
}
