import Synchronization

/// Libraries that are loaded into programs before all others (`LD_PRELOAD`).
package enum Preload {
    /// Exists as long as the tests: programs may outlive the test that starts them.
    private static let folder = Result { try TemporaryFolder() }

    /// The paths of the libraries that are built, by the names of their sources.
    private static let libraries = Mutex<[String: String]>([:])

    /// Builds a library of a source file once and returns its path: `preload.c` intercepts calls to the C library, and
    /// `attempts.c` tries to leave a sandbox.
    package static func library(_ name: String = "preload") throws -> String {
        try libraries.withLock { libraries in
            if let path = libraries[name] { return path }
            let path = try folder.get()["\(name).so"]
            let source = ProgramRunner.packageFolder + "Tests/Support/TestSupport/Programs/\(name).c"
            let result = try ProgramRunner(executable: "/usr/bin/env").run(
                ["cc", "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"])
            guard result.ending == .exit(0) else { throw NotBuilt(description: result.messages) }
            libraries[name] = path
            return path
        }
    }

    /// The messages of the compiler.
    package struct NotBuilt: Error, CustomStringConvertible {
        package let description: String
    }
}
