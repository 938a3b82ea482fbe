import TestSupport
import Testing

/// The built program, run as its users run it.
///
/// One after the other: times are measured, and each run takes all the processors there are.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ProgramTests {
    static let decodeImage = ProgramRunner.built("decode-image")
}
