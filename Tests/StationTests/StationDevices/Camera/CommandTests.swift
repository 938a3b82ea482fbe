import BarcodeCore
import TestSupport
import Testing
import VideoCapture

@testable import StationDevices

/// A station whose camera is a command.
@Suite(.timeLimit(.minutes(10))) struct CommandTests {
    @Test func codesOfACommandAreRead() async throws {
        let script = #"head -c 2048 /dev/zero | tr "\0" B; sleep 1000"#
        let command = try #require(try CaptureCommand("exec:sh -c '\(script)'#size=64x32#format=GREY"))
        let bench = Bench(.command(command))
        try await bench.run { camera in
            let state = try await bench.state { $0.size != nil }
            #expect(state.status == .running)
            #expect((state.path, state.card) == ("exec:sh", "exec:sh"))
            #expect(state.controls.isEmpty)
            await #expect(throws: CaptureError.self) { try await camera.set("brightness", to: 1) }
        }
        #expect(bench.texts == ["66"])
        #expect(bench.readings.map(\.size) == [PixelSize(width: 64, height: 32)])
    }

    @Test func commandIsSelectedAgainAfterADevice() async throws {
        let command = try #require(try CaptureCommand("exec:cat /dev/zero#size=64x32#format=GREY"))
        let bench = Bench(.command(command))
        try await bench.run { camera in
            try await bench.state { $0.status == .running }
            try await camera.select(path: "/dev/v4l/by-id/usb-fake")
            try await bench.state { $0.status == .running && $0.card == "Fake camera" }
            try await camera.select(path: "exec:cat")
            try await bench.state { $0.status == .running && $0.path == "exec:cat" }
            await #expect(throws: CaptureError.self) { try await camera.select(path: "exec:true") }
        }
    }

    @Test func commandThatEndsIsALostCamera() async throws {
        let command = try #require(
            try CaptureCommand("exec:sh -c 'echo rtsp://user:secret@host/1: refused >&2; exit 1'"))
        let bench = Bench(.command(command))
        try await bench.run { _ in
            let state = try await bench.state { $0.status == .lost }
            #expect(state.problem == "exec:sh: sh ended with exit status 1: rtsp://host/1: refused")
        }
    }
}
