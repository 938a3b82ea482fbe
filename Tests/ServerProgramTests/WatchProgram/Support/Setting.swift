import Glibc
import TestSupport
import Testing

/// What the environment may set, so that one test has a short and a long form.
enum Setting {
    static func number(_ variable: String, _ usual: Int) -> Int {
        getenv(variable).flatMap { Int(String(cString: $0)) } ?? usual
    }
}

/// Renames; whatever has the new name is replaced.
func move(_ old: String, to new: String) throws {
    guard rename(old, new) == 0 else { throw SystemFailure("rename \(old)") }
}

/// Runs a line of a shell.
@discardableResult
func shell(_ line: String) throws -> ProgramResult {
    try ProgramRunner(executable: "/bin/bash").run(["-c", line])
}

/// Makes a folder that may be there already.
func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw SystemFailure("mkdir \(path)") }
}

/// The bytes of a picture of the folder `Samples`.
func sample(_ name: String) throws -> [UInt8] {
    try #require(readFile(ProgramRunner.packageFolder + "Samples/" + name))
}
