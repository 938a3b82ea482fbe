import BarcodeCore
import Synchronization
import TestSupport
import Testing
import VideoCapture

@testable import StationDevices

@Suite(.timeLimit(.minutes(10))) struct TriggerTests {
    @Test func nothingIsReadUntilSomebodyAsks() async throws {
        let bench = Bench(mode: .trigger) { $0.pictures = [GrayCode.bytes(10)] }
        try await bench.run { camera in
            try await bench.frames { camera.counts.frames >= 10 }
            #expect(camera.counts.decoded == 0)
            let reading = try #require(try await camera.trigger(symbologies: [], timeout: .seconds(240)))
            #expect(reading.symbols.map(\.text) == ["10"])
            #expect(reading.size == PixelSize(width: 64, height: 32))
            let after = camera.counts
            try await bench.frames { camera.counts.frames >= after.frames + 10 }
            #expect(camera.counts.decoded <= after.decoded + 1)
        }
        // The answer to a request is not reported otherwise.
        #expect(bench.texts.isEmpty)
    }

    @Test func whatIsInViewAlreadyIsAnAnswer() async throws {
        let bench = Bench { $0.pictures = [GrayCode.bytes(10)] }
        try await bench.run { camera in
            try await bench.frames { bench.texts == ["10"] }
            let reading = try await camera.trigger(symbologies: [.qrCode], timeout: .seconds(240))
            #expect(reading?.symbols.map(\.text) == ["10"])
            #expect(bench.texts == ["10"])
        }
    }

    @Test func otherFormatsAreNoAnswer() async throws {
        let bench = Bench(mode: .trigger) { $0.pictures = [GrayCode.bytes(10)] }
        try await bench.run { camera in
            try await bench.state { $0.status == .running }
            #expect(try await camera.trigger(symbologies: [.ean13], timeout: .milliseconds(50)) == nil)
            #expect(bench.texts.isEmpty)
        }
    }

    @Test func everybodyWhoWaitsIsAnswered() async throws {
        let bench = Bench(mode: .trigger) { $0.pictures = [GrayCode.bytes(GrayCode.blank)] }
        try await bench.run { camera in
            async let first = camera.trigger(symbologies: [.qrCode], timeout: .seconds(240))
            async let second = camera.trigger(symbologies: [], timeout: .seconds(240))
            async let third = camera.trigger(symbologies: [.ean13], timeout: .seconds(240))
            try await bench.frames { camera.store.withLock { $0.waits.count } == 3 }
            bench.fake.change { $0.pictures = [GrayCode.bytes(12)] }
            #expect(try await first?.symbols.map(\.text) == ["12"])
            #expect(try await second?.symbols.map(\.text) == ["12"])
            bench.fake.change { $0.pictures = [GrayCode.bytes(13)] }
            #expect(try await third?.symbols.map(\.text) == ["13"])
        }
    }

    @Test func aWaitCanBeGivenUp() async throws {
        let bench = Bench(mode: .trigger) { $0.pictures = [GrayCode.bytes(GrayCode.blank)] }
        try await bench.run { camera in
            let wait = Task { try await camera.trigger(symbologies: [], timeout: .seconds(240)) }
            try await bench.frames { camera.counts.decoded > 3 }
            wait.cancel()
            await #expect(throws: CancellationError.self) { try await wait.value }
            let given = Task { try await camera.trigger(symbologies: [], timeout: .seconds(240)) }
            given.cancel()
            await #expect(throws: CancellationError.self) { try await given.value }
        }
    }

    @Test func theModeCanBeChanged() async throws {
        let bench = Bench(mode: .trigger) { $0.pictures = [GrayCode.bytes(10)] }
        try await bench.run { camera in
            try await bench.frames { camera.counts.frames >= 5 }
            camera.set(mode: .continuous)
            try await bench.frames { bench.texts == ["10"] }
            #expect(camera.state.mode == .continuous)
        }
    }

    /// The code under the camera that filled one field of a form does not fill the next one too.
    @Test(arguments: [StationCamera.Mode.continuous, .trigger])
    func whatHasAnsweredDoesNotAnswerAgainWhileItStays(_ mode: StationCamera.Mode) async throws {
        let bench = Bench(mode: mode) { $0.pictures = [GrayCode.bytes(10)] }
        try await bench.run { camera in
            #expect(try await camera.trigger(timeout: .seconds(240))?.symbols.map(\.text) == ["10"])
            let repetitions = Mutex(0)
            let next = Task {
                try await camera.trigger(timeout: .seconds(240)) { repetitions.withLock { $0 += 1 } }
            }
            try await bench.frames { repetitions.withLock { $0 } >= 20 }
            bench.fake.change { $0.pictures = [GrayCode.bytes(12)] }
            #expect(try await next.value?.symbols.map(\.text) == ["12"])
        }
    }

    @Test func whoAsksForItOnceMoreGetsIt() async throws {
        let bench = Bench(mode: .trigger) { $0.pictures = [GrayCode.bytes(10)] }
        try await bench.run { camera in
            #expect(try await camera.trigger(timeout: .seconds(240))?.symbols.map(\.text) == ["10"])
            #expect(try await camera.trigger(timeout: .seconds(240), acceptsAnswered: true)?.symbols.count == 1)
            let repetitions = Mutex(0)
            let next = Task {
                try await camera.trigger(timeout: .seconds(240)) { repetitions.withLock { $0 += 1 } }
            }
            try await bench.frames { repetitions.withLock { $0 } > 0 }
            camera.takeAnsweredAgain()
            #expect(try await next.value?.symbols.map(\.text) == ["10"])
        }
    }
}

