import TestSupport
import Testing

/// The built program, run as its users run it.
@Suite(.timeLimit(.minutes(10))) struct ProgramTests {
    static let decodeImage = ProgramRunner.built("decode-image")
}
