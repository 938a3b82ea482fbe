/// The library that intercepts calls to the C library (`LD_PRELOAD`), see `preload.c`.
package enum Preload {
    /// Builds the library and returns its path.
    package static func library(in folder: TemporaryFolder) throws -> String {
        let library = folder["preload.so"]
        let source = ProgramRunner.packageFolder + "Tests/Support/TestSupport/Programs/preload.c"
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
