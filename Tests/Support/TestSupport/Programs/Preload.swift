/// The library that stands between a program and the C library, see `preload.c`.
package enum Preload {
    /// Builds the library; returns its path, for `LD_PRELOAD`.
    package static func library(in folder: TemporaryFolder) throws -> String {
        let library = folder["preload.so"]
        let source = ProgramRunner.packageFolder + "Tests/Support/TestSupport/Programs/preload.c"
        let result = try ProgramRunner(executable: "/usr/bin/env").run(
            ["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"])
        guard result.ending == .exit(0) else { throw NotBuilt(description: result.messages) }
        return library
    }

    /// What the compiler said.
    package struct NotBuilt: Error, CustomStringConvertible {
        package let description: String
    }
}
