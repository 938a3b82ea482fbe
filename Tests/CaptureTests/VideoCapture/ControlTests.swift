import TestSupport
import Testing

@testable import VideoCapture

@Suite struct ControlTests {
    @Test func controlsAreListed() throws {
        let device = try CaptureDevice(path: "/dev/video0", calls: FakeCamera())
        let controls = device.controls()
        #expect(controls.map(\.name) == ["brightness", "focus_absolute", "exposure_time_absolute"])
        #expect(controls.map(\.range) == [-64...64, 0...250, 1...5000])
        #expect(controls.map(\.value) == [0, 20, 157])
        #expect(controls.map(\.isSettable) == [true, true, false])
    }

    @Test func aValueInItsRangeIsSet() throws {
        let device = try CaptureDevice(path: "/dev/video0", calls: FakeCamera())
        try device.set("focus_absolute", to: 30)
        #expect(device.controls()[1].value == 30)
    }

    @Test(arguments: [
        ("focus", 3, "has no control 'focus'; it has: brightness, focus_absolute, exposure_time_absolute"),
        ("focus_absolute", 255, "focus_absolute takes 0 to 250, not 255"),
        ("brightness", -65, "brightness takes -64 to 64, not -65"),
        ("focus_absolute", 31, "focus_absolute takes 0 and steps of 5 above it, not 31"),
        (
            "exposure_time_absolute", 9,
            "exposure_time_absolute cannot be set to 9: another control disables it"
        ),
    ])
    func anyOtherValueIsRefused(name: String, value: Int, message: String) throws {
        let device = try CaptureDevice(path: "/dev/video0", calls: FakeCamera())
        do {
            try device.set(name, to: value)
            Issue.record("\(name) was set to \(value)")
        } catch {
            #expect(error == CaptureError(.badControl, message, subject: "/dev/video0"))
        }
    }
}
