import BarcodeCore
import Synchronization
import TestSupport
import Testing
import VideoCapture

@testable import StationDevices

@Suite(.timeLimit(.minutes(10))) struct DeviceTests {
    @Test func aCodeIsToldOnceWhileItStays() async throws {
        let bench = Bench { $0.pictures = [GrayCode.bytes(10)] }
        try await bench.run { camera in
            try await bench.frames { camera.counts.frames >= 30 }
        }
        let image = GrayCode.image(10)
        #expect(
            bench.readings == [
                StationCamera.Reading(
                    symbols: [GrayCode.symbol(10, in: image)], size: PixelSize(width: 64, height: 32),
                    card: "Fake camera", path: "/dev/v4l/by-id/usb-fake", file: nil)
            ])
        #expect(bench.camera.counts.decoded >= 29)
        #expect(bench.camera.counts.failed == 0)
    }

    @Test func itComesBackAfterItWasUnplugged() async throws {
        let bench = Bench { $0.pictures = [GrayCode.bytes(10)] }
        try await bench.run { camera in
            try await bench.state { $0.status == .running && !$0.controls.isEmpty }
            try await camera.set("brightness", to: 7)
            bench.fake.change { $0.isPlugged = false }
            let lost = try await bench.state { $0.status == .lost }
            #expect(lost.problem?.contains("/dev/v4l/by-id/usb-fake") == true)
            #expect(lost.rate == 0)
            bench.fake.change { setup in
                setup.isPlugged = true
                // Under another number, and with factory settings.
                setup.path = "/dev/video3"
                setup.controls = FakeControl.usual
            }
            let back = try await bench.state { state in
                state.status == .running && state.controls.first { $0.name == "brightness" }?.value == 7
            }
            #expect(back.problem == nil)
            let before = camera.counts.frames
            try await bench.frames { camera.counts.frames > before + 3 }
            #expect(camera.counts.lost == 1)
        }
    }

    @Test func aCameraThatIsPluggedInLaterIsFound() async throws {
        let bench = Bench { $0.isPlugged = false }
        try await bench.run { camera in
            let none = try await bench.state { $0.problem != nil }
            #expect(none.status == .none)
            bench.fake.change { $0.isPlugged = true }
            let found = try await bench.state { $0.status == .running && $0.size != nil }
            #expect(found.card == "Fake camera")
            #expect(found.size == PixelSize(width: 64, height: 32))
        }
    }

    @Test func aBusyCameraSaysWhoHasIt() async throws {
        let bench = Bench { setup in
            setup.openErrors = Array(repeating: 16, count: 1000)
            setup.holders = ["zoom (process 812)"]
        }
        try await bench.run { _ in
            let busy = try await bench.state { $0.problem != nil }
            #expect(busy.status == .lost)
            #expect(busy.problem?.contains("zoom (process 812)") == true)
            bench.fake.change { $0.openErrors = [] }
            try await bench.state { $0.status == .running }
        }
    }

    @Test func controlsAreSetWhileItStreams() async throws {
        let bench = Bench()
        try await bench.run { camera in
            try await bench.state { $0.status == .running && !$0.controls.isEmpty }
            try await camera.set("focus_absolute", to: 45)
            #expect(camera.state.controls.first { $0.name == "focus_absolute" }?.value == 45)
            await #expect { try await camera.set("focus_absolute", to: 46) } throws: {
                ($0 as? CaptureError)?.code == .badControl
            }
            await #expect { try await camera.set("laser", to: 1) } throws: {
                ($0 as? CaptureError)?.code == .badControl
            }
            let before = camera.counts.frames
            try await bench.frames { camera.counts.frames > before + 3 }
            #expect(bench.fake.ledger.starts == 1)
        }
    }

    @Test func anotherSourceIsTakenByItsPath() async throws {
        let folder = try PictureFolder()
        try folder.write(20, to: "a.png")
        let bench = Bench(.replay(path: folder.path, framesPerSecond: 200)) { $0.pictures = [GrayCode.bytes(10)] }
        try await bench.run { camera in
            try await bench.frames { bench.texts == ["20"] }
            await #expect { try await camera.set("brightness", to: 1) } throws: {
                ($0 as? CaptureError)?.code == .noCamera
            }
            await #expect { try await camera.select(path: "/etc/passwd") } throws: {
                ($0 as? CaptureError)?.code == .notFound
            }
            #expect(await camera.cameras().map(\.node.path) == ["/dev/video0"])
            try await camera.select(path: "/dev/video0")
            try await bench.frames { bench.texts == ["20", "10"] }
            #expect(camera.state.path == "/dev/v4l/by-id/usb-fake")
            // Selects the current device again.
            try await camera.select(path: "/dev/v4l/by-id/usb-fake")
            #expect(bench.fake.ledger.starts == 1)
        }
    }

    @Test func withoutACameraThereIsNone() async throws {
        let bench = Bench(.none)
        try await bench.run { camera in
            try await bench.state { $0.status == .none }
            #expect(try await camera.trigger(symbologies: [], timeout: .milliseconds(5)) == nil)
        }
        #expect(await bench.camera.preview() == nil)
        for await _ in bench.camera.previews(atMost: 10) { Issue.record("a preview after the end") }
        for await _ in bench.camera.views() { Issue.record("a view after the end") }
        #expect(try await bench.camera.trigger(symbologies: [], timeout: .seconds(60)) == nil)
    }

    @Test func theRegionIsReadAlone() async throws {
        let sizes = Mutex<Set<PixelSize>>([])
        let decoder = GrayCode.decoder { image, options in
            sizes.withLock { _ = $0.insert(PixelSize(width: image.width, height: image.height)) }
            return GrayCode.read(image, options)
        }
        let bench = Bench(decoder: decoder) { $0.pictures = [GrayCode.bytes(10)] }
        try await bench.run { camera in
            camera.set(region: Rectangle(x: 0.5, y: 0.25, width: 0.25, height: 2))
            #expect(camera.state.region == Rectangle(x: 0.5, y: 0.25, width: 0.25, height: 0.75))
            try await bench.frames { !bench.texts.isEmpty }
            // Columns 32 to 48 and rows 8 to 32; the center is that of the only code.
            #expect(bench.readings.first?.symbols.first?.corners.center == Point(x: 40, y: 20))
            #expect(sizes.withLock { $0 } == [PixelSize(width: 16, height: 24)])
            camera.set(region: nil)
            try await bench.frames { sizes.withLock { $0.contains(PixelSize(width: 64, height: 32)) } }
            // A reported code is not reported again.
            #expect(bench.texts == ["10"])
        }
    }
}
