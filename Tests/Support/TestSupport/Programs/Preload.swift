/// Libraries that are loaded into programs before all others (`LD_PRELOAD`).
package enum Preload {
    /// Builds a library of a source file and returns its path: `preload.c` intercepts calls to the C library, and
    /// `attempts.c` tries to leave a sandbox.
    package static func library(_ name: String = "preload", in folder: TemporaryFolder) throws -> String {
        let library = folder["\(name).so"]
        let source = ProgramRunner.packageFolder + "Tests/Support/TestSupport/Programs/\(name).c"
        let result = try ProgramRunner(executable: "/usr/bin/env").run(
            ["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"])
        guard result.ending == .exit(0) else { throw NotBuilt(description: result.messages) }
        return library
    }

    /// The messages of the compiler.
    package struct NotBuilt: Error, CustomStringConvertible {
        package let description: String
    }
}
