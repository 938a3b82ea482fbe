import BarcodeCore
import ImageCodecs
import TestSupport
import Testing
import VideoCapture

@testable import StationDevices

@Suite(.timeLimit(.minutes(10))) struct PreviewTests {
    private func frame(_ number: Int, width: Int = 64, height: Int = 32) -> CapturedFrame {
        CapturedFrame(
            image: GrayCode.image(UInt8(truncatingIfNeeded: number), width: width, height: height),
            timestamp: .nanoseconds(33_333_333) * number, sequence: UInt32(number))
    }

    /// Offers frames to a hub, each after the previous one was encoded.
    ///
    /// Returns the number of encoded frames.
    private func play(_ frames: Int, to hub: PreviewHub) async -> Int {
        let packing = Task { await hub.run { error in Issue.record("\(error)") } }
        var wanted = 0
        for number in 1...frames {
            if hub.offer(frame(number), size: PixelSize(width: 64, height: 32), symbols: []) { wanted += 1 }
            while hub.encoded < wanted { await Task.yield() }
        }
        packing.cancel()
        await packing.value
        return hub.encoded
    }

    @Test func nothingIsPackedWhileNobodyLooks() async throws {
        let bench = Bench { $0.pictures = [GrayCode.bytes(10)] }
        try await bench.run { camera in
            for await view in camera.views() where view.sequence > 20 { break }
            #expect(camera.counts.encoded == 0)
            // `camera.preview()` gives up after a second, which is too short for a busy machine.
            var previews = camera.previews(atMost: 1).makeAsyncIterator()
            let preview = try #require(await previews.next())
            #expect(preview.symbols.map(\.text) == ["10"])
            #expect(preview.size == PixelSize(width: 64, height: 32))
            let picture = try ImageLoader().load(preview.jpeg)
            #expect(picture.format == .jpeg && picture.damage == nil)
            #expect([9, 10, 11].contains(picture.image[x: 32, y: 16]))
            let encoded = camera.counts.encoded
            for await view in camera.views() where view.sequence > preview.sequence + 20 { break }
            #expect(camera.counts.encoded <= encoded + 1)
        }
    }

    @Test(arguments: [(rate: 10.0, frames: 19...21), (5.0, 9...11), (30.0, 58...60), (1000.0, 60...60), (0.5, 1...1)])
    func aViewerGetsNoMoreThanItsRate(rate: Double, frames: ClosedRange<Int>) async {
        let hub = PreviewHub(quality: 75)
        let stream = hub.stream(atMost: rate)
        // Two seconds at 30 frames a second.
        let count = await play(60, to: hub)
        #expect(frames.contains(count), "\(count)")
        withExtendedLifetime(stream) {}
    }

    @Test func aFrameIsPackedOnceForAll() async {
        let hub = PreviewHub(quality: 75)
        let streams = (0..<50).map { _ in hub.stream(atMost: 10) }
        let count = await play(60, to: hub)
        #expect((19...21).contains(count), "\(count)")
        hub.end()
        // A viewer that took no frames only has the newest one.
        for stream in streams {
            var sequences: [UInt32] = []
            for await preview in stream { sequences.append(preview.sequence) }
            #expect(sequences.count == 1)
            #expect(sequences.allSatisfy { $0 > 54 })
        }
    }

    @Test func whoGoesIsForgotten() async {
        let hub = PreviewHub(quality: 75)
        do {
            let stream = hub.stream(atMost: 10)
            #expect(hub.viewers == 1)
            withExtendedLifetime(stream) {}
        }
        #expect(hub.viewers == 0)
        #expect(await play(10, to: hub) == 0)
        let looking = Task { for await _ in hub.stream(atMost: 10) {} }
        while hub.viewers == 0 { await Task.yield() }
        looking.cancel()
        await looking.value
        #expect(hub.viewers == 0)
    }

    @Test(arguments: [
        (1280, 720, 1280, 720), (1281, 720, 640, 360), (1920, 1080, 960, 540), (4000, 3000, 1000, 750),
        (900, 1600, 450, 800), (1, 1, 1, 1), (65_000, 2, 32_500, 1),
    ])
    func aLargeFrameIsHalved(width: Int, height: Int, newWidth: Int, newHeight: Int) async throws {
        let hub = PreviewHub(quality: 75)
        let packing = Task { await hub.run { error in Issue.record("\(error)") } }
        var previews = hub.stream(atMost: 10).makeAsyncIterator()
        hub.offer(
            frame(1, width: width, height: height), size: PixelSize(width: width, height: height), symbols: [])
        let preview = try #require(await previews.next())
        let picture = try ImageLoader().load(preview.jpeg)
        #expect((picture.image.width, picture.image.height) == (newWidth, newHeight))
        #expect(preview.size == PixelSize(width: width, height: height))
        packing.cancel()
        await packing.value
    }

    @Test func aStillHasAllOfItsPixels() async throws {
        let hub = PreviewHub(quality: 95, maximumSide: .max)
        let packing = Task { await hub.run { error in Issue.record("\(error)") } }
        var stills = hub.stream(atMost: 1).makeAsyncIterator()
        hub.offer(frame(1, width: 4000, height: 3000), size: PixelSize(width: 4000, height: 3000), symbols: [])
        let still = try #require(await stills.next())
        let picture = try ImageLoader().load(still.jpeg)
        #expect((picture.image.width, picture.image.height) == (4000, 3000))
        packing.cancel()
        await packing.value
    }

    @Test func overlaysHearThatNothingIsInViewAnyMore() async throws {
        let bench = Bench { $0.pictures = [GrayCode.bytes(10)] }
        try await bench.run { camera in
            for await view in camera.views() where view.symbols.map(\.text) == ["10"] { break }
            bench.fake.change { $0.pictures = [GrayCode.bytes(GrayCode.blank)] }
            var last: [String]?
            for await view in camera.views() {
                last = view.symbols.map(\.text)
                if view.symbols.isEmpty { break }
            }
            #expect(last == [])
        }
    }
}
