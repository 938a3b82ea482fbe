import Glibc
import TestSupport
import Testing

/// Settings from the environment, so that a test has a short and a long form.
enum Setting {
    static func number(_ variable: String, _ usual: Int) -> Int {
        getenv(variable).flatMap { Int(String(cString: $0)) } ?? usual
    }
}

/// Renames a file; replaces an existing one with the new name.
func move(_ old: String, to new: String) throws {
    guard rename(old, new) == 0 else { throw SystemFailure("rename \(old)") }
}

/// Runs a shell command.
@discardableResult
func shell(_ line: String) throws -> ProgramResult {
    try ProgramRunner(executable: "/bin/bash").run(["-c", line])
}

/// Creates a folder unless it exists.
func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw SystemFailure("mkdir \(path)") }
}

/// Returns a picture of the folder `Samples`.
func sample(_ name: String) throws -> [UInt8] {
    try #require(readFile(ProgramRunner.packageFolder + "Samples/" + name))
}
