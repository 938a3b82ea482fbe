import TestSupport
import Testing

/// The built program, run as its users run it.
///
/// The tests are serialized, because some measure times and each run uses all processors.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ProgramTests {
    static let decodeImage = ProgramRunner.built("decode-image")
}
