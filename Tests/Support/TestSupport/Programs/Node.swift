/// The JavaScript engine of that name, which is no dependency: tests that need it are left out where it is missing.
package enum Node {
    /// Whether this machine has it.
    package static let isThere = (try? run("").ending) == .exit(0)

    /// Runs a script to its end.
    package static func run(_ script: String) throws -> ProgramResult {
        try ProgramRunner(executable: "/usr/bin/env").run(["node", "-"], input: Array(script.utf8))
    }
}