/// The time after which a code that has answered counts again.
@Suite struct AnsweredCodesTests {
    private static let code = GrayCode.symbol(10, in: GrayCode.image(10))

    /// A frame: its time of exposure, whether it shows the code, and the symbologies that were searched for.
    typealias Frame = (at: Int, shows: Bool, symbologies: Set<Symbology>)

    @Test(
        arguments: [
            ("it stays", [(0, true, [.qrCode]), (5000, true, [.qrCode])], false),
            ("it left for a second", [(0, false, [.qrCode]), (500, false, [.qrCode]), (1000, false, [.qrCode])], true),
            ("it left for less", [(0, false, [.qrCode]), (999, false, [.qrCode])], false),
            (
                "it was blurred now and then",
                [(0, false, [.qrCode]), (900, true, [.qrCode]), (1800, false, [.qrCode])], false
            ),
            ("it was not looked for", [(0, false, [.ean13]), (5000, false, [.ean13])], false),
            ("nothing was read for a while", [(0, true, [.qrCode]), (60_000, false, [.qrCode])], false),
            (
                "another camera's clock", [(9000, false, [.qrCode]), (10, false, [.qrCode]), (900, false, [.qrCode])],
                false
            ),
        ] as [(String, [Frame], Bool)])
    func itCountsAgain(_ name: String, _ frames: [Frame], _ counts: Bool) {
        var codes = AnsweredCodes()
        codes.add([Self.code])
        for frame in frames {
            codes.note(frame.shows ? [Self.code] : [], lookingFor: frame.symbologies, at: .milliseconds(frame.at))
        }
        #expect(codes.fresh(among: [Self.code]).isEmpty == !counts, "\(name)")
    }

    @Test func theSameMessageIsTheSameCode() {
        var codes = AnsweredCodes()
        codes.add([Self.code])
        var other = Self.code
        (other.symbology, other.addOn) = (.code128, "12")
        #expect(codes.fresh(among: [other]).isEmpty)
        other.bytes.append(0)
        #expect(codes.fresh(among: [other]) == [other])
        codes.forget()
        #expect(codes.fresh(among: [Self.code]) == [Self.code])
    }
}
