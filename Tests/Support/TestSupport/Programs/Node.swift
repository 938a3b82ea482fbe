/// Node.js, an optional tool: tests that need it are skipped if it is missing.
package enum Node {
    /// Indicates whether Node.js is installed.
    package static let isThere = (try? run("").ending) == .exit(0)

    /// Runs a script to completion.
    package static func run(_ script: String) throws -> ProgramResult {
        try ProgramRunner(executable: "/usr/bin/env").run(["node", "-"], input: Array(script.utf8))
    }
}
