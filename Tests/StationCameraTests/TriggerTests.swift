import BarcodeCore
import CameraSupport
import Testing
import VideoCapture

@testable import StationCamera

@Suite(.timeLimit(.minutes(2))) struct TriggerTests {
    @Test func nothingIsReadUntilSomebodyAsks() async throws {
        let bench = Bench(mode: .trigger) { $0.pictures = [GreyCode.bytes(10)] }
        try await bench.run { camera in
            try await bench.frames { camera.counts.frames >= 10 }
            #expect(camera.counts.decoded == 0)
            let reading = try #require(try await camera.trigger(formats: [], timeout: .seconds(60)))
            #expect(reading.symbols.map(\.text) == ["10"])
            #expect(reading.size == FrameSize(width: 64, height: 32))
            let after = camera.counts
            try await bench.frames { camera.counts.frames >= after.frames + 10 }
            #expect(camera.counts.decoded <= after.decoded + 1)
        }
        // What was asked for is the asker's, and nothing else is told.
        #expect(bench.texts.isEmpty)
    }

    @Test func whatIsInViewAlreadyIsAnAnswer() async throws {
        let bench = Bench { $0.pictures = [GreyCode.bytes(10)] }
        try await bench.run { camera in
            try await bench.frames { bench.texts == ["10"] }
            let reading = try await camera.trigger(formats: [.qrCode], timeout: .seconds(60))
            #expect(reading?.symbols.map(\.text) == ["10"])
            #expect(bench.texts == ["10"])
        }
    }

    @Test func otherFormatsAreNoAnswer() async throws {
        let bench = Bench(mode: .trigger) { $0.pictures = [GreyCode.bytes(10)] }
        try await bench.run { camera in
            try await bench.state { $0.status == .running }
            #expect(try await camera.trigger(formats: [.ean13], timeout: .milliseconds(50)) == nil)
            #expect(bench.texts.isEmpty)
        }
    }

    @Test func everybodyWhoWaitsIsAnswered() async throws {
        let bench = Bench(mode: .trigger) { $0.pictures = [GreyCode.bytes(GreyCode.blank)] }
        try await bench.run { camera in
            async let first = camera.trigger(formats: [.qrCode], timeout: .seconds(60))
            async let second = camera.trigger(formats: [], timeout: .seconds(60))
            async let third = camera.trigger(formats: [.ean13], timeout: .seconds(60))
            try await bench.frames { camera.counts.decoded > 3 }
            bench.fake.change { $0.pictures = [GreyCode.bytes(12)] }
            #expect(try await first?.symbols.map(\.text) == ["12"])
            #expect(try await second?.symbols.map(\.text) == ["12"])
            bench.fake.change { $0.pictures = [GreyCode.bytes(13)] }
            #expect(try await third?.symbols.map(\.text) == ["13"])
        }
    }

    @Test func aWaitCanBeGivenUp() async throws {
        let bench = Bench(mode: .trigger) { $0.pictures = [GreyCode.bytes(GreyCode.blank)] }
        try await bench.run { camera in
            let wait = Task { try await camera.trigger(formats: [], timeout: .seconds(60)) }
            try await bench.frames { camera.counts.decoded > 3 }
            wait.cancel()
            await #expect(throws: CancellationError.self) { try await wait.value }
            let given = Task { try await camera.trigger(formats: [], timeout: .seconds(60)) }
            given.cancel()
            await #expect(throws: CancellationError.self) { try await given.value }
        }
    }

    @Test func theModeCanBeChanged() async throws {
        let bench = Bench(mode: .trigger) { $0.pictures = [GreyCode.bytes(10)] }
        try await bench.run { camera in
            try await bench.frames { camera.counts.frames >= 5 }
            camera.set(mode: .continuous)
            try await bench.frames { bench.texts == ["10"] }
            #expect(camera.state.mode == .continuous)
        }
    }
}
